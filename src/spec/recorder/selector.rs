//! Selectors for a recorded widget (`engine/pbfdroid/paper.md`, section 6.1): attributes that are meant to be unique
//! (id, description) are preferred to those that only happen to be (text). The text of an object is never used, since
//! it is data. What is next to an object in a list is located in the object's row, wherever that is.

use std::sync::Arc;

use super::preference::SelectorPreference;
use crate::changing_text::changing;
use crate::compiled::compiled_selector::in_row;
use crate::recorded_widgets::shown_on;
use crate::{SpecSelector, TextPattern};
use taproof_screen::{Layout, Role, Selector, Side, Widget, WidgetIdx, XPath, one_line};

/// An object of a recording, and the name of the widget that it is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectText {
    /// The text of the object in the recording.
    pub text: String,
    /// Name of the widget that the object is read from, such as `delete_name`.
    pub name: String,
}

/// How likely a selector will continue to match the same widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// It uses an attribute that is meant to be unique.
    Strong,
    /// It is unique here, and will likely remain so.
    Fair,
    /// It depends on coincidence or position.
    Weak,
    /// It must not be used.
    Refused,
}

/// One possible selector for a widget.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The selector to choose from.
    pub selector: SpecSelector,
    /// How reliable it is.
    pub strength: Strength,
    /// Why it has this strength, for people.
    pub why: String,
    /// Number of widgets that it matches on each layout.
    pub counts: Vec<usize>,
}

/// The selector that the recorder chooses, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenSelector {
    /// The selector that was chosen.
    pub selector: SpecSelector,
    /// Why it has these parts, for people.
    pub why: String,
    /// Whether it identifies the widget by its index among equal ones, rather than by its attributes.
    pub by_position: bool,
}

/// The attributes that a selector may use.
#[derive(Clone, Copy)]
struct Parts {
    id: bool,
    desc: bool,
    text: bool,
    class: bool,
}

/// The combinations that are tried, best first.
const LADDER: [(Parts, Strength); 8] = [
    (Parts { id: true, desc: false, text: false, class: false }, Strength::Strong),
    (Parts { id: false, desc: true, text: false, class: false }, Strength::Strong),
    (Parts { id: true, desc: true, text: false, class: false }, Strength::Strong),
    (Parts { id: true, desc: false, text: true, class: false }, Strength::Fair),
    (Parts { id: false, desc: false, text: true, class: false }, Strength::Fair),
    (Parts { id: false, desc: false, text: true, class: true }, Strength::Fair),
    (Parts { id: true, desc: false, text: false, class: true }, Strength::Weak),
    (Parts { id: false, desc: false, text: false, class: true }, Strength::Weak),
];

/// The possible selectors for a widget of layout `on`, best first, with the number of widgets that each matches on all
/// layouts. Texts of `objects` are data: a selector with such a text is listed as refused.
pub fn selector_candidates(
    layouts: &[Arc<Layout>],
    on: usize,
    idx: WidgetIdx,
    objects: &[ObjectText],
) -> Vec<Candidate> {
    let Some(layout) = layouts.get(on).filter(|layout| layout.get(idx).is_some()) else { return Vec::new() };
    let mut candidates = candidates_on(layout, idx, objects);
    for candidate in &mut candidates {
        let ready = Ready::new(&candidate.selector);
        let count = |layout: &Arc<Layout>| ready.named(layout, objects).len();
        candidate.counts = layouts.iter().map(count).collect();
    }
    candidates
}

/// The best selector that matches this widget and no other on the layout.
pub fn choose_selector(layout: &Layout, idx: WidgetIdx, objects: &[ObjectText]) -> ChosenSelector {
    choose_preferred_selector(layout, idx, objects, SelectorPreference::default())
}

/// The best selector of the preferred kind that matches this widget and no other on the layout, or else the best one of
/// another kind.
pub fn choose_preferred_selector(
    layout: &Layout,
    idx: WidgetIdx,
    objects: &[ObjectText],
    prefer: SelectorPreference,
) -> ChosenSelector {
    let best = candidates_by(prefer, layout, idx, objects).into_iter().next();
    let best = best.filter(|best| best.strength != Strength::Refused);
    let best = best.unwrap_or_else(|| by_instance(layout, idx));
    let by_position = best.selector.instance.is_some() || best.selector.xpath.is_some();
    ChosenSelector { selector: best.selector, why: best.why, by_position }
}

/// The widgets that a selector matches while the objects have their texts of the recording.
pub fn named_by(selector: &SpecSelector, layout: &Layout, objects: &[ObjectText]) -> Vec<WidgetIdx> {
    Ready::new(selector).named(layout, objects)
}

/// A selector prepared for evaluation on many layouts.
pub(super) struct Ready<'s> {
    row: Option<&'s str>,
    /// All parts except the row. Within a row, the instance is counted there.
    plain: Selector,
    in_row: Option<u32>,
}

impl<'s> Ready<'s> {
    pub(super) fn new(selector: &'s SpecSelector) -> Self {
        let (row, mut plain) = (selector.row.as_deref(), plain(selector));
        let in_row = if row.is_some() { plain.instance.take() } else { None };
        Ready { row, plain, in_row }
    }

    pub(super) fn named(&self, layout: &Layout, objects: &[ObjectText]) -> Vec<WidgetIdx> {
        let all = self.plain.matches(layout);
        let Some(row) = self.row else { return all };
        let texts = objects.iter().filter(|object| object.name == row);
        let anchors = texts.flat_map(|object| shown_on(layout, &object.text));
        let mut named: Vec<WidgetIdx> =
            anchors.flat_map(|anchor| in_row(layout, anchor, |idx| all.contains(&idx))).collect();
        named.sort_unstable();
        named.dedup();
        match self.in_row {
            Some(instance) => named.get(instance as usize).copied().into_iter().collect(),
            None => named,
        }
    }
}

/// The possible selectors for a widget on its own layout, best first, without counts.
pub(super) fn candidates_on(layout: &Layout, idx: WidgetIdx, objects: &[ObjectText]) -> Vec<Candidate> {
    candidates_by(SelectorPreference::default(), layout, idx, objects)
}

/// The same with those of a kind first. What must be looked for in an object's row stays so.
fn candidates_by(
    prefer: SelectorPreference,
    layout: &Layout,
    idx: WidgetIdx,
    objects: &[ObjectText],
) -> Vec<Candidate> {
    let widget = layout.widget(idx);
    let mut candidates: Vec<Candidate> = Vec::new();
    for (parts, strength) in LADDER {
        let Some(selector) = with_parts(widget, parts, objects) else { continue };
        // Adding a class is redundant if the rest is enough.
        let enough = |known: &Candidate| SpecSelector { class: None, ..selector.clone() } == known.selector;
        if matches(&selector, layout) == [idx] && !candidates.iter().any(enough) {
            let mut why = format!("{} names it alone", names(parts));
            let shared = parts.id && !parts.desc && !parts.text && of_the_platform(widget);
            if shared {
                why += " here, but every dialog has it";
            }
            let strength = if shared { Strength::Weak } else { strength };
            candidates.push(Candidate { selector, strength, why, counts: Vec::new() });
        }
    }
    if !candidates.iter().any(|candidate| candidate.strength == Strength::Strong) {
        candidates.extend(by_role(layout, idx, objects));
    }
    candidates.sort_by_key(|candidate| candidate.strength);
    if let Some(in_row) = beside_object(prefer, layout, idx, objects) {
        let weaker = |known: &Candidate| known.strength > in_row.strength;
        let place = match in_row.strength {
            Strength::Strong => 0,
            Strength::Fair | Strength::Weak | Strength::Refused => {
                candidates.iter().position(weaker).unwrap_or(candidates.len())
            }
        };
        candidates.insert(place, in_row);
    }
    let counted = by_instance(layout, idx);
    if counted.selector.instance != Some(0) || matches(&row_parts(widget), layout).len() > 1 {
        candidates.push(counted);
    }
    candidates.extend(by_xpath(layout, idx));
    candidates.sort_by_key(|candidate| {
        let in_list = candidate.selector.row.is_some() && candidate.strength == Strength::Strong;
        (!in_list, prefer.distance(&candidate.selector))
    });
    candidates.extend(refused(widget, objects));
    candidates
}

/// Whether the id is one that the platform gives to parts of dialogs in all apps.
fn of_the_platform(widget: &Widget) -> bool {
    widget.resource_id.as_deref().is_some_and(|id| id.starts_with("android:id/"))
}

/// A selector for a widget in the row of an object. In a list this is what is meant, even while it has only one row.
fn beside_object(
    prefer: SelectorPreference,
    layout: &Layout,
    idx: WidgetIdx,
    objects: &[ObjectText],
) -> Option<Candidate> {
    let widget = layout.widget(idx);
    let item = layout.list_item_around(idx);
    let tries = LADDER.iter().map(|(parts, _)| *parts);
    let mut tries: Vec<Parts> = tries.filter(|parts| !(parts.text && widget.text.is_empty())).collect();
    let selector_of = |parts: Parts| with_parts(widget, parts, objects).unwrap_or_default();
    tries.sort_by_key(|parts| prefer.distance(&selector_of(*parts)));
    objects.iter().find_map(|object| {
        let anchors = shown_on(layout, &object.text);
        let (true, false) = (!anchors.is_empty(), anchors.contains(&idx)) else { return None };
        tries.iter().find_map(|parts| {
            let selector = with_parts(widget, *parts, objects)?;
            let selector = SpecSelector { row: Some(object.name.clone()), ..selector };
            if named_by(&selector, layout, objects) != [idx] {
                return None;
            }
            let of_list = item.is_some_and(|item| {
                anchors.iter().any(|anchor| layout.list_item_around(*anchor) == Some(item))
            });
            let strength = if of_list { Strength::Strong } else { Strength::Fair };
            let why = format!(
                "{} in the row that shows \u{201c}{}\u{201d}, wherever the row stands",
                names(*parts),
                object.text
            );
            Some(Candidate { selector, strength, why, counts: Vec::new() })
        })
    })
}

/// What names a widget without an id: what it is for, with its own text or with a label in it or beside it. What rows show
/// is data, and what changes by itself is no label. Texts below each other may be rows.
fn by_role(layout: &Layout, idx: WidgetIdx, objects: &[ObjectText]) -> Vec<Candidate> {
    let widget = layout.widget(idx);
    let nameless = widget.resource_id.as_deref().is_none_or(str::is_empty);
    let Some(role) = layout.role(idx).filter(|_| nameless) else { return Vec::new() };
    let candidate = |selector: SpecSelector, strength, why: String| {
        let alone = matches(&selector, layout) == [idx];
        alone.then(|| Candidate { selector, strength, why, counts: Vec::new() })
    };
    let of_role = SpecSelector { role: Some(role), ..SpecSelector::default() };
    let text = Parts { id: false, desc: false, text: true, class: false };
    let with_text = with_parts(widget, text, objects).map(|named| SpecSelector { role: Some(role), ..named });
    let with_text =
        with_text.filter(|named| matches(&SpecSelector { role: None, ..named.clone() }, layout) != [idx]);
    let mut found: Vec<Candidate> = with_text
        .and_then(|named| candidate(named, Strength::Fair, format!("it is the only {role} with its text")))
        .into_iter()
        .collect();
    let is_label = |label: WidgetIdx, text: &str| {
        data(text, objects).is_none()
            && changing(text).is_none()
            && !text.contains('\n')
            && layout.list_item_around(label).is_none()
    };
    let stacked = |side: Side| matches!(side, Side::Below | Side::Above);
    let labels = layout.labels_around(idx, is_label).into_iter();
    let labels = labels.filter(|beside| role != Role::Text || !stacked(beside.side));
    found.extend(labels.filter_map(|beside| {
        let why =
            format!("it is the {role} {} \u{201c}{}\u{201d}", beside.side.words(), one_line(&beside.label));
        candidate(SpecSelector { beside: Some(beside), ..of_role.clone() }, Strength::Fair, why)
    }));
    // A class says more where there is one.
    if found.is_empty() && matches(&row_parts(widget), layout) != [idx] {
        found.extend(candidate(of_role, Strength::Weak, format!("it is the only {role}")));
    }
    found
}

fn by_instance(layout: &Layout, idx: WidgetIdx) -> Candidate {
    let mut selector = row_parts(layout.widget(idx));
    let place = matches(&selector, layout).iter().position(|named| *named == idx).unwrap_or(0);
    selector.instance = u32::try_from(place).ok();
    let why = "nothing but its place tells it from its equals".to_owned();
    Candidate { selector, strength: Strength::Weak, why, counts: Vec::new() }
}

/// The XPath from the nearest ancestor with a unique id, or from the root.
fn by_xpath(layout: &Layout, idx: WidgetIdx) -> Option<Candidate> {
    let own_id = |idx: WidgetIdx| {
        let id = layout.widget(idx).resource_id.as_deref().filter(|id| !id.is_empty())?;
        let alone =
            layout.widgets().iter().filter(|widget| widget.resource_id.as_deref() == Some(id)).count();
        (alone == 1).then(|| format!("//*[@resource-id={}]", XPath::literal(id)))
    };
    let mut steps = Vec::new();
    let mut at = idx;
    let start = loop {
        if at != idx
            && let Some(start) = own_id(at)
        {
            break start;
        }
        let class = &layout.widget(at).class;
        let parent = layout.widget(at).parent;
        let siblings: Vec<WidgetIdx> = match parent {
            Some(parent) => layout.children(parent).collect(),
            None => layout.roots().collect(),
        };
        // Some dumps have nodes with an empty class, or one that is no name: these are counted among all siblings.
        let name = XPath::parse(&format!("//{class}")).map_or("*", |_| &**class);
        let like = siblings.iter().filter(|sibling| name == "*" || layout.widget(**sibling).class == *class);
        let place = like.take_while(|sibling| **sibling != at).count() + 1;
        steps.push(format!("/{name}[{place}]"));
        match parent {
            Some(parent) => at = parent,
            None => break "/hierarchy".to_owned(),
        }
    };
    steps.reverse();
    let xpath = format!("{start}{}", steps.concat());
    let named = XPath::parse(&xpath).ok()?.select(layout);
    let why = "the way to it through the screen, which any redesign breaks".to_owned();
    let selector = SpecSelector { xpath: Some(xpath), ..SpecSelector::default() };
    (named == [idx]).then(|| Candidate { selector, strength: Strength::Weak, why, counts: Vec::new() })
}

/// The selector that would identify the widget by data.
fn refused(widget: &Widget, objects: &[ObjectText]) -> Option<Candidate> {
    let text = &*widget.text;
    let why = match data(text, objects) {
        _ if text.is_empty() => return None,
        _ if widget.is_text_field() => {
            "what a field holds is typed into it; it does not say which field it is".to_owned()
        }
        Some(object) => format!(
            "\u{201c}{}\u{201d} is the object itself, which is another in every run; it does not say which \
             widget this is",
            object.text
        ),
        None => return None,
    };
    let selector = SpecSelector { text: TextPattern::Is(text.to_owned()), ..SpecSelector::default() };
    Some(Candidate { selector, strength: Strength::Refused, why, counts: Vec::new() })
}

/// The object whose text is contained in a text.
fn data<'o>(text: &str, objects: &'o [ObjectText]) -> Option<&'o ObjectText> {
    objects.iter().find(|object| !object.text.is_empty() && text.contains(&object.text))
}

/// What the rows of a list have in common with this one: the id or, without one, the class.
pub(super) fn row_parts(widget: &Widget) -> SpecSelector {
    let id = widget.resource_id.as_deref().filter(|id| !id.is_empty());
    match id {
        Some(id) => SpecSelector { resource_id: Some(id.to_owned()), ..SpecSelector::default() },
        None => SpecSelector { class: Some(widget.class.to_string()), ..SpecSelector::default() },
    }
}

/// The widgets that a selector without run-time texts matches.
fn matches(selector: &SpecSelector, layout: &Layout) -> Vec<WidgetIdx> {
    plain(selector).matches(layout)
}

/// The parts of a selector that are the same in every run.
fn plain(selector: &SpecSelector) -> Selector {
    let text = match &selector.text {
        TextPattern::Is(text) => Some(text.clone()),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
    };
    // A broken XPath names nothing.
    selector.with_text(text).unwrap_or_default()
}

/// The selector with these parts; `None` if the widget lacks one of them.
fn with_parts(widget: &Widget, parts: Parts, objects: &[ObjectText]) -> Option<SpecSelector> {
    let given = |wanted: bool, value: &str| match (wanted, value.is_empty()) {
        (false, _) => Some(None),
        (true, true) => None,
        (true, false) => Some(Some(value.to_owned())),
    };
    // The content of a field, and a text that contains an object, are data.
    let is_data = |text: &str| data(text, objects).is_some();
    if parts.text && (widget.is_text_field() || is_data(&widget.text))
        || parts.desc && is_data(&widget.content_desc)
    {
        return None;
    }
    Some(SpecSelector {
        resource_id: given(parts.id, widget.resource_id.as_deref().unwrap_or(""))?,
        content_desc: given(parts.desc, &widget.content_desc)?,
        text: given(parts.text, &widget.text)?.map_or(TextPattern::Any, TextPattern::Is),
        class: given(parts.class, &widget.class)?,
        ..SpecSelector::default()
    })
}

fn names(parts: Parts) -> String {
    let named = [
        (parts.id, "its id"),
        (parts.desc, "its description"),
        (parts.text, "its text"),
        (parts.class, "its class"),
    ];
    let named: Vec<&str> = named.iter().filter(|(given, _)| *given).map(|(_, name)| *name).collect();
    named.join(" with ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn the_preferred_kind_comes_first_where_it_names_the_widget_alone() {
        let chosen = |notation: &str, widget: u32, prefer: SelectorPreference| {
            let layout = layout_from(notation);
            let objects = [ObjectText { text: "Ann".to_owned(), name: "delete_name".to_owned() }];
            choose_preferred_selector(&layout, WidgetIdx(widget), &objects, prefer).selector.to_string()
        };
        let all =
            |notation: &str, widget| SelectorPreference::ALL.map(|prefer| chosen(notation, widget, prefer));
        let bar = "FrameLayout\n  Button#save \"Save\" (Save it)\n  Button#ok \"Leave\"\n";
        assert_eq!(
            all(bar, 1),
            [
                "id \"org.ex:id/save\"",
                "text \"Save\"",
                "description \"Save it\"",
                "xpath \"/hierarchy/android.widget.FrameLayout[1]/android.widget.Button[1]\""
            ]
        );
        let [id, text, description, _] = all(bar, 2);
        assert_eq!([id, text, description], ["id \"org.ex:id/ok\"", "text \"Leave\"", "id \"org.ex:id/ok\""]);
        let changing = "FrameLayout\n  Button#day \"3 May\"\n";
        assert_eq!(chosen(changing, 1, SelectorPreference::Text), "id \"org.ex:id/day\"");
        let rows = "ListView\n  LinearLayout\n    TextView#name \"Ann\"\n    Button#more \"More\"\n";
        for prefer in SelectorPreference::ALL {
            assert!(chosen(rows, 3, prefer).contains("delete_name"), "what a row shows is data");
        }
    }

    fn check(notation: &str, widget: u32, expected: &str) {
        let layout = layout_from(notation);
        let objects = [ObjectText { text: "Ann".to_owned(), name: "delete_name".to_owned() }];
        let chosen = choose_selector(&layout, WidgetIdx(widget), &objects);
        assert_eq!(chosen.selector.to_string(), expected);
        assert_eq!(named_by(&chosen.selector, &layout, &objects), [WidgetIdx(widget)]);
    }

    #[test]
    fn meant_parts_come_before_accidental_ones() {
        check("Button#save \"Save\" (Save it)\nButton#other\n", 0, "id \"org.ex:id/save\"");
        check("Button#b \"A\"\nButton#b \"B\" (Go)\n", 1, "description \"Go\"");
        check("TextView#t \"Open\"\nTextView#t \"Delete\"\n", 1, "id \"org.ex:id/t\", text \"Delete\"");
        check("TextView \"Open\"\nTextView \"Delete\"\n", 1, "text \"Delete\"");
        check("TextView \"x\"\nEditText \"typed\"\n", 1, "the field below \"x\"");
        check("Button\nEditText \"typed\"\n", 1, "class \"android.widget.EditText\"");
    }

    #[test]
    fn a_path_through_nodes_without_class_can_be_parsed() {
        let node = |class: &str, inside: &str| {
            format!(
                "<node index=\"0\" class=\"{class}\" package=\"org.ex\" bounds=\"[0,0][9,9]\">{inside}</node>"
            )
        };
        let inner = format!("{}{}", node("", ""), node("", &node("a.View", "")));
        let xml = format!("<hierarchy rotation=\"0\">{}</hierarchy>", node("a.Frame", &inner));
        let layout = taproof_screen::format::parse_hierarchy(xml.as_bytes()).unwrap().layout;
        for place in 0..4 {
            let found = by_xpath(&layout, WidgetIdx(place)).unwrap().selector.xpath.unwrap();
            assert_eq!(XPath::parse(&found).unwrap().select(&layout), [WidgetIdx(place)], "{found}");
        }
    }

    #[test]
    fn the_text_of_an_object_is_no_identity() {
        check("TextView#t \"Bob\"\nTextView#t \"Ann\"\n", 1, "id \"org.ex:id/t\", instance 1");
        check(
            "TextView \"Bob\"\nTextView \"Edit: Ann\"\n",
            1,
            "class \"android.widget.TextView\", instance 1",
        );
    }

    const LIST: &str = "ListView#list\n  LinearLayout\n    TextView#row \"Bob\"\n    Button#more\n  LinearLayout\n    \
                        TextView#row \"Ann\"\n    Button#more\n";

    #[test]
    fn what_stands_beside_an_object_is_found_in_its_row() {
        check(LIST, 6, "id \"org.ex:id/more\", in the row of delete_name");
        let alone = "ListView\n  LinearLayout\n    TextView#row \"Ann\"\n    Button#more\nButton#save\n";
        check(alone, 3, "id \"org.ex:id/more\", in the row of delete_name");
        check(alone, 4, "id \"org.ex:id/save\"");
        check(&alone.replace("ListView", "ScrollView"), 3, "id \"org.ex:id/more\"");
    }

    #[test]
    fn without_ids_a_widget_goes_by_its_role_and_the_labels_around_it() {
        let form = "View\n  TextView \"Title\"\n  EditText \"Milk\"\n  TextView \"Notes\"\n  EditText\n  CheckBox\n  \
                    TextView \"Save\"\n  Button \"Save\"\n";
        check(form, 2, "the field below \"Title\"");
        check(form, 4, "the field below \"Notes\"");
        check(form, 5, "the check box below \"Notes\"");
        check(form, 7, "text \"Save\", class \"android.widget.Button\"");
        check(&form.replace("Title", "Ann"), 2, "the field above \"Notes\"");
        let hint = layout_from("View\n  EditText\n  EditText\n").with_changed(&[WidgetIdx(2)], |field| {
            field.hint = "Title".into();
        });
        let chosen = choose_selector(&hint, WidgetIdx(2), &[]);
        assert_eq!(chosen.selector.to_string(), "the field labelled \"Title\"");
        assert_eq!(chosen.why, "it is the field labelled \u{201c}Title\u{201d}");
        assert!(!chosen.by_position);
    }

    #[test]
    fn candidates_are_counted_on_every_layout() {
        let objects = [ObjectText { text: "Ann".to_owned(), name: "delete_name".to_owned() }];
        let layouts = [LIST, "Button#more\n", "TextView#row \"Ann\"\nTextView \"Open\"\n"];
        let layouts: Vec<Arc<Layout>> = layouts.iter().map(|text| Arc::new(layout_from(text))).collect();
        let words = |on: usize, idx: u32| {
            let all = selector_candidates(&layouts, on, WidgetIdx(idx), &objects);
            let told = all.iter().map(|c| format!("{:?} {:?} {}", c.strength, c.counts, c.selector));
            told.collect::<Vec<_>>()
        };
        let list = "//*[@resource-id=\"org.ex:id/list\"]";
        let xpath = format!("{list}/android.widget.LinearLayout[2]");
        let expected = [
            "Strong [1, 0, 0] id \"org.ex:id/more\", in the row of delete_name".to_owned(),
            "Weak [1, 0, 0] id \"org.ex:id/more\", instance 1".to_owned(),
            format!("Weak [1, 0, 0] xpath {:?}", format!("{xpath}/android.widget.Button[1]")),
        ];
        assert_eq!(words(0, 6), expected);
        let expected = [
            "Strong [2, 0, 1] id \"org.ex:id/row\"",
            "Weak [2, 1, 1] xpath \"/hierarchy/android.widget.TextView[1]\"",
            "Refused [1, 0, 1] text \"Ann\"",
        ];
        assert_eq!(words(2, 0)[0], expected[0]);
        assert_eq!(words(2, 0).last().unwrap(), expected[2]);
        assert_eq!(words(7, 0), Vec::<String>::new());
    }
}
