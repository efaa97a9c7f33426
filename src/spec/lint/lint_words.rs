//! What a specification spells almost right: texts that look like a reference but are taken as they are written, and data
//! types that no function handles. Neither stops a campaign; both make it check something else than was meant.

use crate::{Condition, Dmf, DmfStep, Input, Invariant, NamedSelector, TextPattern};

/// What is wrong with a widget's text or an impact's object that is compared as it is written; `None` if nothing is.
pub(crate) fn mistaken_pattern(pattern: &TextPattern) -> Option<String> {
    let TextPattern::Is(text) = pattern else { return None };
    mistaken_draw(text).or_else(|| {
        let name = referred(text)?;
        Some(format!(
            "{text:?} is taken as it is written, as no widget is named {name:?}; if it refers to what a widget showed, \
             name that widget, with `_name` in its name (other widgets are never read)"
        ))
    })
}

/// What is wrong with a text that a step types as it is written; `None` if nothing is.
pub(crate) fn mistaken_input(input: &Input, widgets: &[NamedSelector]) -> Option<String> {
    let Input::Literal(text) = input else { return None };
    mistaken_draw(text).or_else(|| {
        let name = referred(text).filter(|name| widgets.iter().any(|widget| widget.name == *name))?;
        Some(format!(
            "the letters {text:?} are typed, not what the widget {name:?} showed; write `random` or `TYPE::random`, and \
             read the field with a `_name` widget"
        ))
    })
}

/// `thing:random` and the like, which are not `thing::random`.
fn mistaken_draw(text: &str) -> Option<String> {
    let before = text.trim_end().strip_suffix("random")?.trim_end();
    let data_type = before.strip_suffix(':')?.trim_end_matches(':').trim();
    is_word(data_type).then(|| {
        format!(
            "{text:?} is taken as it is written; for an object of the type {data_type:?}, write \"{data_type}::random\""
        )
    })
}

/// The name in `NAME.text`.
fn referred(text: &str) -> Option<&str> {
    text.strip_suffix(".text").filter(|name| is_word(name))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The data types that a function mentions, each with its place.
pub(crate) fn types_of_dmf(dmf: &Dmf) -> Vec<(String, &str)> {
    let mut types = types_of_widgets(&dmf.widgets);
    for (key, steps) in [("events", &dmf.steps), ("taproof_lead_in", &dmf.lead_in)] {
        types.extend(each(key, steps, typed_type));
    }
    types.extend(types_of_conditions("preconditions", &dmf.preconditions));
    types.extend(types_of_conditions("post-conditions", &dmf.postconditions));
    types
}

/// The data types that an invariant mentions, each with its place.
pub(crate) fn types_of_invariant(invariant: &Invariant) -> Vec<(String, &str)> {
    let mut types = types_of_widgets(&invariant.widgets);
    types.extend(types_of_conditions("when", &invariant.when));
    types.extend(types_of_conditions("holds", &invariant.holds));
    types
}

fn types_of_widgets(widgets: &[NamedSelector]) -> Vec<(String, &str)> {
    each("widgets", widgets, drawn_type).collect()
}

fn types_of_conditions<'s>(
    key: &'s str,
    conditions: &'s [Condition],
) -> impl Iterator<Item = (String, &'s str)> {
    let types = |condition: &'s Condition| condition.alternatives().filter_map(|it| it.data_type.as_deref());
    let numbered = conditions.iter().enumerate();
    numbered.flat_map(move |(index, it)| types(it).map(move |named| (format!("{key}[{index}]"), named)))
}

fn drawn_type(widget: &NamedSelector) -> Option<&str> {
    match &widget.selector.text {
        TextPattern::Existing(data_type) => Some(data_type),
        TextPattern::Any | TextPattern::Is(_) | TextPattern::FromRead(_) => None,
    }
}

fn typed_type(step: &DmfStep) -> Option<&str> {
    match &step.input {
        Input::Existing(data_type) => Some(data_type),
        Input::Fresh(fresh) => fresh.data_type.as_deref(),
        Input::None | Input::Literal(_) => None,
    }
}

/// The data type in each of these parts of a DMF, with its place.
fn each<'s, T>(
    key: &'s str,
    parts: &'s [T],
    data_type: impl Fn(&'s T) -> Option<&'s str>,
) -> impl Iterator<Item = (String, &'s str)> {
    let numbered = parts.iter().enumerate();
    numbered.filter_map(move |(index, part)| Some((format!("{key}[{index}]"), data_type(part)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, DmfKind, FreshText, Impact, ImpactOp, LintCode, Relation, Spec, SpecSelector};
    use crate::{lint, lint_beside};
    use taproof_screen::TextClass;

    fn widget(name: &str, text: TextPattern) -> NamedSelector {
        let selector = SpecSelector {
            text,
            class: Some("android.widget.TextView".to_owned()),
            ..SpecSelector::default()
        };
        NamedSelector { name: name.to_owned(), layout: 0, selector }
    }

    fn typing(input: Input) -> DmfStep {
        DmfStep { action: Action::Edit, widget: Some("field".to_owned()), input, required: false }
    }

    fn dmf(texts: &[TextPattern], inputs: &[Input]) -> Dmf {
        let mut widgets = vec![widget("field", TextPattern::Any)];
        widgets
            .extend(texts.iter().enumerate().map(|(index, text)| widget(&format!("w{index}"), text.clone())));
        let steps = inputs.iter().cloned().map(typing).collect();
        Dmf { widgets, steps, ..Dmf::empty("search thing", DmfKind::Search, "thing") }
    }

    fn found(spec: &Spec, code: LintCode) -> Vec<(String, String)> {
        let findings = lint(spec).into_iter().filter(|finding| finding.code == code);
        findings.map(|finding| (finding.path, finding.message)).collect()
    }

    fn is(text: &str) -> TextPattern {
        TextPattern::Is(text.to_owned())
    }

    #[test]
    fn a_text_that_looks_like_a_reference_is_told_of() {
        let texts = ["thing:random", "typed.text", "Random", "a file.text", "at random", "::random", "12:30"];
        let inputs =
            ["thing: random", "field.text", "readme.text"].map(|text| Input::Literal(text.to_owned()));
        let mut dmf = dmf(&texts.map(is), &inputs);
        dmf.impacts = vec![Impact { op: ImpactOp::Add, object: is("typed.text") }];
        let found = found(&Spec { dmfs: vec![dmf], ..Spec::default() }, LintCode::TakenLiterally);
        let places: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        let expected =
            ["events[0].text", "events[1].text", "widgets[1].text", "widgets[2].text", "impacts[0].object"];
        assert_eq!(places, expected.map(|at| format!("dmfs[0].{at}")));
        let said: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
        assert!(said[0].contains("write \"thing::random\"") && said[2].contains("write \"thing::random\""));
        assert!(said[1].contains("the widget \"field\"") && said[3].contains("no widget is named \"typed\""));
    }

    #[test]
    fn a_data_type_that_no_function_handles_is_told_of() {
        let existing = |data_type: &str| TextPattern::Existing(data_type.to_owned());
        let fresh = |data_type: &str| {
            let classes = vec![(TextClass::Existing, 1), (TextClass::Plain, 1)];
            Input::Fresh(FreshText { data_type: Some(data_type.to_owned()), classes })
        };
        let mut function = dmf(&[existing("thnig"), existing("thing")], &[fresh("things"), fresh("thing")]);
        let empty = |data_type: &str| Condition::on_data(data_type, Relation::IsEmpty);
        function.preconditions = vec![empty("thing"), empty("folder")];
        let spec = Spec { dmfs: vec![function], ..Spec::default() };
        let places: Vec<String> =
            found(&spec, LintCode::UnknownType).into_iter().map(|(path, _)| path).collect();
        assert_eq!(places, ["dmfs[0].widgets[1]", "dmfs[0].events[0]", "dmfs[0].preconditions[1]"]);

        let others = Dmf::empty("add folder", DmfKind::Create, "folder");
        let beside = lint_beside(&spec, &[&others]);
        let unknown = beside.iter().filter(|finding| finding.code == LintCode::UnknownType);
        assert_eq!(unknown.count(), 2, "another file handles folders");
    }

    #[test]
    fn a_file_of_invariants_alone_knows_no_data_type() {
        let invariant = Invariant {
            name: "i".to_owned(),
            widgets: vec![widget("w", TextPattern::Existing("thing".to_owned()))],
            when: Vec::new(),
            holds: Vec::new(),
        };
        let mut spec = Spec { invariants: vec![invariant], ..Spec::default() };
        assert!(found(&spec, LintCode::UnknownType).is_empty());
        spec.dmfs = vec![Dmf::empty("add folder", DmfKind::Create, "folder")];
        assert_eq!(found(&spec, LintCode::UnknownType)[0].0, "taproof_invariants[0].widgets[0]");
    }
}
