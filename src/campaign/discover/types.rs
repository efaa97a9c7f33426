//! The data types of what was found: creations that end in the same list, or whose objects are called the same, make objects of
//! one type.

use std::collections::BTreeSet;

use super::creates::Create;
use super::screen::showing;
use taproof_screen::{Text, Widget, headline};
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

/// Groups creations by the lists that show their objects and by what these are called.
pub(super) fn types_of(creates: &[Create]) -> Vec<TypeOf> {
    let mut types: Vec<TypeOf> = Vec::new();
    for (place, create) in creates.iter().enumerate() {
        let list = list_name(create);
        let noun = noun_of(&create.sample().steps, &create.rows, &create.name);
        if let Some(same) = types.iter_mut().find(|known| known.list == list || known.noun == noun) {
            same.creates.push(place);
            continue;
        }
        types.push(TypeOf { noun, creates: vec![place], list });
    }
    types
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
