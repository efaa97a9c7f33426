//! Problems and doubts in a specification (`engine/pbfdroid/paper.md`, section 7), each with its code, its place and
//! what to do about it. Syntax errors are reported by the reader of the file.

mod lint_code;
mod lint_words;
mod reach;

pub use lint_code::{LintCode, LintFinding, Severity};
pub use reach::stuck_functions;

use std::collections::BTreeSet;

use super::block::unblocked_commit;
use super::{
    Action, Condition, Dmf, DmfKind, DmfStep, ImpactOp, Input, NamedSelector, Relation, Spec, SpecSelector,
    TextPattern, WidgetState, derived_blocks,
};
use lint_words::{mistaken_input, mistaken_pattern, types_of_dmf, types_of_invariant};
use reach::{filled_types, needs};
use taproof_screen::{XPath, one_line, with_article};

/// Returns all problems of a specification, in file order.
pub fn lint(spec: &Spec) -> Vec<LintFinding> {
    lint_beside(spec, &[])
}

/// Returns all problems of a specification that is used together with these functions of other files, in file order.
pub fn lint_beside(spec: &Spec, beside: &[&Dmf]) -> Vec<LintFinding> {
    let mut findings = Vec::new();
    let all: Vec<&Dmf> = spec.dmfs.iter().chain(beside.iter().copied()).collect();
    let filled = filled_types(&all);
    let known: BTreeSet<&str> = all.iter().map(|dmf| dmf.data_type.as_str()).collect();
    for (index, dmf) in spec.dmfs.iter().enumerate() {
        let path = format!("dmfs[{index}]");
        let mut look = Look { findings: &mut findings, dmf: Some(index), path, widgets: &dmf.widgets };
        look.names(spec, index, dmf);
        look.steps(dmf);
        look.all_widgets(dmf);
        look.reach(&filled, &known, dmf);
        look.conditions(dmf);
        look.impacts(dmf);
        look.commit(spec, dmf);
    }
    for (index, invariant) in spec.invariants.iter().enumerate() {
        let path = format!("taproof_invariants[{index}]");
        let mut look = Look { findings: &mut findings, dmf: None, path, widgets: &invariant.widgets };
        look.selectors();
        look.unknown_types(&known, &types_of_invariant(invariant));
        for (key, conditions) in [("when", &invariant.when), ("holds", &invariant.holds)] {
            for (index, condition) in conditions.iter().enumerate() {
                look.condition(condition, &format!("{key}[{index}]"));
            }
        }
    }
    let mut look = Look { findings: &mut findings, dmf: None, path: String::new(), widgets: &[] };
    look.data_types(spec);
    look.blocks(spec);
    findings
}

struct Look<'a> {
    findings: &'a mut Vec<LintFinding>,
    dmf: Option<usize>,
    /// Path of the DMF or invariant in the file.
    path: String,
    widgets: &'a [NamedSelector],
}

impl Look<'_> {
    fn report(&mut self, code: LintCode, at: &str, message: String) {
        let path = match (self.path.is_empty(), at.is_empty()) {
            (true, _) => at.to_owned(),
            (false, true) => self.path.clone(),
            (false, false) => format!("{}.{at}", self.path),
        };
        self.findings.push(LintFinding { code, dmf: self.dmf, path, message });
    }

    fn widget(&self, name: &str) -> Option<&NamedSelector> {
        self.widgets.iter().find(|widget| widget.name == name)
    }

    fn names(&mut self, spec: &Spec, index: usize, dmf: &Dmf) {
        let name = &dmf.name;
        if name.split(' ').filter(|word| !word.is_empty()).count() != 2 || name.matches(' ').count() != 1 {
            let message = format!(
                "the name {name:?} is not \"verb noun\"; PBFDroid takes the data type from its second word"
            );
            self.report(LintCode::NotTwoWords, "name", message);
        }
        if let Some(first) = spec.dmfs.iter().take(index).position(|other| other.name == *name) {
            self.report(
                LintCode::SameName,
                "name",
                format!("dmfs[{first}] is named {name:?} too; number the verb, as in `edit1 note`"),
            );
        }
        if dmf.weight == 0 {
            self.report(
                LintCode::SwitchedOff,
                "proportion",
                format!("{name:?} has weight 0 and is never chosen"),
            );
        }
        if let Some(why) = &dmf.not_judged {
            let message = format!("{name:?} is not judged, and not run: {why}");
            self.report(LintCode::NotJudged, "taproof_not_judged", message);
        } else {
            self.unfinished(dmf);
        }
        if let Some(refusal) = &dmf.refusal
            && self.widget(refusal).is_none()
        {
            let message = format!("no widget is named {refusal:?}");
            self.report(LintCode::UnresolvedCondition, "taproof_refusal", message);
        }
        let property = dmf.kind == DmfKind::Property;
        if property || dmf.refusal.is_some() || !dmf.lead_in.is_empty() || dmf.max_runs.is_some() {
            let message = "uses what only Taproof has (a property, a refusal, a lead-in or a number of runs): the original \
                           PBFDroid ignores it";
            self.report(LintCode::OurKey, "", message.to_owned());
        }
    }

    /// What a function lacks that is run and judged.
    fn unfinished(&mut self, dmf: &Dmf) {
        let name = &dmf.name;
        if dmf.steps.is_empty() {
            self.report(LintCode::NoSteps, "events", format!("{name:?} has no event; record its steps"));
        }
        if dmf.postconditions.is_empty() {
            let message =
                format!("{name:?} has no postcondition, so it changes the data model and proves nothing");
            self.report(LintCode::NoPostcondition, "post-conditions", message);
        }
    }

    fn steps(&mut self, dmf: &Dmf) {
        for (key, steps) in [("events", &dmf.steps), ("taproof_lead_in", &dmf.lead_in)] {
            for (index, step) in steps.iter().enumerate() {
                let at = format!("{key}[{index}]");
                self.step(step, &at);
                let target = step.widget.as_deref().and_then(|name| self.widget(name));
                let layout = target.map(|widget| widget.layout);
                if key == "events" && layout.is_some_and(|layout| layout != index) {
                    let message = format!(
                        "event {} is done to {:?}, which is numbered for layout {}; the number matters only for `_name` widgets",
                        index + 1,
                        step.widget.as_deref().unwrap_or(""),
                        layout.unwrap_or(0)
                    );
                    self.report(LintCode::OffItsLayout, &at, message);
                }
            }
        }
    }

    fn step(&mut self, step: &DmfStep, at: &str) {
        let word = step.action.word();
        match step.widget.as_deref() {
            None if step.action.needs_widget() => {
                let message = format!(
                    "{word:?} is done to a widget, but none is named; PBFDroid would take the last one"
                );
                self.report(LintCode::NoTarget, &format!("{at}.widget"), message);
            }
            Some(name) => match self.widget(name) {
                None => {
                    let message = format!("no widget is named {name:?}; add it or name another");
                    self.report(LintCode::UnresolvedTarget, &format!("{at}.widget"), message);
                }
                Some(widget) if widget.selector.is_empty() && step.action.needs_widget() => {
                    let message = format!("the widget {name:?} has no selector, so the event finds nothing");
                    self.report(LintCode::EmptySelector, at, message);
                }
                Some(_) => {}
            },
            None => {}
        }
        if step.action == Action::ImeAction {
            self.report(
                LintCode::OurAction,
                &format!("{at}.action"),
                format!("PBFDroid does not know the action {word:?}"),
            );
        }
        if let Some(message) = mistaken_input(&step.input, self.widgets) {
            self.report(LintCode::TakenLiterally, &format!("{at}.text"), message);
        }
        if let Input::Fresh(fresh) = &step.input
            && !fresh.classes.is_empty()
            && fresh.classes.iter().all(|(_, weight)| *weight == 0)
        {
            let message = "every text class has weight 0, so plain texts are drawn".to_owned();
            self.report(LintCode::BadExtension, &format!("{at}.taproof_text"), message);
        }
    }

    fn all_widgets(&mut self, dmf: &Dmf) {
        self.selectors();
        let used = used_widgets(dmf);
        for (index, widget) in dmf.widgets.iter().enumerate() {
            let at = format!("widgets[{index}]");
            let name = &widget.name;
            // What is read has to be there, even if nothing refers to its text.
            if !used.contains(name.as_str()) && !widget.is_read() {
                self.report(
                    LintCode::UnusedWidget,
                    &at,
                    format!("nothing refers to {name:?}; remove it, or use it in a condition"),
                );
            }
            if widget.layout > dmf.steps.len() {
                let message = format!("layout {} is beyond the last one, {}", widget.layout, dmf.steps.len());
                self.report(LintCode::LayoutBeyondEnd, &format!("{at}.UI_layout_num"), message);
            }
            if widget.is_read() && widget.layout == dmf.steps.len() {
                let message =
                    format!("{name:?} is read on the last layout; PBFDroid never binds such a name");
                self.report(LintCode::ReadOnLast, &at, message);
            }
        }
    }

    fn selectors(&mut self) {
        for (index, widget) in self.widgets.iter().enumerate() {
            let at = format!("widgets[{index}]");
            if self.widgets.iter().take(index).any(|other| other.name == widget.name) {
                let message = format!("another widget is named {:?}; the first one counts", widget.name);
                self.report(LintCode::SameWidgetName, &format!("{at}.name"), message);
            }
            self.selector(&widget.selector, &widget.name, &at);
        }
    }

    fn selector(&mut self, selector: &SpecSelector, name: &str, at: &str) {
        if selector.is_empty() {
            self.report(
                LintCode::EmptyPlaceholder,
                at,
                format!("{name:?} has no selector; it names nothing"),
            );
        }
        if let Some(id) = &selector.resource_id
            && (id.contains(char::is_whitespace) || !id.contains('/'))
        {
            let message =
                format!("the id {id:?} has blanks or no `package:id/`; is it a text or a description?");
            self.report(LintCode::OddId, &format!("{at}.resource-id"), message);
        }
        for (key, text) in [
            ("text", if let TextPattern::Is(text) = &selector.text { Some(text) } else { None }),
            ("content-desc", selector.content_desc.as_ref()),
        ] {
            if let Some(text) = text
                && text.contains(":id/")
            {
                let message = format!("{text:?} looks like an id; put it in `resource-id`");
                self.report(LintCode::TextLikeId, &format!("{at}.{key}"), message);
            }
        }
        if let Some(xpath) = &selector.xpath {
            if let Err(error) = XPath::parse(xpath) {
                self.report(LintCode::BrokenXpath, &format!("{at}.xpath"), error.to_string());
            }
            let only = SpecSelector { xpath: Some(xpath.clone()), ..SpecSelector::default() };
            if *selector == only {
                let message =
                    format!("{name:?} is found by XPath alone; a condition on it always holds in PBFDroid");
                self.report(LintCode::XpathOnly, at, message);
            }
        }
        let only = SpecSelector { class: selector.class.clone(), ..SpecSelector::default() };
        if selector.class.is_some() && *selector == only {
            let message = format!(
                "{name:?} is the first widget of its class; give its id or description if it has one"
            );
            self.report(LintCode::FirstOfMany, at, message);
        }
        self.reference(&selector.text, &format!("{at}.text"));
        if let Some(row) = &selector.row {
            self.row(selector, row, &format!("{at}.taproof_row"));
        }
        self.neighbour(selector, at);
        if let Some(text) = selector.translatable() {
            let message = format!(
                "{name:?} is found by {:?}, which another language of the app may change; an id stays the same",
                one_line(&text)
            );
            self.report(LintCode::Translatable, at, message);
        }
    }

    fn neighbour(&mut self, selector: &SpecSelector, at: &str) {
        if let Some(role) = selector.role {
            let message =
                format!("PBFDroid does not know roles: it takes whatever has the other parts, not a {role}");
            self.report(LintCode::OurKey, &format!("{at}.taproof_role"), message);
        }
        let Some(beside) = &selector.beside else { return };
        let at = format!("{at}.taproof_beside");
        if beside.label.is_empty() {
            let message = "the label is empty; write the text or the description that the widget is beside";
            self.report(LintCode::BadExtension, &at, message.to_owned());
        }
        if (SpecSelector { beside: None, row: None, ..selector.clone() }).is_empty() {
            let message = format!(
                "whatever is next is {beside}, even a frame around others; say what it is by `taproof_role` or `class`"
            );
            self.report(LintCode::AnyNeighbour, &at, message);
        }
        let message =
            format!("PBFDroid does not know neighbours: it takes the first such widget, not that {beside}");
        self.report(LintCode::OurKey, &at, message);
    }

    fn row(&mut self, selector: &SpecSelector, row: &str, at: &str) {
        let problem = match self.widget(row) {
            None => Some(format!("no widget is named {row:?}; name the one that tells the row")),
            Some(anchor) if anchor.selector.row.is_some() => {
                Some(format!("{row:?} is itself looked for in a row; name one that is not"))
            }
            Some(_) if (SpecSelector { row: None, ..selector.clone() }).is_empty() => {
                Some("a row alone names all that it holds; give the id of the widget in it".to_owned())
            }
            Some(_) => None,
        };
        match problem {
            Some(problem) => self.report(LintCode::UnresolvedRow, at, problem),
            None => {
                let message = format!(
                    "PBFDroid does not know rows: it takes the first such widget, not the one beside {row:?}"
                );
                self.report(LintCode::OurKey, at, message);
            }
        }
    }

    fn reference(&mut self, pattern: &TextPattern, at: &str) {
        if let Some(message) = mistaken_pattern(pattern) {
            self.report(LintCode::TakenLiterally, at, message);
        }
        let TextPattern::FromRead(name) = pattern else { return };
        match self.widget(name) {
            None => {
                let message = format!("\"{name}.text\" refers to a widget that is not there");
                self.report(LintCode::UnresolvedText, at, message);
            }
            Some(widget) if !widget.is_read() => {
                let message = format!(
                    "{name:?} is never read: only widgets with `_name` in their name are; rename it, as in \"{name}_name\""
                );
                self.report(LintCode::NeverRead, at, message);
            }
            Some(_) => {}
        }
    }

    /// Data types that the function needs and nobody adds, then other data types that nobody handles.
    fn reach(&mut self, filled: &BTreeSet<&str>, known: &BTreeSet<&str>, dmf: &Dmf) {
        let missing: Vec<(String, &str)> =
            needs(dmf).into_iter().filter(|need| !filled.contains(need.1)).collect();
        let mut others = types_of_dmf(dmf);
        others.retain(|(_, named)| missing.iter().all(|(_, needed)| needed != named));
        for (at, needed) in missing {
            let or =
                if known.contains(needed) { "" } else { ", or correct the type, which no function handles" };
            let message = format!(
                "{:?} cannot run before a function adds {}: record how one is created{or}",
                dmf.name,
                with_article(needed)
            );
            self.report(LintCode::Unreachable, &at, message);
        }
        self.unknown_types(known, &others);
    }

    fn unknown_types(&mut self, known: &BTreeSet<&str>, named: &[(String, &str)]) {
        // A file without functions belongs to others that are not here.
        let all = known.iter().copied().collect::<Vec<_>>().join(", ");
        for (at, data_type) in named.iter().filter(|(_, it)| !known.is_empty() && !known.contains(it)) {
            let message = format!(
                "no function handles the data type {data_type:?}, so there never is an object of it; known: {all}"
            );
            self.report(LintCode::UnknownType, at, message);
        }
    }

    fn conditions(&mut self, dmf: &Dmf) {
        for (index, condition) in dmf.preconditions.iter().enumerate() {
            let at = format!("preconditions[{index}]");
            self.alternatives(condition, &at, |_, _, _| {});
        }
        for (index, condition) in dmf.postconditions.iter().enumerate() {
            let at = format!("post-conditions[{index}]");
            self.alternatives(condition, &at, |look, condition, at| look.postcondition(condition, dmf, at));
        }
    }

    /// Looks at a condition and at those that may hold instead.
    fn alternatives(&mut self, condition: &Condition, at: &str, more: impl Fn(&mut Self, &Condition, &str)) {
        self.condition(condition, at);
        more(self, condition, at);
        for (index, other) in condition.or.iter().enumerate() {
            let at = format!("{at}.taproof_or[{index}]");
            self.condition(other, &at);
            more(self, other, &at);
            if !other.or.is_empty() {
                let message =
                    "conditions that may hold instead have none of their own; list them side by side";
                self.report(LintCode::BadExtension, &format!("{at}.taproof_or"), message.to_owned());
            }
        }
        if !condition.or.is_empty() {
            let message = "PBFDroid does not know alternatives: it requires the first one".to_owned();
            self.report(LintCode::OurKey, &format!("{at}.taproof_or"), message);
        }
    }

    fn condition(&mut self, condition: &Condition, at: &str) {
        let named = |names: &mut Vec<String>| {
            names.extend(condition.widget.iter().cloned());
            if let Relation::InOrder(order) = &condition.relation {
                names.extend(order.iter().cloned());
            }
        };
        let mut names = Vec::new();
        named(&mut names);
        for name in &names {
            match self.widget(name) {
                None => {
                    let message = format!("no widget is named {name:?}; add it or name another");
                    self.report(LintCode::UnresolvedCondition, &format!("{at}.widget"), message);
                }
                Some(widget) if widget.selector.is_empty() => {
                    let message = format!("{name:?} has no selector, so the condition cannot be judged");
                    self.report(LintCode::Vacuous, at, message);
                }
                Some(_) => {}
            }
        }
        let on_data = condition.data_type.is_some();
        if names.is_empty() && !on_data {
            let message =
                "the condition names neither a widget nor a data type; finish or remove it".to_owned();
            self.report(LintCode::NeitherWidgetNorData, at, message);
        }
        if let Some(state) = condition.state {
            self.state(condition, state, at);
        }
        let misfit = match &condition.relation {
            Relation::Unknown(word) => {
                self.report(
                    LintCode::UnknownRelation,
                    &format!("{at}.relation"),
                    format!("the relation {word:?} is not known; known are {}", Relation::KNOWN),
                );
                false
            }
            Relation::In | Relation::NotIn | Relation::SameIn => condition.widget.is_none() && on_data,
            Relation::IsEmpty | Relation::IsNotEmpty => !on_data && condition.widget.is_some(),
            Relation::Smaller(_) => on_data && condition.widget.is_some(),
            Relation::InOrder(order) => {
                if order.len() < 2 {
                    let message = "an order of fewer than two widgets cannot be false".to_owned();
                    self.report(LintCode::Vacuous, &format!("{at}.taproof_order"), message);
                }
                self.report(LintCode::OurKey, at, "PBFDroid does not know orders".to_owned());
                false
            }
        };
        if misfit {
            let message = format!("the relation \"{}\" does not fit what is given", condition.relation);
            self.report(LintCode::RelationMisfit, &format!("{at}.relation"), message);
        }
    }

    fn state(&mut self, condition: &Condition, state: WidgetState, at: &str) {
        let of_widgets = match condition.relation {
            Relation::In | Relation::NotIn | Relation::SameIn | Relation::Smaller(_) => true,
            Relation::IsEmpty | Relation::IsNotEmpty | Relation::InOrder(_) | Relation::Unknown(_) => false,
        };
        let at = format!("{at}.taproof_state");
        if condition.widget.is_none() || !of_widgets {
            let message = format!("\"{}\" is a state of a widget, but this speaks of none", state.word());
            return self.report(LintCode::RelationMisfit, &at, message);
        }
        let what = match condition.relation {
            Relation::In | Relation::SameIn => "it looks only whether the widget is shown",
            _ => "it takes this for a condition on all such widgets, in whatever state they are",
        };
        self.report(LintCode::OurKey, &at, format!("PBFDroid does not know states: {what}"));
    }

    fn postcondition(&mut self, condition: &Condition, dmf: &Dmf, at: &str) {
        let last = dmf.steps.len();
        if condition.layout.is_some_and(|layout| layout != last) {
            let message = format!("layout {} is not the last one, {last}", condition.layout.unwrap_or(0));
            self.report(LintCode::PostOffLastLayout, &format!("{at}.UI_layout_num"), message);
        }
        let Some(widget) = condition.widget.as_deref().and_then(|name| dmf.widget(name)) else { return };
        if condition.layout.is_some_and(|layout| layout != widget.layout) {
            let message = format!("the condition and its widget {:?} name different layouts", widget.name);
            self.report(LintCode::LayoutsDisagree, at, message);
        }
        if let TextPattern::Existing(data_type) = &widget.selector.text {
            let message = format!("PBFDroid draws another {data_type} here; read a `_name` and refer to it");
            self.report(LintCode::RedrawnText, at, message);
        }
        if matches!(condition.relation, Relation::In | Relation::SameIn) && matches_typed_field(dmf, widget) {
            let message = format!(
                "{:?} also matches the field that was typed into, so it holds whatever the app does; give the id of the row",
                widget.name
            );
            self.report(LintCode::SelfMatching, at, message);
        }
    }

    fn impacts(&mut self, dmf: &Dmf) {
        for (index, impact) in dmf.impacts.iter().enumerate() {
            let at = format!("impacts[{index}]");
            if let ImpactOp::Unknown(word) = &impact.op {
                let message = format!("the operator {word:?} is not known; known are {}", ImpactOp::KNOWN);
                self.report(LintCode::UnknownOperator, &format!("{at}.operator"), message);
            }
            self.reference(&impact.object, &format!("{at}.object"));
        }
        let adds = dmf.impacts.iter().any(|impact| impact.op.adds());
        let deletes = dmf
            .impacts
            .iter()
            .any(|impact| matches!(impact.op, ImpactOp::Delete | ImpactOp::Clear | ImpactOp::AddConflict));
        let fits = match dmf.kind {
            DmfKind::Create => adds,
            DmfKind::Update => adds && deletes,
            DmfKind::Delete => deletes,
            DmfKind::Read | DmfKind::Search | DmfKind::Property => dmf.impacts.is_empty(),
        };
        if !fits {
            let message =
                format!("the impacts of {:?} are not those of type {:?}", dmf.name, dmf.kind.word());
            self.report(LintCode::EffectDiffers, "impacts", message);
        }
    }

    fn data_types(&mut self, spec: &Spec) {
        let types: BTreeSet<&str> = spec.dmfs.iter().map(|dmf| dmf.data_type.as_str()).collect();
        if types.len() > 1 {
            let types: Vec<&str> = types.into_iter().collect();
            self.report(LintCode::SeveralNouns, "dmfs", format!("several data types: {}", types.join(", ")));
        }
    }

    fn commit(&mut self, spec: &Spec, dmf: &Dmf) {
        let Some(step) = unblocked_commit(dmf, &spec.blocks) else { return };
        let message = format!(
            "event {} commits the data of {:?}, but its widget is known by neither id, text nor description, so \
             exploring may do the same unseen; name the widget by one of them, or block it by hand",
            step + 1,
            dmf.name
        );
        self.report(LintCode::CommitUnblocked, &format!("events[{step}]"), message);
    }

    fn blocks(&mut self, spec: &Spec) {
        for (index, block) in spec.blocks.iter().enumerate() {
            let at = format!("keyviews[{index}]");
            let id = block.pattern.attributes.iter().find(|(name, _)| name == "resource-id");
            match id.map(|(_, id)| id.as_str()) {
                Some("inputbyyourself") => {
                    self.report(
                        LintCode::Template,
                        &at,
                        "a template that nobody filled in; give an attribute or remove it".to_owned(),
                    );
                }
                Some(id) if id.contains(char::is_whitespace) || !id.contains('/') => {
                    let message = format!(
                        "{id:?} stands in the place of the id, but looks like a text or a description"
                    );
                    self.report(LintCode::TextInIdSlot, &at, message);
                }
                _ => {}
            }
            if block.pattern.attributes.iter().all(|(name, _)| name == "NAF" || name == "index") {
                self.report(
                    LintCode::BlocksNothing,
                    &at,
                    "no attribute is given, so nothing is blocked".to_owned(),
                );
            }
            if let Some(first) = spec.blocks.iter().take(index).position(|other| other == block) {
                self.report(LintCode::SameBlock, &at, format!("the same as keyviews[{first}]"));
            }
        }
        for block in derived_blocks(spec) {
            let named: Vec<String> =
                block.pattern.attributes.iter().map(|(name, value)| format!("{name} {value:?}")).collect();
            let message = format!("{} {}; it is blocked while exploring", named.join(", "), block.reason);
            self.report(LintCode::CommitNotBlocked, "", message);
        }
    }
}

/// The names of all widgets that a step, a condition, an impact or another widget refers to.
pub(super) fn used_widgets(dmf: &Dmf) -> BTreeSet<&str> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let steps = dmf.steps.iter().chain(&dmf.lead_in);
    used.extend(steps.filter_map(|step| step.widget.as_deref()));
    used.extend(dmf.refusal.as_deref());
    let conditions = dmf.preconditions.iter().chain(&dmf.postconditions);
    for condition in conditions.flat_map(Condition::alternatives) {
        used.extend(condition.widget.as_deref());
        if let Relation::InOrder(names) = &condition.relation {
            used.extend(names.iter().map(String::as_str));
        }
    }
    used.extend(dmf.widgets.iter().filter_map(|widget| widget.selector.row.as_deref()));
    let texts = dmf.widgets.iter().map(|widget| &widget.selector.text);
    for text in texts.chain(dmf.impacts.iter().map(|impact| &impact.object)) {
        if let TextPattern::FromRead(name) = text {
            used.insert(name);
        }
    }
    used
}

/// Whether a postcondition's widget may be the field into which a step typed its text.
fn matches_typed_field(dmf: &Dmf, object: &NamedSelector) -> bool {
    let by_data = matches!(object.selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_));
    if !by_data || dmf.kind == DmfKind::Read {
        return false;
    }
    let parts =
        |selector: &SpecSelector| SpecSelector { text: TextPattern::Any, instance: None, ..selector.clone() };
    let wanted = parts(&object.selector);
    let typed = dmf.steps.iter().filter(|step| step.action == Action::Edit);
    typed.filter_map(|step| dmf.widget(step.widget.as_deref()?)).any(|field| {
        let field = parts(&field.selector);
        wanted == SpecSelector::default() || (wanted == field && field.resource_id.is_some())
    })
}
