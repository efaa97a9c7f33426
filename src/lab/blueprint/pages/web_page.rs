//! A trap: pages that a web view shows. Its tree has no resource ids, and one more node around each text, which is in
//! the text of a node or in its description.

use super::Msg;
use crate::schema::{Blueprint, Trap};
use taproof_phone::{Color, Edges, Size, View};

/// The class of what a web page consists of.
pub(crate) const NODE: &str = "android.view.View";
const WEB_VIEW: &str = "android.webkit.WebView";
/// The name by which the phone knows how far a web page is scrolled. No dump has it.
const SCROLL: &str = "@web_page";

impl Blueprint {
    /// Whether pages of text are web pages, and those of some objects.
    pub(crate) fn has_web_pages(&self) -> bool {
        self.traps.contains(&Trap::Web)
    }

    /// Whether the page of an object of this type is a web page. One with a list of what belongs to the object is none.
    pub(crate) fn is_web_page(&self, data_type: usize) -> bool {
        self.has_web_pages() && self.members_of(data_type).next().is_none()
    }
}

/// A page that a web view shows.
pub(crate) fn document(blocks: Vec<View<Msg>>) -> View<Msg> {
    let body = View::column(blocks).class(NODE).pad(Edges::symmetric(0, 8));
    let document = View::column(vec![body]).class(WEB_VIEW);
    View::scroll(SCROLL, document).class(WEB_VIEW).background(Color::WHITE)
}

/// The title of a web page.
pub(crate) fn heading(text: impl Into<std::borrow::Cow<'static, str>>, zoom: i32) -> View<Msg> {
    block(vec![View::text(text).size(26 + zoom).lines(4)])
}

/// A paragraph of a web page.
pub(crate) fn paragraph(text: &'static str) -> View<Msg> {
    block(vec![View::text(text).lines(12)])
}

/// A value with a label above it, whose text is in its description.
pub(crate) fn entry(label: &'static str, value: String, zoom: i32) -> View<Msg> {
    block(vec![note(label), View::text(value).size(16 + zoom).lines(6)])
}

/// The last line of a web page.
pub(crate) fn footer(text: String) -> View<Msg> {
    block(vec![note(text)])
}

/// A small text, which dumps have as a description.
fn note(text: impl Into<std::borrow::Cow<'static, str>>) -> View<Msg> {
    View::text(text).size(13).color(Color::SECONDARY).lines(2).style(|style| style.as_description = true)
}

fn block(texts: Vec<View<Msg>>) -> View<Msg> {
    let nodes = texts.into_iter().map(|text| text.class(NODE).width(Size::Match));
    View::column(nodes.collect()).class(NODE).pad(Edges::symmetric(16, 8))
}
