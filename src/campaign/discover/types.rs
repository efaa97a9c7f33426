//! The data types of what was found: creations that end in the same list or use the same form make objects of one type, and so do
//! those whose objects are called the same, if their forms have the same widgets.

use std::collections::BTreeSet;

use super::creates::Create;
use super::screen::showing;
use taproof_screen::{Same, Text, Widget, headline};
use taproof_spec::{DataType, noun_of};

/// What tells one list from another: the kind of its rows, its title, and what is selected around it. Rows of one list that
/// have other widgets hold objects of another type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ListName {
    rows: Text,
    row: Vec<String>,
    title: String,
    selected: BTreeSet<String>,
}

/// Creations grouped by the type of what they make.
pub(super) struct TypeOf {
    /// The proposed name.
    pub(super) noun: DataType,
    /// Places among the creations.
    pub(super) creates: Vec<usize>,
    list: ListName,
}

/// Groups creations by the lists that show their objects and by their forms.
pub(super) fn types_of(creates: &[Create]) -> Vec<TypeOf> {
    let mut types: Vec<TypeOf> = Vec::new();
    for (place, create) in creates.iter().enumerate() {
        let list = list_name(create);
        let noun = noun_of(&create.sample().steps, &create.rows, &create.name);
        let firsts = |known: &TypeOf| &creates[known.creates[0]];
        let widgets = |it: &Create| it.typed.frame().layout.key(Same::Structure);
        let of_form = types
            .iter()
            .position(|known| known.creates.iter().any(|other| creates[*other].form == create.form));
        let alike = |known: &TypeOf| {
            known.list == list || (known.noun == noun && widgets(firsts(known)) == widgets(create))
        };
        if let Some(same) = of_form.or_else(|| types.iter().position(alike)) {
            types[same].creates.push(place);
            continue;
        }
        let noun = free_noun(&types, noun);
        types.push(TypeOf { noun, creates: vec![place], list });
    }
    types
}

/// A name that no other type has: `note`, `note2`.
fn free_noun(types: &[TypeOf], noun: DataType) -> DataType {
    let taken = |name: &DataType| types.iter().any(|it| it.noun == *name);
    let numbered = (2..).map(|number| DataType::from(format!("{noun}{number}")));
    std::iter::once(noun.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(noun)
}

fn list_name(create: &Create) -> ListName {
    let layout = create.list();
    let title = headline(layout).map(|idx| layout.widget(idx).text.to_string()).unwrap_or_default();
    let selected = layout.selected_labels().into_iter().map(str::to_owned).collect();
    ListName { rows: create.rows.clone(), row: row_of(create), title, selected }
}

/// The widgets of the row that shows the object, with the letters of its texts other than the name: what is counted and dated
/// differs from object to object.
fn row_of(create: &Create) -> Vec<String> {
    let layout = create.list();
    let row = showing(layout, &create.name).last().and_then(|name| layout.row_of(name));
    let letters = |text: &str| {
        let text = if text.contains(&create.name) { "" } else { text };
        text.chars().filter(|letter| letter.is_alphabetic()).collect::<String>()
    };
    let told = |widget: &Widget| {
        let (id, text) = (widget.short_id().unwrap_or(""), letters(&widget.text));
        format!("{}#{id} {text} {}", widget.short_class(), letters(&widget.content_desc))
    };
    row.map(|row| layout.subtree(row).map(|idx| told(layout.widget(idx))).collect()).unwrap_or_default()
}
