//! What the views of apps show that the user has not made, for the test that all of it is among the apps' strings.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::{Content, View};

type Shown = BTreeMap<&'static str, BTreeSet<&'static str>>;

thread_local! {
    static SHOWN: RefCell<Shown> = const { RefCell::new(BTreeMap::new()) };
}

/// Notes the static texts of a view of the app with this package.
pub(crate) fn note<Msg>(package: &'static str, view: View<Msg>) -> View<Msg> {
    SHOWN.with_borrow_mut(|shown| {
        let strings = RefCell::new(shown.entry(package).or_default());
        view.with_each(&|view| {
            let note = |text: &Cow<'static, str>| {
                // What has no letter is no word of any language.
                if let Cow::Borrowed(text) = text
                    && text.chars().any(char::is_alphabetic)
                {
                    strings.borrow_mut().insert(text);
                }
            };
            note(&view.content_desc);
            match &view.content {
                Content::Text(text, _) | Content::Check(_, _, text) => note(text),
                Content::Field(field) => note(&field.hint),
                _ => {}
            }
        })
    })
}

/// The static texts of an app that were noted in this test.
pub(super) fn of(package: &str) -> BTreeSet<&'static str> {
    SHOWN.with_borrow(|shown| shown.get(package).cloned().unwrap_or_default())
}
