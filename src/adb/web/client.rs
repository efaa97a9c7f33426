//! The Chrome DevTools Protocol by which a web view can be debugged: HTTP lists its pages, a WebSocket answers questions
//! about one of them.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::PageProblem;
use super::nodes::{AxTree, PageWidget, widgets};
use super::snapshot::{Metrics, STYLES, Snapshot};
use super::web_socket::WebSocket;
use crate::host::{AdbError, AdbStream, Patience, body_of, exchange};
use taproof_screen::{PxRect, Text};

/// Limit on the list of pages, in bytes.
const LONGEST_LIST: usize = 1 << 20;
/// How many frames of a page are read.
const MOST_FRAMES: usize = 16;

/// A page that a process shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub pid: u32,
    id: String,
    /// Where its web view is on the screen, also what is not seen of it; `None` if the socket does not tell.
    pub place: Option<PxRect>,
}

/// An entry of the list of pages.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Listed {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    /// For a web view, its place as JSON in a text.
    description: String,
}

/// The place of a web view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Described {
    attached: bool,
    visible: bool,
    empty: bool,
    screen_x: Option<i32>,
    screen_y: Option<i32>,
    width: Option<i32>,
    height: Option<i32>,
}

impl Default for Described {
    fn default() -> Self {
        let (screen_x, screen_y, width, height) = (None, None, None, None);
        Described { attached: true, visible: true, empty: false, screen_x, screen_y, width, height }
    }
}

impl Described {
    fn place(&self) -> Option<PxRect> {
        let (left, top) = (self.screen_x?, self.screen_y?);
        let (right, bottom) = (left.checked_add(self.width?)?, top.checked_add(self.height?)?);
        Some(PxRect::new(left, top, right, bottom)).filter(|place| !place.is_empty())
    }
}

/// The pages in an answer that are on the screen.
pub(super) fn list_of_pages(answer: &[u8], pid: u32) -> Result<Vec<Page>, PageProblem> {
    let listed: Vec<Listed> =
        serde_json::from_slice(answer).map_err(|error| PageProblem::unusable("its list of pages", error))?;
    let page = |listed: Listed| {
        // It becomes a part of a request.
        let usable = listed.id.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign));
        let described: Described = serde_json::from_str(&listed.description).unwrap_or_default();
        let shown = described.attached && described.visible && !described.empty;
        (listed.kind == "page" && usable && shown).then(|| Page {
            pid,
            id: listed.id,
            place: described.place(),
        })
    };
    Ok(listed.into_iter().filter_map(page).collect())
}

/// The pages of a process, by a stream to its socket.
pub(super) fn list_pages(
    mut stream: AdbStream,
    pid: u32,
    patience: &Patience<'_>,
) -> Result<Vec<Page>, PageProblem> {
    let request = "GET /json/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = exchange(&mut stream, request, LONGEST_LIST, patience)?;
    list_of_pages(body_of(&answer).unwrap_or_default(), pid)
}

/// What is asked of a page to know its nodes.
#[derive(Debug)]
pub(super) struct PageAnswers {
    pub metrics: Metrics,
    pub snapshot: Snapshot,
    /// The tree of each document of the snapshot, in their order.
    pub trees: Vec<AxTree>,
}

impl PageAnswers {
    /// The widgets of the page in a web view that lies at `place` and of which `seen` is visible; `None` if its sizes make no
    /// sense.
    pub fn widgets(&self, (place, seen): (PxRect, PxRect), package: &Text) -> Option<Vec<PageWidget>> {
        let page = self.snapshot.shown(&self.metrics, place, seen)?;
        Some(widgets(&self.trees, &page, package))
    }
}

/// A connection to a page.
pub(super) struct PageClient<'p> {
    socket: WebSocket<'p>,
    asked: u64,
}

/// The answer to a question.
#[derive(Debug, Deserialize)]
struct Answer<T> {
    #[serde(default)]
    id: u64,
    result: Option<T>,
}

impl<'p> PageClient<'p> {
    /// Connects to a page by a stream to the socket of its process.
    pub fn connect(stream: AdbStream, page: &Page, patience: Patience<'p>) -> Result<Self, AdbError> {
        let path = format!("/devtools/page/{}", page.id);
        Ok(PageClient { socket: WebSocket::open(stream, &path, patience)?, asked: 0 })
    }

    /// Reads the nodes of the page and their places.
    pub fn read(&mut self) -> Result<PageAnswers, PageProblem> {
        let styles = json!({ "computedStyles": STYLES, "includeDOMRects": true });
        let snapshot: Snapshot = self.ask("DOMSnapshot.captureSnapshot", &styles)?;
        let metrics = self.ask("Page.getLayoutMetrics", &json!({}))?;
        let mut trees = Vec::new();
        for (at, frame) in snapshot.frames().take(MOST_FRAMES).enumerate() {
            let tree = self.ask("Accessibility.getFullAXTree", &json!({ "frameId": frame }));
            match (at, tree) {
                // A frame may be gone by now.
                (1.., Err(PageProblem::Refused { .. })) => trees.push(AxTree::default()),
                (_, tree) => trees.push(tree?),
            }
        }
        Ok(PageAnswers { metrics, snapshot, trees })
    }

    pub(super) fn ask<T: DeserializeOwned>(
        &mut self,
        method: &'static str,
        params: &Value,
    ) -> Result<T, PageProblem> {
        self.asked += 1;
        let question = json!({ "id": self.asked, "method": method, "params": params });
        self.socket.send(&question.to_string())?;
        let unusable = |error| PageProblem::unusable(method, error);
        loop {
            let text = self.socket.receive()?;
            let Answer::<IgnoredAny> { id, .. } = serde_json::from_slice(&text).map_err(unusable)?;
            // Others are of events that nobody asked for.
            if id == self.asked {
                let answer: Answer<T> = serde_json::from_slice(&text).map_err(unusable)?;
                return answer.result.ok_or(PageProblem::Refused { method });
            }
        }
    }
}
