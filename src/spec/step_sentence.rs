//! Steps and changes of the data of a DMF in words, for people who need not know selectors.

use super::{Action, Dmf, DmfStep, Impact, ImpactOp, Input, SpecSelector, TextPattern};
use crate::model::{Direction, one_line};

/// What a step does: `Tap the field #title`, `Enter a new text into #title`.
pub fn step_sentence(dmf: &Dmf, step: &DmfStep) -> String {
    let target = step.widget.as_deref().map_or("nothing".to_owned(), |name| widget_words(dmf, name));
    let input = input_words(&step.input);
    let done = match step.action {
        Action::Click => format!("Tap {target}"),
        Action::LongClick => format!("Press {target} long"),
        Action::Edit => format!("Enter {input} into {target}"),
        Action::Back => "Press Back".to_owned(),
        Action::Home => "Press Home".to_owned(),
        Action::ScrollTo => format!("Scroll until {input} is in sight"),
        Action::Scroll(Direction::Up) => format!("Scroll {target} down"),
        Action::Scroll(Direction::Down) => format!("Scroll {target} up"),
        Action::Scroll(Direction::Left) => format!("Swipe {target} to the left"),
        Action::Scroll(Direction::Right) => format!("Swipe {target} to the right"),
        Action::Drag => format!("Drag along {input}"),
        Action::Sleep => format!("Wait {input} seconds"),
        Action::RotateNatural => "Turn the phone upright".to_owned(),
        Action::RotateLeft => "Turn the phone on its side".to_owned(),
        Action::Start => "Restart the app".to_owned(),
        Action::Stop => "Leave the app".to_owned(),
        Action::Clear => "Clear the app\u{2019}s data".to_owned(),
        Action::ImeAction => "Press the keyboard\u{2019}s action key".to_owned(),
    };
    if step.required { done } else { format!("{done}, if it is there") }
}

/// What an impact says of the data: `The app holds the new folder from then on`.
pub fn impact_sentence(dmf: &Dmf, impact: &Impact) -> String {
    let noun = &dmf.data_type;
    let object = match &impact.object {
        TextPattern::FromRead(name) => object_words(dmf, name),
        TextPattern::Is(text) => quoted(text),
        TextPattern::Existing(data_type) => format!("a known {data_type}"),
        TextPattern::Any => format!("a {noun}"),
    };
    match &impact.op {
        ImpactOp::Add => format!("The app holds {object} from then on"),
        ImpactOp::AddNoDuplicate => format!("The app holds {object} from then on, once"),
        ImpactOp::AddConflict => format!("The app holds {object} if it did not, and does not if it did"),
        ImpactOp::Delete => format!("The app no longer holds {object}"),
        ImpactOp::Clear => format!("The app holds no {noun} any more"),
        ImpactOp::Unknown(word) => format!("{word:?} (not known) of {object}"),
    }
}

/// The widget of that name, as people would say it.
pub fn widget_words(dmf: &Dmf, name: &str) -> String {
    let Some(named) = dmf.widget(name) else { return format!("{name:?}, which is not there") };
    let SpecSelector { resource_id, class, text, content_desc, xpath, instance, row } = &named.selector;
    let short = |id: &str| id.rsplit_once(":id/").map_or(id, |(_, name)| name).to_owned();
    let id = resource_id.as_deref().map(|id| format!("#{}", short(id)));
    let class = || class.as_deref().map(|class| class.rsplit('.').next().unwrap_or(class).to_owned());
    let shown = match text {
        TextPattern::Is(text) => Some(quoted(text)),
        TextPattern::Existing(data_type) => Some(format!("a known {data_type}")),
        TextPattern::FromRead(read) => Some(object_words(dmf, read)),
        TextPattern::Any => content_desc.as_deref().map(quoted),
    };
    let mut words = shown.or(id).or_else(class).or_else(|| xpath.clone()).unwrap_or_else(|| name.to_owned());
    if let Some(instance) = instance.filter(|instance| *instance > 0) {
        words = format!("{words} (number {})", instance + 1);
    }
    match row.as_deref().filter(|row| *row != name) {
        Some(row) => format!("{words} beside {}", row_words(dmf, row)),
        None => words,
    }
}

/// The row's widget is in no row itself, or it is said by its name alone.
fn row_words(dmf: &Dmf, row: &str) -> String {
    match dmf.widget(row) {
        Some(named) if named.selector.row.is_none() => widget_words(dmf, row),
        Some(_) | None => format!("{row:?}"),
    }
}

/// The object that is read under a name.
fn object_words(dmf: &Dmf, read: &str) -> String {
    let noun = &dmf.data_type;
    match read {
        "add_name" => format!("the new {noun}"),
        "delete_name" => format!("the old {noun}"),
        _ => format!("the {noun}"),
    }
}

fn input_words(input: &Input) -> String {
    match input {
        Input::None => "nothing".to_owned(),
        Input::Literal(text) => quoted(text),
        Input::Existing(data_type) => format!("a known {data_type}"),
        Input::Fresh(fresh) if fresh.classes.is_empty() => "a new text".to_owned(),
        Input::Fresh(fresh) => {
            let classes: Vec<String> =
                fresh.classes.iter().map(|(class, _)| class.word().replace('_', " ")).collect();
            format!("a text ({})", classes.join(", "))
        }
    }
}

fn quoted(text: impl AsRef<str>) -> String {
    format!("\u{201c}{}\u{201d}", one_line(text.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Event, Gesture, Selector, WidgetIdx, layout_from};
    use crate::spec::{DmfKind, DraftRequest, RecordedStep, draft};
    use std::sync::Arc;

    #[test]
    fn a_draft_reads_like_an_order() {
        let list = "ListView\n  LinearLayout\n    TextView#row \"a\"\n    Button#more\n  LinearLayout\n    \
                    TextView#row \"b\"\n    Button#more\n";
        let list = Arc::new(layout_from(list));
        let end =
            Arc::new(layout_from("ListView\n  LinearLayout\n    TextView#row \"a\"\n    Button#more\n"));
        let mut event =
            Event::on(&list, Selector { instance: Some(6), ..Selector::default() }, Gesture::Tap).unwrap();
        if let Event::Widget { target, .. } = &mut event {
            target.selector = Selector::default();
            target.at = list.widget(WidgetIdx(6)).bounds.center();
        }
        let steps = [RecordedStep { event, before: list, after: end }];
        let request = DraftRequest {
            removed: Some("b".to_owned()).into(),
            ..DraftRequest::new(DmfKind::Delete, "note")
        };
        let dmf = draft(&steps, &request).unwrap().dmf;
        assert_eq!(step_sentence(&dmf, &dmf.steps[0]), "Tap #more beside a known note");
        assert_eq!(impact_sentence(&dmf, &dmf.impacts[0]), "The app no longer holds the old note");
        let step = DmfStep { required: false, ..dmf.steps[0].clone() };
        assert_eq!(step_sentence(&dmf, &step), "Tap #more beside a known note, if it is there");
    }
}
