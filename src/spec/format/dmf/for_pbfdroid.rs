//! Rewrites a specification for the original PBFDroid, which ignores what it does not know. Where that would change the
//! meaning of a DMF so that it reports correct behaviour, the DMF or the condition is left out; whatever is different
//! then is reported.

use crate::{
    Action, Block, BlockedEvent, Condition, Dmf, DmfStep, FreshText, Input, NamedSelector, Relation, Spec,
    SpecSelector, TextClass, TextPattern,
};

/// The action key of Google's keyboard, which the published specifications tap as a widget.
const ACTION_KEY: &str = "com.google.android.inputmethod.latin:id/key_pos_ime_action";
/// The number of objects that `smaller` allows.
const SMALLER: usize = 5;

/// A specification that the original PBFDroid understands.
#[derive(Clone, Debug, PartialEq)]
pub struct ForPbfdroid {
    /// The specification, without any of Taproof's keys.
    pub spec: Spec,
    /// The data type of its DMFs: PBFDroid hangs as soon as it looks up a second one. `None` without DMFs.
    pub data_type: Option<String>,
    /// The other data types, which need files of their own.
    pub other_types: Vec<String>,
    /// What could not be expressed, in file order.
    pub differences: Vec<Difference>,
}

/// What the original PBFDroid does differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The DMF or block list entry that it concerns.
    pub item: String,
    /// Whether the item is missing from the result.
    pub left_out: bool,
    /// What is different, or why the item is left out.
    pub what: String,
}

/// Rewrites a specification for the original PBFDroid. Only the DMFs on one data type are written; by default the type
/// with the most of them.
pub fn for_pbfdroid(spec: &Spec, data_type: Option<&str>) -> ForPbfdroid {
    let mut types: Vec<(&str, usize)> = Vec::new();
    for dmf in &spec.dmfs {
        match types.iter_mut().find(|(known, _)| *known == dmf.data_type) {
            Some((_, count)) => *count += 1,
            None => types.push((&dmf.data_type, 1)),
        }
    }
    // The first one wins a tie.
    let usual = types.iter().rev().max_by_key(|(_, count)| *count).map(|(name, _)| *name);
    let chosen = data_type.or(usual).map(str::to_owned);
    let mut differences = Vec::new();
    let mut dmfs = Vec::new();
    for dmf in spec.dmfs.iter().filter(|dmf| Some(&dmf.data_type) == chosen.as_ref()) {
        let item = &dmf.name;
        match obstacle(dmf) {
            Some(what) => differences.push(Difference { item: item.clone(), left_out: true, what }),
            None => {
                let (dmf, notes) = Translator::translate(dmf);
                let note = |what| Difference { item: item.clone(), left_out: false, what };
                differences.extend(notes.into_iter().map(note));
                dmfs.push(dmf);
            }
        }
    }
    let blocks = spec.blocks.iter().filter_map(|block| translated_block(block, &mut differences)).collect();
    for invariant in &spec.invariants {
        let what = "there are no conditions that hold after every event".to_owned();
        differences.push(Difference { item: invariant.name.clone(), left_out: true, what });
    }
    let others =
        types.iter().map(|(name, _)| (*name).to_owned()).filter(|name| Some(name) != chosen.as_ref());
    ForPbfdroid {
        other_types: others.collect(),
        spec: Spec { dmfs, invariants: Vec::new(), blocks },
        data_type: chosen,
        differences,
    }
}

/// Why a DMF would not run as meant, so that it has to be left out.
fn obstacle(dmf: &Dmf) -> Option<String> {
    if dmf.weight == 0 {
        return Some("it is switched off, but a weight of 0 acts as 1".to_owned());
    }
    if let Some(why) = &dmf.not_judged {
        return Some(format!("it is not judged: {why}"));
    }
    let step = dmf.steps.iter().find_map(|step| step_obstacle(dmf, step));
    step.or_else(|| dmf.preconditions.iter().find_map(|condition| precondition_obstacle(dmf, condition)))
}

/// The part of a selector that PBFDroid does not know.
fn unknown_part(selector: &SpecSelector) -> Option<&'static str> {
    let parts = [
        (selector.row.is_some(), "row"),
        (selector.beside.is_some(), "neighbour"),
        (selector.role.is_some(), "role"),
    ];
    parts.into_iter().find(|(given, _)| *given).map(|(_, part)| part)
}

fn step_obstacle(dmf: &Dmf, step: &DmfStep) -> Option<String> {
    let widget = step.widget.as_deref().and_then(|name| dmf.widget(name));
    if let Some((widget, part)) = widget.and_then(|widget| Some((widget, unknown_part(&widget.selector)?))) {
        return Some(match part {
            "row" => format!("{} would be looked for outside its row as well", widget.name),
            _ => format!("{} would be looked for without regard to its {part}", widget.name),
        });
    }
    let text = widget.map(|widget| &widget.selector.text);
    if text.is_some_and(|text| matches!(text, TextPattern::Existing(other) if *other != dmf.data_type)) {
        return Some(
            "a step needs an object of another data type, and a second type makes it hang".to_owned(),
        );
    }
    match &step.input {
        Input::Existing(other) if *other != dmf.data_type => {
            Some(format!("a step types an object of type {other}, and a second type makes it hang"))
        }
        Input::Fresh(fresh) if !includes_new_texts(fresh) => {
            Some("a step types texts that resemble existing objects; only new ones can be drawn".to_owned())
        }
        Input::None | Input::Literal(_) | Input::Fresh(_) | Input::Existing(_) => None,
    }
}

/// Whether some class of the texts does not refer to objects.
fn includes_new_texts(fresh: &FreshText) -> bool {
    let refers = |class: &TextClass| {
        use TextClass::{Existing, Extending, OtherCase, Removed};
        matches!(class, Existing | OtherCase | Extending | Removed)
    };
    fresh.classes.is_empty() || fresh.classes.iter().any(|(class, weight)| *weight > 0 && !refers(class))
}

fn precondition_obstacle(dmf: &Dmf, condition: &Condition) -> Option<String> {
    let widget = condition.widget.as_deref().and_then(|name| dmf.widget(name));
    let because = |why: &str| {
        let subject = condition.widget.as_deref().or(condition.data_type.as_deref()).unwrap_or_default();
        Some(format!("its precondition on {subject} {why}, so it would start on other screens"))
    };
    if !condition.or.is_empty() {
        return because("also holds if another one does");
    }
    if condition.data_type.as_ref().is_some_and(|other| *other != dmf.data_type) {
        return because("is about another data type");
    }
    if condition.state.is_some() {
        return because("requires a state");
    }
    match condition.relation {
        Relation::In | Relation::NotIn => {}
        Relation::IsEmpty | Relation::IsNotEmpty | Relation::Smaller(SMALLER) if widget.is_none() => {
            return None;
        }
        _ => return because(&format!("has the relation {:?}", condition.relation.to_string())),
    }
    match widget {
        Some(widget) if unknown_part(&widget.selector).is_some() => {
            because(&format!("refers to a {}", unknown_part(&widget.selector).unwrap_or_default()))
        }
        Some(widget) if has_only_xpath(&widget.selector) => {
            because("has only an XPath, which is not evaluated")
        }
        Some(_) | None => None,
    }
}

fn has_only_xpath(selector: &SpecSelector) -> bool {
    let others = [&selector.resource_id, &selector.class, &selector.content_desc];
    selector.xpath.is_some()
        && selector.text == TextPattern::Any
        && others.iter().all(|part| part.as_deref().unwrap_or_default().is_empty())
}

/// The selector without the parts that PBFDroid does not know.
fn without_unknown(selector: &SpecSelector) -> SpecSelector {
    SpecSelector { row: None, beside: None, role: None, ..selector.clone() }
}

/// Rewrites one DMF and collects what is different then.
struct Translator {
    dmf: Dmf,
    notes: Vec<String>,
}

impl Translator {
    fn translate(dmf: &Dmf) -> (Dmf, Vec<String>) {
        let mut translator = Translator { dmf: dmf.clone(), notes: Vec::new() };
        translator.name();
        translator.steps();
        translator.read_names();
        translator.objects();
        translator.postconditions();
        translator.forget_extensions();
        (translator.dmf, translator.notes)
    }

    /// The second of two words is the data type that counts when PBFDroid runs.
    fn name(&mut self) {
        let dmf = &mut self.dmf;
        let long = dmf.data_type.clone();
        let short = long.split_whitespace().collect::<Vec<_>>().join("_");
        let verb = dmf.name.split_whitespace().next().unwrap_or(dmf.kind.word());
        let name = format!("{verb} {short}");
        if name == dmf.name {
            return;
        }
        self.notes.push(format!("is called {name:?}: the second of two words is the data type"));
        dmf.name = name;
        dmf.change_conditions(|condition| {
            if condition.data_type.as_ref() == Some(&long) {
                condition.data_type = Some(short.clone());
            }
        });
        let of_steps = dmf.steps.iter_mut().filter_map(|step| match &mut step.input {
            Input::Existing(data_type) => Some(data_type),
            Input::None | Input::Literal(_) | Input::Fresh(_) => None,
        });
        let of_widgets = dmf.widgets.iter_mut().filter_map(|widget| match &mut widget.selector.text {
            TextPattern::Existing(data_type) => Some(data_type),
            TextPattern::Any | TextPattern::Is(_) | TextPattern::FromRead(_) => None,
        });
        for data_type in of_steps.chain(of_widgets).chain([&mut dmf.data_type]) {
            if *data_type == long {
                data_type.clone_from(&short);
            }
        }
    }

    fn steps(&mut self) {
        for index in 0..self.dmf.steps.len() {
            let step = &self.dmf.steps[index];
            if step.action == Action::ImeAction {
                let selector =
                    SpecSelector { resource_id: Some(ACTION_KEY.to_owned()), ..SpecSelector::default() };
                let widget = self.add_widget(index, selector);
                let step = &mut self.dmf.steps[index];
                (step.action, step.widget) = (Action::Click, Some(widget));
                self.notes.push(format!(
                    "step {} taps the action key of Google's keyboard, which has to be the device's keyboard",
                    index + 1
                ));
            } else if let Some(name) = step.widget.clone().filter(|name| name.contains("_name")) {
                // A widget that is read is not read before the step whose target it is.
                let selector = self.dmf.widget(&name).map(|widget| widget.selector.clone());
                let copy = self.add_widget(index, selector.unwrap_or_default());
                self.dmf.steps[index].widget = Some(copy);
            }
        }
    }

    /// Adds a widget for a step under a name that is free.
    fn add_widget(&mut self, step: usize, selector: SpecSelector) -> String {
        let first = format!("e{}_widget", step + 1);
        let names = std::iter::once(first).chain((2..).map(|number| format!("e{}_widget{number}", step + 1)));
        let name = names.into_iter().find(|name| self.dmf.widget(name).is_none()).unwrap_or_default();
        self.dmf.widgets.push(NamedSelector { name: name.clone(), layout: step, selector });
        name
    }

    /// Texts on the last screen are never read.
    fn read_names(&mut self) {
        let end = self.dmf.steps.len();
        for widget in &self.dmf.widgets {
            if widget.name.contains("_name") && widget.layout >= end {
                let text = format!(
                    "{} is not read, as it is on the last screen; conditions on its text accept any text",
                    widget.name
                );
                self.notes.push(text);
            }
        }
    }

    /// A step that needs an object ends the program if there is none.
    fn objects(&mut self) {
        let dmf = &mut self.dmf;
        let needs = dmf.steps.iter().any(|step| matches!(step.input, Input::Existing(_)))
            || dmf.widgets.iter().any(|widget| matches!(widget.selector.text, TextPattern::Existing(_)));
        let asked = dmf.preconditions.iter().any(|condition| condition.relation == Relation::IsNotEmpty);
        if needs && !asked {
            dmf.preconditions.push(Condition::on_data(dmf.data_type.clone(), Relation::IsNotEmpty).at(0));
        }
    }

    fn postconditions(&mut self) {
        let all = std::mem::take(&mut self.dmf.postconditions);
        for condition in all {
            if let Some(condition) = self.postcondition(condition) {
                self.dmf.postconditions.push(condition);
            }
        }
    }

    /// A postcondition as far as it can be expressed without reporting correct behaviour.
    fn postcondition(&mut self, condition: Condition) -> Option<Condition> {
        let order = match &condition.relation {
            Relation::InOrder(names) => names.first().cloned(),
            _ => None,
        };
        let named = condition.widget.clone().or(order);
        let subject = named.clone().or_else(|| condition.data_type.clone()).unwrap_or_default();
        let selector =
            named.as_deref().and_then(|name| self.dmf.widget(name)).map(|widget| widget.selector.clone());
        let selector = selector.unwrap_or_default();
        let unknown = unknown_part(&selector);
        let unsaid = match &condition.relation {
            _ if !condition.or.is_empty() => {
                Some("another condition is enough instead, and there is no `or`")
            }
            _ if condition.data_type.is_some() => Some("a condition on the data ends the program"),
            Relation::In | Relation::NotIn if has_only_xpath(&selector) => Some("an XPath is not evaluated"),
            Relation::In | Relation::NotIn if unknown.is_some() && without_unknown(&selector).is_empty() => {
                Some("it has no name but its role and neighbour, which are not looked at")
            }
            Relation::In | Relation::NotIn if matches!(selector.text, TextPattern::Existing(_)) => {
                Some("the object would be drawn anew")
            }
            Relation::NotIn if condition.state.is_some() => Some("a state is not looked at"),
            Relation::NotIn if unknown == Some("row") => Some("a row is not looked at"),
            Relation::NotIn if unknown == Some("neighbour") => Some("a neighbour is not looked at"),
            Relation::NotIn if unknown == Some("role") => Some("a role is not looked at"),
            Relation::In | Relation::NotIn | Relation::InOrder(_) => None,
            Relation::IsEmpty
            | Relation::IsNotEmpty
            | Relation::Smaller(_)
            | Relation::SameIn
            | Relation::Unknown(_) => Some("there is no such relation"),
        };
        if let Some(why) = unsaid {
            self.notes.push(format!("the post-condition on {subject} is left out: {why}"));
            return None;
        }
        let is_order = matches!(condition.relation, Relation::InOrder(_));
        for (weaker, what) in [
            (is_order, "its order"),
            (condition.state.is_some(), "its state"),
            (selector.row.is_some(), "its row"),
            (selector.beside.is_some(), "its neighbour"),
            (selector.role.is_some(), "its role"),
        ] {
            if weaker {
                self.notes.push(format!("{subject} only has to be shown: {what} is not looked at"));
            }
        }
        let relation = if is_order { Relation::In } else { condition.relation.clone() };
        Some(Condition { widget: named, relation, state: None, ..condition })
    }

    /// Removes what is written under Taproof's keys.
    fn forget_extensions(&mut self) {
        let dmf = &mut self.dmf;
        if dmf.refusal.take().is_some() {
            self.notes.push("reports a text that the app visibly refuses".to_owned());
        }
        if let Some(most) = dmf.max_runs.take() {
            self.notes.push(format!("runs any number of times in a test, and not only {most}"));
        }
        dmf.lead_in.clear();
        for step in &mut dmf.steps {
            if let Input::Fresh(fresh) = &mut step.input {
                *fresh = FreshText::default();
            }
        }
        for widget in &mut dmf.widgets {
            widget.selector = without_unknown(&widget.selector);
        }
        for condition in dmf.preconditions.iter_mut().chain(&mut dmf.postconditions) {
            condition.scroll = true;
        }
    }
}

/// An entry of the block list as far as it can be expressed.
fn translated_block(block: &Block, differences: &mut Vec<Difference>) -> Option<Block> {
    let attributes = block.pattern.attributes.iter().map(|(name, value)| format!("{name}={value:?}"));
    let item = attributes.collect::<Vec<_>>().join(" ");
    let mut differs = |left_out, what: &str| {
        differences.push(Difference { item: item.clone(), left_out, what: what.to_owned() });
    };
    match block.event {
        BlockedEvent::Widget => {}
        BlockedEvent::Subtree => differs(false, "blocks the widget itself, but not those inside it"),
        BlockedEvent::Back | BlockedEvent::ImeAction => {
            differs(true, "keys cannot be blocked, and taps on the widget are not meant");
            return None;
        }
    }
    if let Some(activity) = &block.activity {
        differs(false, &format!("is blocked on all activities, not only on {activity}"));
    }
    let (event, reason) = (BlockedEvent::Widget, String::new());
    Some(Block { event, reason, every_engine: false, activity: None, ..block.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::DmfFile;
    use super::*;

    fn rewritten(dmf: &str) -> (String, Vec<String>) {
        let file = DmfFile::parse(&format!("{{\"dmfs\": [{dmf}]}}")).unwrap();
        let result = for_pbfdroid(&file.spec, None);
        let lines = result.differences.iter().map(|difference| {
            let left_out = if difference.left_out { "left out: " } else { "" };
            format!("{}: {left_out}{}", difference.item, difference.what)
        });
        (DmfFile::new(&result.spec).source().to_owned(), lines.collect())
    }

    fn dmf(name: &str, events: &str, widgets: &str, pre: &str, post: &str) -> String {
        format!(
            r#"{{"name": "{name}", "type": "search", "datatype": "note", "proportion": "10", "events": [{events}],
            "widgets": [{widgets}], "impacts": [], "preconditions": [{pre}], "post-conditions": [{post}]}}"#
        )
    }

    fn widget(name: &str, layout: usize, more: &str) -> String {
        format!(
            r#"{{"name": "{name}", "UI_layout_num": "{layout}", "resource-id": "org.ex:id/x", "text": "", "class": "",
            "content-desc": "", "xpath": "", "instance": "" {more}}}"#
        )
    }

    const IN: &str = r#"{"relation": "in", "widget": "e1_widget", "datatype": "", "UI_layout_num": "0"}"#;

    #[test]
    fn the_action_key_becomes_a_tap_on_the_keyboard() {
        let events = r#"{"action": "action_key", "widget": "", "text": "", "force": true}"#;
        let (text, lines) = rewritten(&dmf("search note", events, &widget("e1_widget", 0, ""), IN, ""));
        let file = DmfFile::parse(&text).unwrap();
        let step = &file.spec.dmfs[0].steps[0];
        assert_eq!((step.action, step.widget.as_deref()), (Action::Click, Some("e1_widget2")), "{text}");
        let key = file.spec.dmfs[0].widget("e1_widget2").unwrap();
        assert_eq!(key.selector.resource_id.as_deref(), Some(ACTION_KEY));
        assert!(lines[0].contains("step 1 taps the action key of Google's keyboard"), "{lines:?}");
    }

    #[test]
    fn a_dmf_that_would_mean_something_else_is_left_out() {
        let click = r#"{"action": "click", "widget": "e1_widget", "text": "", "force": true}"#;
        let plain = widget("e1_widget", 0, "");
        let checked = IN.replace("\"relation\"", "\"taproof_state\": \"checked\", \"relation\"");
        let row = widget("e1_widget", 0, ", \"taproof_row\": \"x_name\"");
        let repeats = r#"{"action": "edit", "widget": "e1_widget", "text": "random", "force": true,
            "taproof_text": "existing:1"}"#;
        let many =
            r#"{"relation": "smaller::3", "widget": "e1_widget", "datatype": "", "UI_layout_num": "0"}"#;
        let neighbour = widget("e1_widget", 0, ", \"taproof_beside\": {\"below\": \"Title\"}");
        let field = widget("e1_widget", 0, ", \"taproof_role\": \"field\"");
        for (dmf, why) in [
            (dmf("search note", click, &row, "", ""), "outside its row"),
            (dmf("search note", click, &neighbour, "", ""), "without regard to its neighbour"),
            (dmf("search note", "", &field, IN, ""), "refers to a role"),
            (dmf("search note", repeats, &plain, "", ""), "resemble existing objects"),
            (dmf("search note", click, &plain, &checked, ""), "requires a state"),
            (dmf("search note", click, &plain, many, ""), "has the relation \"smaller::3\""),
            (dmf("search note", click, &plain, "", "").replace("\"10\"", "\"0\""), "a weight of 0 acts as 1"),
        ] {
            let (text, lines) = rewritten(&dmf);
            assert!(lines[0].starts_with("search note: left out: ") && lines[0].contains(why), "{lines:?}");
            assert!(DmfFile::parse(&text).unwrap().spec.dmfs.is_empty());
        }
    }

    #[test]
    fn conditions_that_would_be_false_are_left_out_and_weaker_ones_stay() {
        let click = r#"{"action": "click", "widget": "x_name", "text": "", "force": true}"#;
        let widgets =
            [widget("x_name", 0, ""), widget("e1_widget", 1, ""), widget("y_name", 1, "")].join(", ");
        let data = r#"{"relation": "is empty", "widget": "", "datatype": "note soon", "UI_layout_num": "1"}"#;
        let checked = IN.replace("\"relation\"", "\"taproof_state\": \"checked\", \"relation\"");
        let unchecked = checked.replace("\"in\"", "\"not in\"");
        let order =
            IN.replace("\"relation\"", "\"taproof_order\": [\"e1_widget\", \"x_name\"], \"relation\"");
        let post = [data, &checked, &unchecked, &order].join(", ");
        let (text, lines) = rewritten(&dmf("look note soon", click, &widgets, "", &post));
        let expected = [
            "look note soon: is called \"look note_soon\": the second of two words is the data type",
            "look note soon: y_name is not read, as it is on the last screen; conditions on its text accept any text",
            "look note soon: the post-condition on note_soon is left out: a condition on the data ends the program",
            "look note soon: e1_widget only has to be shown: its state is not looked at",
            "look note soon: the post-condition on e1_widget is left out: a state is not looked at",
            "look note soon: e1_widget only has to be shown: its order is not looked at",
        ];
        assert_eq!(lines, expected);
        let dmf = &DmfFile::parse(&text).unwrap().spec.dmfs[0];
        assert_eq!((dmf.name.as_str(), dmf.data_type.as_str()), ("look note_soon", "note_soon"));
        assert_eq!(dmf.postconditions.len(), 2);
        assert_eq!(dmf.steps[0].widget.as_deref(), Some("e1_widget2"), "x_name is read, as it is no target");
        assert!(!text.contains("taproof_"), "{text}");
    }

    #[test]
    fn an_object_is_typed_only_if_there_is_one() {
        let typed = r#"{"action": "edit", "widget": "e1_widget", "text": "note::random", "force": true}"#;
        let (text, lines) = rewritten(&dmf("search note", typed, &widget("e1_widget", 0, ""), IN, ""));
        assert_eq!(lines, Vec::<String>::new());
        let dmf = &DmfFile::parse(&text).unwrap().spec.dmfs[0];
        assert_eq!(dmf.preconditions.last().unwrap().relation, Relation::IsNotEmpty);
    }

    #[test]
    fn one_file_has_one_data_type() {
        let note = dmf("view note", "", "", "", "");
        let folder = dmf("view folder", "", "", "", "").replace("\"note\"", "\"folder\"");
        let file = DmfFile::parse(&format!("{{\"dmfs\": [{folder}, {note}, {note}]}}")).unwrap();
        let usual = for_pbfdroid(&file.spec, None);
        assert_eq!((usual.data_type.as_deref(), usual.spec.dmfs.len()), (Some("note"), 2));
        assert_eq!(usual.other_types, ["folder"]);
        let asked = for_pbfdroid(&file.spec, Some("folder"));
        assert_eq!((asked.spec.dmfs.len(), asked.other_types), (1, vec!["note".to_owned()]));
    }

    #[test]
    fn blocks_of_keys_are_left_out() {
        let block = |event: &str| {
            format!(
                r#"{{"view": "<node resource-id=\"org.ex:id/save\" />", "taproof_event": "{event}",
                "taproof_reason": "saves"}}"#
            )
        };
        let all = ["widget", "subtree", "back", "action_key"].map(block).join(", ");
        let file = DmfFile::parse(&format!("{{\"keyviews\": [{all}]}}")).unwrap();
        let result = for_pbfdroid(&file.spec, None);
        let text = DmfFile::new(&result.spec).source().to_owned();
        assert_eq!((result.spec.blocks.len(), text.contains("taproof_")), (2, false), "{text}");
        assert_eq!(result.differences.iter().filter(|difference| difference.left_out).count(), 2);
    }
}
