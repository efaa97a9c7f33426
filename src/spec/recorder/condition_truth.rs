//! The results of a DMF's conditions on every layout of a recording, and whether they can fail at all
//! (`engine/pbfdroid/paper.md`, section 6.3). A condition that cannot fail proves nothing and must not be saved
//! unnoticed.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::objects::DraftObject;
use super::selector::named_by;
use crate::lint::used_widgets;
use crate::vacuity::{OWN_RECORD, TYPED_FIELD, is_by_data, is_only_typed, is_same_page};
use crate::{
    Bindings, CheckOutcome, CompiledDmf, Condition, DataModel, Dmf, DmfKind, ImpactOp, Relation, Scene,
    Scope, SpecSelector, TextPattern, WidgetState, condition_sentence,
};
use taproof_screen::{Layout, Reason, WidgetFlags, WidgetIdx};

/// What conditions are judged on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence<'a> {
    /// All layouts of the recording, in order.
    pub layouts: &'a [Arc<Layout>],
    /// Index of the layout on which the function starts.
    pub first: usize,
    /// Index of the layout on which it ends.
    pub end: usize,
    /// Screens that were seen before the recording.
    pub seen: &'a [Arc<Layout>],
    /// The objects of the recording.
    pub objects: &'a [DraftObject],
}

/// Identifies a condition of a DMF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionWhich {
    /// The precondition of this index.
    Pre(usize),
    /// The postcondition of this index.
    Post(usize),
}

/// The results of a condition on a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionTruth {
    /// Which condition of the DMF it is.
    pub which: ConditionWhich,
    /// The key by which a proposed condition is removed (`DraftRequest::without`).
    pub key: String,
    /// Name of the condition's widget; `None` for a condition on data.
    pub widget: Option<String>,
    /// The condition as a sentence.
    pub sentence: String,
    /// For each recorded layout, whether the condition holds; `None` if that cannot be decided.
    pub per_layout: Vec<Option<bool>>,
    /// Why it does not hold where it must, at the start or at the end; `None` if it does.
    pub problem: Option<String>,
    /// Whether it can fail.
    pub can_fail: CanFail,
}

/// Whether a condition can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanFail {
    /// The condition can fail.
    Yes {
        /// Index of the recorded layout on which it fails; `None` if it fails only with other data.
        layout: Option<usize>,
    },
    /// It cannot fail, so it proves nothing.
    No {
        /// Why it cannot fail, for people.
        reason: String,
    },
    /// The recording does not show whether it can fail.
    Unknown {
        /// Why that is unknown, for people.
        reason: String,
    },
}

/// Judges every condition of a DMF on every recorded layout.
pub(super) fn condition_truths(dmf: &Dmf, evidence: &Evidence<'_>) -> Vec<ConditionTruth> {
    let judge = Judge::new(dmf, evidence);
    let pre = (0..dmf.preconditions.len()).map(ConditionWhich::Pre);
    let post = (0..dmf.postconditions.len()).map(ConditionWhich::Post);
    pre.chain(post).filter_map(|which| judge.truth(which)).collect()
}

/// Why the condition must not be saved without confirmation, if it cannot fail.
pub fn refused(truth: &ConditionTruth) -> Option<&str> {
    match &truth.can_fail {
        CanFail::No { reason } => Some(reason),
        CanFail::Yes { .. } | CanFail::Unknown { .. } => None,
    }
}

/// Keeps these conditions. Removes the others, and the widgets that nothing refers to any more.
pub fn keep_conditions(dmf: &mut Dmf, stays: impl Fn(ConditionWhich) -> bool) {
    let names =
        |dmf: &Dmf| -> BTreeSet<String> { used_widgets(dmf).into_iter().map(str::to_owned).collect() };
    let spoken_of = names(dmf);
    let (mut pre, mut post) = ((0..).map(ConditionWhich::Pre), (0..).map(ConditionWhich::Post));
    dmf.preconditions.retain(|_| pre.next().is_some_and(&stays));
    dmf.postconditions.retain(|_| post.next().is_some_and(&stays));
    loop {
        let (still, count) = (names(dmf), dmf.widgets.len());
        dmf.widgets.retain(|it| still.contains(&it.name) || !spoken_of.contains(&it.name));
        // A removed widget may have referred to others, such as the one that it is read from, so this is repeated.
        if dmf.widgets.len() == count {
            return;
        }
    }
}

/// The key of a proposed condition of a draft.
pub(super) fn proposed_condition_key(condition: &Condition, post: bool) -> String {
    let subject = condition.widget.as_deref().or(condition.data_type.as_deref()).unwrap_or("");
    let state = condition.state.map_or(String::new(), |state| format!(" {}", state.word()));
    format!("{} {} {subject}{state}", if post { "post" } else { "pre" }, condition.relation)
}

struct Judge<'a> {
    dmf: &'a Dmf,
    compiled: CompiledDmf,
    evidence: &'a Evidence<'a>,
    app: String,
    bindings: Bindings,
    before: DataModel,
    after: DataModel,
    /// The results of the conditions on each layout.
    pre: Vec<Vec<CheckOutcome>>,
    post: Vec<Vec<CheckOutcome>>,
}

impl<'a> Judge<'a> {
    fn new(dmf: &'a Dmf, evidence: &'a Evidence<'a>) -> Self {
        let (mut before, mut bindings) = (DataModel::new(), Bindings::default());
        for object in evidence.objects {
            bindings.set_read(&object.read, object.text.clone());
            if object.known {
                before.apply(&dmf.data_type, &ImpactOp::Add, &object.text);
            }
        }
        let mut after = before.clone();
        after.apply_impacts(dmf, &bindings);
        let app = evidence.layouts.get(evidence.first).map_or("", |layout| layout.package()).to_owned();
        let mut judge = Judge {
            dmf,
            compiled: CompiledDmf::new(dmf),
            evidence,
            app,
            bindings,
            before,
            after,
            pre: Vec::new(),
            post: Vec::new(),
        };
        let scenes = || evidence.layouts.iter();
        judge.pre = scenes().map(|l| judge.compiled.check_preconditions(&judge.scene(l, false))).collect();
        judge.post = scenes().map(|l| judge.compiled.check_postconditions(&judge.scene(l, true))).collect();
        judge
    }

    fn scene<'s>(&'s self, layout: &'s Layout, post: bool) -> Scene<'s> {
        let data = if post { &self.after } else { &self.before };
        Scene { layout, data, app: &self.app, bindings: &self.bindings }
    }

    fn truth(&self, which: ConditionWhich) -> Option<ConditionTruth> {
        let (condition, outcomes, index, post) = match which {
            ConditionWhich::Pre(index) => (self.dmf.preconditions.get(index)?, &self.pre, index, false),
            ConditionWhich::Post(index) => (self.dmf.postconditions.get(index)?, &self.post, index, true),
        };
        let told: Vec<Option<&CheckOutcome>> = outcomes.iter().map(|all| all.get(index)).collect();
        let per_layout: Vec<Option<bool>> = told
            .iter()
            .map(|outcome| match outcome {
                Some(CheckOutcome::Holds) => Some(true),
                Some(CheckOutcome::Fails(_)) => Some(false),
                Some(CheckOutcome::NotJudged(_)) | None => None,
            })
            .collect();
        let must_hold = if post { self.evidence.end } else { self.evidence.first };
        let needed = told.get(must_hold).copied().flatten();
        Some(ConditionTruth {
            which,
            key: proposed_condition_key(condition, post),
            widget: condition.widget.clone(),
            sentence: condition_sentence(condition, &self.dmf.widgets),
            problem: needed.and_then(|outcome| problem(outcome, post)),
            can_fail: self.can_fail(condition, post, &per_layout, needed),
            per_layout,
        })
    }

    fn can_fail(
        &self,
        condition: &Condition,
        post: bool,
        per_layout: &[Option<bool>],
        needed: Option<&CheckOutcome>,
    ) -> CanFail {
        if let Some(CheckOutcome::NotJudged(Reason::Vacuous(why))) = needed {
            return CanFail::No { reason: why.clone() };
        }
        if let Relation::InOrder(names) = &condition.relation {
            return self.order_can_fail(names, per_layout);
        }
        let Some(name) = condition.widget.as_deref() else {
            return match post {
                false => CanFail::Yes { layout: None },
                true => no(OWN_RECORD),
            };
        };
        if let Some(reason) = self.never_in_state(condition, name) {
            return CanFail::No { reason };
        }
        match &condition.relation {
            Relation::In | Relation::SameIn if post && condition.data_type.is_none() => {
                self.in_can_fail(name, per_layout)
            }
            Relation::NotIn => self.not_in_can_fail(condition, name, post, per_layout),
            _ => match self.false_layout(per_layout, false) {
                Some(layout) => CanFail::Yes { layout: Some(layout) },
                None => unknown("it holds on every recorded screen"),
            },
        }
    }

    /// Whether `in` can fail: the widget that shows the result must not have been shown before.
    fn in_can_fail(&self, name: &str, per_layout: &[Option<bool>]) -> CanFail {
        if self.is_self_matching(name) {
            return no(TYPED_FIELD);
        }
        let Evidence { first, end, .. } = *self.evidence;
        if per_layout.get(first) == Some(&Some(false)) {
            return CanFail::Yes { layout: Some(first) };
        }
        let inside = first..=end;
        let fails = |index: &usize| per_layout.get(*index) == Some(&Some(false));
        if let Some(layout) = inside.clone().filter(fails).find(|index| self.is_like_end(*index)) {
            return CanFail::Yes { layout: Some(layout) };
        }
        if self.dmf.impacts.is_empty() {
            return match self.false_layout(per_layout, false) {
                Some(layout) => CanFail::Yes { layout: Some(layout) },
                None => unknown(
                    "every recorded screen shows it, so an app that does nothing at all passes; only one that \
                     shows something else is caught",
                ),
            };
        }
        no(
            "the first screen shows it already, so it holds even if the function does nothing; record it again \
            with a text that is not there yet, or pick another place where the result shows",
        )
    }

    /// Whether the condition is always true: the widget is the field that was typed into, which shows its text whatever the
    /// app does with it.
    fn is_self_matching(&self, name: &str) -> bool {
        let Evidence { layouts, first, end, .. } = *self.evidence;
        let Some(widget) = self.compiled.widget(name) else { return false };
        let own = layouts.get(first..=end).unwrap_or_default();
        is_only_typed(&self.compiled, widget, own.iter().map(|layout| self.scene(layout, true)))
    }

    fn not_in_can_fail(
        &self,
        condition: &Condition,
        name: &str,
        post: bool,
        per_layout: &[Option<bool>],
    ) -> CanFail {
        // Where an object is shown on another page only, nobody would notice at the end that it is still there.
        let here = post && self.dmf.widget(name).is_some_and(|named| is_by_data(&named.selector));
        let elsewhere = match self.false_layout(per_layout, here) {
            Some(layout) => return CanFail::Yes { layout: Some(layout) },
            None => self.false_layout(per_layout, false),
        };
        if self.seen_before(name, condition.state, post) {
            return CanFail::Yes { layout: None };
        }
        if let Some(layout) = elsewhere {
            if self.shows_such_at_end(name) {
                return CanFail::Yes { layout: Some(layout) };
            }
            return CanFail::No {
                reason: format!(
                    "layout {layout} shows it, but that is another page than the last one, which never does; pick a \
                     widget that shows it on the page where the function ends"
                ),
            };
        }
        if condition.data_type.is_none()
            && let Some(place) = self.shows_such(name)
        {
            let removes = matches!(self.dmf.kind, DmfKind::Delete | DmfKind::Update);
            return match post && removes {
                true => no(
                    "no recorded screen showed the object there before, so that it is not there afterwards says \
                     nothing; pick a row that showed it",
                ),
                false => CanFail::Unknown {
                    reason: format!(
                        "it held on every recorded screen; such widgets are shown {place}, so it would be \
                         noticed there"
                    ),
                },
            };
        }
        no(
            "no recorded screen shows such a widget, so this can never fail; pick the widget on a screen that \
            shows it",
        )
    }

    /// Whether a screen before the recording showed exactly this widget; one like the last, if an object must be gone there.
    fn seen_before(&self, name: &str, state: Option<WidgetState>, post: bool) -> bool {
        let Some(widget) = self.compiled.widget(name) else { return false };
        let end = self.evidence.layouts.get(self.evidence.end);
        let here = post && is_by_data(&widget.named.selector);
        let seen = self.evidence.seen.iter();
        let mut there = seen.filter(|seen| !here || end.is_some_and(|end| is_same_page(seen, end)));
        there.any(|layout| {
            let found = widget.locate(Scope::App(&self.app), &self.scene(layout, post));
            let counts = |idx: &WidgetIdx| state.is_none_or(|state| state.is_of(layout.widget(*idx)));
            found.is_ok_and(|found| found.iter().any(counts))
        })
    }

    /// Why a `not in` with the state `checked` is always true: the widget is not checkable.
    fn never_in_state(&self, condition: &Condition, name: &str) -> Option<String> {
        if (&condition.relation, condition.state) != (&Relation::NotIn, Some(WidgetState::Checked)) {
            return None;
        }
        let widget = self.compiled.widget(name)?;
        let named = self.evidence.layouts.iter().flat_map(|layout| {
            let found = widget.locate(Scope::App(&self.app), &self.scene(layout, true)).unwrap_or_default();
            found.into_iter().map(|idx| layout.widget(idx).flags)
        });
        let flags: Vec<WidgetFlags> = named.collect();
        let none = !flags.is_empty() && flags.iter().all(|flags| !flags.has(WidgetFlags::CHECKABLE));
        none.then(|| {
            "the widget is none that can be checked, so this can never fail; pick the check box or the switch \
             itself"
                .to_owned()
        })
    }

    /// The parts of a selector except its data; `None` for one without data.
    fn parts_of_such(&self, name: &str) -> Option<SpecSelector> {
        let selector = &self.dmf.widget(name)?.selector;
        let parts = || SpecSelector { text: TextPattern::Any, row: None, ..selector.clone() };
        is_by_data(selector).then(parts)
    }

    /// Whether a recorded screen of the page on which the function ends shows a widget with these parts.
    fn shows_such_at_end(&self, name: &str) -> bool {
        let Some(parts) = self.parts_of_such(name) else { return false };
        let layouts = self.evidence.layouts.iter().enumerate();
        let mut like_end = layouts.filter(|(index, _)| self.is_like_end(*index));
        like_end.any(|(_, layout)| !named_by(&parts, layout, &[]).is_empty())
    }

    /// Where widgets are shown that match all parts of the selector except its data, in words.
    fn shows_such(&self, name: &str) -> Option<String> {
        let parts = self.parts_of_such(name)?;
        let shows = |layout: &Arc<Layout>| !named_by(&parts, layout, &[]).is_empty();
        let recorded =
            self.evidence.layouts.iter().position(shows).map(|layout| format!("on layout {layout}"));
        let before = || self.evidence.seen.iter().any(shows).then(|| "before the recording".to_owned());
        recorded.or_else(before)
    }

    fn order_can_fail(&self, names: &[String], per_layout: &[Option<bool>]) -> CanFail {
        if let Some(layout) = self.false_layout(per_layout, false) {
            return CanFail::Yes { layout: Some(layout) };
        }
        if names.len() < 2 {
            return no("an order of fewer than two widgets cannot be wrong");
        }
        unknown("it held on every recorded screen; it fails where two of them stand the other way round")
    }

    /// Index of a layout on which the condition is false, preferably one of the function. With `here`, only of a layout of
    /// the page on which it ends.
    fn false_layout(&self, per_layout: &[Option<bool>], here: bool) -> Option<usize> {
        let fails = |index: &usize| {
            per_layout.get(*index) == Some(&Some(false)) && (!here || self.is_like_end(*index))
        };
        let Evidence { first, end, .. } = *self.evidence;
        (first..=end).find(fails).or_else(|| (0..per_layout.len()).find(fails))
    }

    /// Whether a layout is of the page on which the function ends.
    fn is_like_end(&self, index: usize) -> bool {
        let Evidence { layouts, end, .. } = *self.evidence;
        layouts.get(index).zip(layouts.get(end)).is_some_and(|(one, end)| is_same_page(one, end))
    }
}

fn no(reason: &str) -> CanFail {
    CanFail::No { reason: reason.to_owned() }
}

fn unknown(reason: &str) -> CanFail {
    CanFail::Unknown { reason: reason.to_owned() }
}

/// Why a condition does not hold where it must; `None` if it holds.
fn problem(outcome: &CheckOutcome, post: bool) -> Option<String> {
    let place = if post { "at the recorded end" } else { "at the recorded start" };
    match outcome {
        CheckOutcome::Holds => None,
        CheckOutcome::Fails(failed) => {
            Some(format!("fails {place}: expected {}, seen {}", failed.expected, failed.seen))
        }
        CheckOutcome::NotJudged(reason) => Some(format!("cannot be judged {place}: {}", reason_text(reason))),
    }
}

fn reason_text(reason: &Reason) -> &str {
    match reason {
        Reason::Vacuous(text)
        | Reason::NotJudged(text)
        | Reason::Covered(text)
        | Reason::OffScreen(text)
        | Reason::Drift(text) => text,
    }
}
