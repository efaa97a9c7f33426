//! The likeliest widget of a new version in the place of one that is no longer found, or the tap by which a function
//! goes on where a screen is new.

use std::collections::BTreeSet;

use super::likeness::likeness;
use super::mend::{Mend, is_by_place, static_part, with_parts};
use super::portrait::{Portrait, Use, is_touchable};
use super::problem::{Problem, SAME_SCREEN, Spot};
use super::walk::{History, Sight, Sights, Walk, located};
use crate::compiled::compiled_selector::in_row;
use crate::{
    Action, CompiledDmf, CompiledSelector, Dmf, DmfStep, NamedSelector, Spec, SpecSelector, TextPattern,
    choose_selector,
};
use taproof_screen::similarity;
use taproof_screen::{CommonWords, meanings, names_alike};
use taproof_screen::{Layout, Widget, WidgetIdx, is_dialog};

/// One way to mend a function, with the reasons for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What would be changed.
    pub mend: Mend,
    /// The widget that it is about, on the screen of the problem; `None` if a step is left out.
    pub widget: Option<WidgetIdx>,
    /// How likely it is, from 0 to 1000.
    pub score: u32,
    /// What speaks for it, the weightiest first.
    pub reasons: Vec<String>,
}

/// Proposes how a function may be mended.
#[derive(Clone, Copy)]
pub struct Proposer<'p> {
    /// The specification.
    pub spec: &'p Spec,
    /// The function.
    pub dmf: &'p Dmf,
    /// The run that showed the problem.
    pub walk: &'p Walk,
    /// What is known of the old version.
    pub history: &'p History,
    /// The package of the app.
    pub app: &'p str,
}

/// The most that are worth being tried.
const MOST: usize = 12;

/// How likely ways are, chosen on versions of generated apps (`taproof-lab study versions`). A repair tries what has at
/// least a quarter, and a tap from a half on.
mod likely {
    /// The part that is left to a widget if another one had its name on the old screen: even if it is alike in all else, it
    /// comes after one with a new name that is alike in half.
    pub const TAKEN: f64 = 0.45;
    /// For showing the text which the function expects there: by itself not enough to be tried.
    pub const SHOWS_IT: f64 = 0.2;
    /// Any tap on a button. The screen or the button must say more for it.
    pub const TAP: f64 = 0.25;
    /// For a screen that is entirely new: a tap is tried there whatever the button says.
    pub const NEW_SCREEN: f64 = 0.45;
    /// For a button that goes on: it is tried on the old screen, too.
    pub const GOES_ON: f64 = 0.3;
    /// Less for a row of a list, which opens something more often than it goes on: on a new screen only.
    pub const ROW: f64 = 0.2;
    /// Less on a screen that the function has elsewhere, where it went astray: a tap must go on, and the screen be new here.
    pub const ASTRAY: f64 = 0.4;
    /// The most for a tap where the old screens are not known: people are told, but it is not tried.
    pub const UNKNOWN: f64 = 0.3;
    /// A menu on the old screen, of which an entry may be what is gone: tried, but after other taps.
    pub const MENU: f64 = 0.52;
    /// Leaving a step out; on a screen that is new, as much again.
    pub const LEFT_OUT: f64 = 0.3;
}

/// A screen that is as like as this to one that the function had is that one: it is far above [`SAME_SCREEN`], as many
/// screens of an app are alike.
const KNOWN_SCREEN: f64 = 0.85;
/// How unlike the old screen a screen counts as where that is not known: a dialog may well be new, a page is seldom.
const UNLIKE_DIALOG: f64 = 0.6;
const UNLIKE_PAGE: f64 = 0.2;
/// How much words say of whether a button goes on, beside the button that a dialog has for that, and that it is named like
/// what was tapped before.
const BY_WORDS: f64 = 0.6;
const BY_BUTTON: f64 = 0.4;
const BY_LIKENESS: f64 = 0.3;

impl Proposer<'_> {
    /// The ways to mend a problem, the likeliest first.
    pub fn proposals(&self, problem: &Problem) -> Vec<Proposal> {
        let named = problem.widget.as_deref().and_then(|name| self.dmf.widget(name));
        let mut all: Vec<Proposal> = named.map_or_else(Vec::new, |named| self.renamed(problem, named));
        if !problem.ambiguous && problem.spot != Spot::Before {
            all.extend(self.inserted(problem));
            all.extend(self.left_out(problem));
        }
        all.sort_by_key(|proposal| std::cmp::Reverse(proposal.score));
        all.truncate(MOST);
        all
    }

    fn sights(&self) -> Option<&Sights> {
        self.history.of(&self.dmf.name)
    }

    /// The widgets of all functions that are named by the same place as this one, and had the same label on such a
    /// screen: those of this function, where that is not known.
    fn uses(&self, named: &NamedSelector, sight: Option<&Sight>) -> Vec<(String, String)> {
        let own = static_part(&named.selector);
        let label = |sight: &Sight| Portrait::seen(&sight.layout, sight.widget, true).label;
        let is_same = |function: &str, widget: &str| match sight {
            None => function == self.dmf.name,
            Some(sight) => {
                self.history.of(function).and_then(|it| it.widgets.get(widget)).is_some_and(|other| {
                    label(other) == label(sight) && similarity(&sight.layout, &other.layout) >= SAME_SCREEN
                })
            }
        };
        let mut uses = Vec::new();
        for dmf in &self.spec.dmfs {
            let same = dmf.widgets.iter().filter(|it| static_part(&it.selector) == own);
            let same = same.filter(|it| is_same(&dmf.name, &it.name));
            uses.extend(same.map(|it| (dmf.name.clone(), it.name.clone())));
        }
        uses
    }

    fn step(&self, spot: Spot) -> Option<&DmfStep> {
        if let Spot::Step(number) = spot { self.dmf.steps.get(number) } else { None }
    }

    fn renamed(&self, problem: &Problem, named: &NamedSelector) -> Vec<Proposal> {
        let layout = &*problem.layout;
        let sight = self.sights().and_then(|sights| sights.widgets.get(&named.name));
        let own_step = self.dmf.steps.iter().find(|step| step.widget.as_deref() == Some(&named.name));
        let step = own_step
            .or_else(|| self.step(problem.spot).filter(|step| step.widget.as_deref() == Some(&named.name)));
        let data = is_data(named, step.map_or(Action::Sleep, |step| step.action));
        let old = match sight {
            Some(sight) => Portrait::seen(&sight.layout, sight.widget, data),
            None => Portrait::named(&named.selector),
        };
        let expected = self.expected(named);
        let fit = step.map_or(Use::Look, |step| Use::of(step.action));
        let known = self.known_elsewhere(named, sight, data);
        let on = sight.map_or(layout, |sight| &sight.layout);
        let commons = CommonWords::of(on.widgets().iter().filter_map(Widget::short_id));
        let own: Vec<String> = match sight {
            Some(sight) => names_of(sight.layout.widget(sight.widget), data),
            None => [&old.id, &old.says].into_iter().flatten().cloned().collect(),
        };
        let uses = if is_by_place(&named.selector) { self.uses(named, sight) } else { Vec::new() };
        let mut found = Vec::new();
        for idx in self.candidates(layout, named, fit, expected.as_deref()) {
            let widget = layout.widget(idx);
            let mut like = likeness(&old, &Portrait::seen(layout, idx, data), &commons);
            let names = names_of(widget, data);
            if names.iter().any(|name| known.contains(name) && !own.contains(name)) {
                like.score *= likely::TAKEN;
            } else if sight.is_some() && !names.is_empty() && names != own {
                like.reasons.push("nothing on the old screen was called so".to_owned());
            }
            if expected.is_some() {
                like.score = (like.score + likely::SHOWS_IT).min(1.0);
                like.reasons.insert(0, format!("it shows {:?}", &*widget.text));
            }
            let Some(new) = self.reshaped(named, layout, idx, data) else { continue };
            found.push(Proposal {
                mend: Mend::rename(&named.selector, new, uses.clone()),
                widget: Some(idx),
                score: permille(like.score),
                reasons: like.reasons,
            });
        }
        found
    }

    /// The widgets that may be meant: fit for the step, in the row that is named, and with the text that is expected.
    fn candidates(
        &self,
        layout: &Layout,
        named: &NamedSelector,
        fit: Use,
        expected: Option<&[String]>,
    ) -> Vec<WidgetIdx> {
        let fits = |idx: &WidgetIdx| fit.fits(layout, *idx);
        let mut all: Vec<WidgetIdx> = match &named.selector.row {
            None => layout.iter().map(|(idx, _)| idx).filter(fits).collect(),
            Some(row) => {
                let compiled = CompiledDmf::new(self.dmf);
                let anchor = compiled.widget(row).and_then(|row| located(row, layout, self.walk, self.app));
                let beside = |anchor: WidgetIdx| {
                    in_row(layout, anchor, |idx| {
                        fit.fits(layout, idx) && idx != anchor && !layout.holds(idx, anchor)
                    })
                };
                anchor.map_or_else(Vec::new, beside)
            }
        };
        if let Some(texts) = expected {
            let is_field = named.selector.class.as_deref().is_some_and(|class| class.ends_with("EditText"));
            all.retain(|idx| {
                let widget = layout.widget(*idx);
                texts.iter().any(|text| **text == *widget.text) && (is_field || !widget.is_text_field())
            });
        }
        all.retain(|idx| layout.widget(*idx).package.as_ref() != "com.android.systemui");
        all
    }

    /// The texts of which the widget must show one, if that depends on the run.
    fn expected(&self, named: &NamedSelector) -> Option<Vec<String>> {
        let objects = |data_type: &str| self.walk.data.objects(data_type).to_vec();
        match &named.selector.text {
            TextPattern::FromRead(name) => {
                let read = self.walk.bindings.read(name)?;
                // Much shows no text.
                Some(if read.is_empty() { Vec::new() } else { vec![read.to_owned()] })
            }
            TextPattern::Existing(data_type) => {
                let drawn = self.walk.bindings.drawn(&named.name).map(|text| vec![text.to_owned()]);
                Some(drawn.unwrap_or_else(|| objects(data_type)))
            }
            TextPattern::Is(_) => None,
            TextPattern::Any => {
                let of_data = |condition: &&crate::Condition| condition.widget.as_ref() == Some(&named.name);
                let condition = self.dmf.preconditions.iter().find(of_data)?;
                condition.data_type.as_deref().map(objects)
            }
        }
    }

    /// The names of other widgets: of those on the old screen or, where that is not known, in the specification.
    fn known_elsewhere(&self, named: &NamedSelector, sight: Option<&Sight>, data: bool) -> BTreeSet<String> {
        if let Some(sight) = sight {
            let all = sight.layout.widgets().iter();
            return all.flat_map(|widget| names_of(widget, data)).collect();
        }
        let own = static_part(&named.selector);
        let others = self.spec.dmfs.iter().flat_map(|dmf| &dmf.widgets).map(|it| static_part(&it.selector));
        let others = others.filter(|other| *other != own && !is_by_place(other));
        let text = |it: &SpecSelector| match &it.text {
            TextPattern::Is(text) => Some(text.clone()),
            _ => None,
        };
        others.flat_map(|it| [text(&it), it.resource_id, it.content_desc]).flatten().collect()
    }

    /// A selector of the same form as the old one that names the widget, or else the best one that does.
    fn reshaped(
        &self,
        named: &NamedSelector,
        layout: &Layout,
        idx: WidgetIdx,
        data: bool,
    ) -> Option<SpecSelector> {
        let (old, widget) = (&named.selector, layout.widget(idx));
        let full = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let mut new = SpecSelector {
            resource_id: old.resource_id.as_ref().and(widget.resource_id.as_deref().and_then(full)),
            content_desc: old.content_desc.as_ref().and(full(&widget.content_desc)),
            class: old.class.as_ref().and(full(&widget.class)),
            text: match (&old.text, &*widget.text) {
                (TextPattern::Is(_), text) if !text.is_empty() && !data => TextPattern::Is(text.to_owned()),
                _ => TextPattern::Any,
            },
            role: old.role.and(layout.role(idx)),
            ..SpecSelector::default()
        };
        if is_by_place(old) || old.instance.is_some() {
            let place = self.named_by(&new, layout).iter().position(|it| *it == idx);
            new.instance = place.and_then(|place| u32::try_from(place).ok());
        }
        let parts = |new: &SpecSelector| with_parts(old, new);
        let is_enough = !new.is_empty() && {
            let found = self.named_by(&parts(&new), layout);
            found.first() == Some(&idx)
        };
        if !is_enough && !data && old.row.is_none() {
            new = choose_selector(layout, idx, &[]).selector;
        }
        (!new.is_empty() && static_part(&parts(&new)) != static_part(old)).then_some(new)
    }

    fn named_by(&self, selector: &SpecSelector, layout: &Layout) -> Vec<WidgetIdx> {
        let named = NamedSelector { name: "looked_for".to_owned(), layout: 0, selector: selector.clone() };
        let ready = CompiledSelector::new(&named, &self.dmf.widgets);
        let scene =
            crate::Scene { layout, data: &self.walk.data, app: self.app, bindings: &self.walk.bindings };
        ready.locate(crate::Scope::Device, &scene).unwrap_or_default()
    }

    /// How unlike the screen is to the one of the old version, from 0 to 1.
    fn unlike(&self, problem: &Problem) -> f64 {
        let sights = self.sights();
        let old = match problem.spot {
            Spot::After => sights.and_then(|sights| sights.end.as_ref()),
            Spot::Step(_) | Spot::Before => {
                let name = self.step(problem.spot).and_then(|step| step.widget.as_ref());
                sights.zip(name).and_then(|(sights, name)| sights.screens.get(name))
            }
        };
        match old {
            Some(old) => 1.0 - similarity(old, &problem.layout),
            None if is_dialog(&problem.layout) => UNLIKE_DIALOG,
            None => UNLIKE_PAGE,
        }
    }

    /// Taps by which a screen that is new may be left.
    fn inserted(&self, problem: &Problem) -> Vec<Proposal> {
        let unlike = self.unlike(problem);
        let same = unlike < 1.0 - SAME_SCREEN && problem.widget.is_some() && self.sights().is_some();
        let layout = &*problem.layout;
        let step = match problem.spot {
            Spot::Step(step) => step,
            Spot::Before => 0,
            Spot::After => self.dmf.steps.len(),
        };
        let is_left_out = |step: &usize| {
            let may_be = self.dmf.steps.get(*step).is_some_and(|step| !step.required);
            may_be && !self.walk.steps.contains_key(step)
        };
        let step = (0..step).rev().take_while(is_left_out).last().unwrap_or(step);
        // A screen that the function had before is no new one: it went astray.
        let lost = self.sights().is_some_and(|sights| {
            // Dialogs are all alike.
            let screens = sights.screens.values().chain(&sights.end).filter(|old| !is_dialog(old));
            screens.map(|old| similarity(old, layout)).fold(0.0, f64::max) >= KNOWN_SCREEN
        });
        let before = step.checked_sub(1).and_then(|before| self.walk.steps.get(&before));
        let tapped = before.and_then(|seen| Some(Portrait::seen(&seen.layout, seen.target?, false)));
        let tapped = tapped.and_then(|portrait| portrait.says.or(portrait.id)).unwrap_or_default();
        let mut found = Vec::new();
        for (idx, widget) in
            layout.iter().filter(|(idx, it)| !it.is_text_field() && is_touchable(layout, *idx))
        {
            let says = [&*widget.text, &*widget.content_desc].into_iter().find(|words| !words.is_empty());
            let Some(says) = says else { continue };
            let opens = same && opens_menu(says);
            if same && !opens {
                continue;
            }
            let affirms =
                affirms(says, widget) + BY_LIKENESS * names_alike(&tapped, says, &CommonWords::default());
            let data = layout.list_item_around(idx).is_some();
            let chosen = choose_selector(layout, idx, &[]);
            let selector = SpecSelector { text: said(widget, &chosen.selector), ..chosen.selector };
            let score = likely::TAP - likely::ASTRAY * f64::from(lost)
                + likely::NEW_SCREEN * unlike
                + likely::GOES_ON * affirms
                - likely::ROW * f64::from(data);
            let score = match opens {
                true => likely::MENU,
                false if self.sights().is_none() && !is_dialog(layout) => score.min(likely::UNKNOWN),
                false => score,
            };
            let new = if opens { "it may be in this menu now" } else { "the screen is new here" };
            let mut reasons = vec![new.to_owned()];
            if affirms >= BY_LIKENESS && !opens {
                reasons.push(format!("{says:?} goes on"));
            }
            let function = self.dmf.name.clone();
            let mend = Mend::Insert { function, step, selector };
            found.push(Proposal { mend, widget: Some(idx), score: permille(score), reasons });
        }
        found
    }

    /// Leaving the step out, if what comes next is there already although it was not in the old version.
    fn left_out(&self, problem: &Problem) -> Option<Proposal> {
        let Spot::Step(number) = problem.spot else { return None };
        let sights = self.sights()?;
        let step = self.dmf.steps.get(number).filter(|step| step.action == Action::Click)?;
        let next = self.dmf.steps.get(number + 1)?.widget.as_deref()?;
        let compiled = CompiledDmf::new(self.dmf);
        let next = compiled.widget(next)?;
        let there = |layout| located(next, layout, self.walk, self.app).is_some();
        let old = sights.screens.get(step.widget.as_ref()?)?;
        (there(&problem.layout) && !there(old)).then(|| Proposal {
            mend: Mend::LeaveOut { function: self.dmf.name.clone(), step: number },
            widget: None,
            score: permille(likely::LEFT_OUT + likely::LEFT_OUT * self.unlike(problem)),
            reasons: vec!["what comes next is on the screen already".to_owned()],
        })
    }
}

/// What a widget is called: its id, its description, and its text where that is no data.
fn names_of(widget: &Widget, data: bool) -> Vec<String> {
    // Ids of the platform are shared by all entries and buttons.
    let id = widget.resource_id.as_deref().filter(|id| !id.starts_with("android:"));
    let text = Some(&*widget.text).filter(|_| !data && !widget.is_text_field());
    let names = [id, Some(&*widget.content_desc), text].into_iter().flatten();
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether the text of a widget is data, which says nothing about which widget it is.
pub(super) fn is_data(named: &NamedSelector, action: Action) -> bool {
    let of_run = matches!(named.selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_));
    of_run || named.is_read() || action == Action::Edit
}

/// The text of a selector for a button: its own, where the selector has only the id of the platform.
fn said(widget: &Widget, chosen: &SpecSelector) -> TextPattern {
    let of_platform = chosen.resource_id.as_deref().is_some_and(|id| id.starts_with("android:"));
    match of_platform && !widget.text.is_empty() {
        true => TextPattern::Is(widget.text.to_string()),
        false => chosen.text.clone(),
    }
}

/// Whether the words of a button say that it opens a menu.
pub(super) fn opens_menu(says: &str) -> bool {
    meanings(says).iter().any(|word| word == "menu")
}

/// How much the words of a button sound like going on, from -1 to 1.
pub(super) fn affirms(says: &str, widget: &Widget) -> f64 {
    const ON: [&str; 9] = ["play", "save", "next", "new", "delete", "yes", "allow", "accept", "agree"];
    const BACK: [&str; 10] =
        ["cancel", "undo", "up", "no", "not", "later", "never", "skip", "menu", "settings"];
    let words = meanings(says);
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let positive = widget.resource_id.as_deref() == Some("android:id/button1");
    let back = any(&BACK);
    BY_WORDS * (f64::from(any(&ON) && !back) - f64::from(back)) + BY_BUTTON * f64::from(positive)
}

fn permille(score: f64) -> u32 {
    (score.clamp(0.0, 1.0) * 1000.0).round() as u32
}
