//! The pages inside an app's web views, read through the port by which they can be debugged: the widgets of a page stand
//! below its web view, instead of what the web view tells accessibility, which is often nothing or cropped.
//!
//! `client` speaks the Chrome DevTools Protocol, by a `web_socket`, `snapshot` reads the places of a page's nodes from its answers, `nodes` and
//! `roles` make widgets of them, and `merge` puts these into a layout. [`WebPages`] decides when a page is read.
//!
//! Everything here comes from a page, which may be hostile: what makes no sense leaves the layout as it is, for a reason
//! that is told.

mod client;
mod merge;
mod nodes;
mod roles;
mod snapshot;
#[cfg(test)]
mod tests;
mod web_socket;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::connection::Connection;
use crate::host::{AdbError, Patience};
use crate::output::{debuggable_web_views, package_of_process, process_list};
use client::{Page, PageAnswers, PageClient, list_of_pages, list_pages};
use merge::{web_views, with_pages};
use nodes::PageWidget;
use taproof_engine::device::{DeviceError, DeviceWarnings};
use taproof_screen::{Layout, PxRect, Text, WidgetIdx};

/// Limit for reading the pages on a screen.
const LIMIT: Duration = Duration::from_secs(4);
/// A page is still once it was read twice with the same result, this long apart; one that never is, is read so often.
const QUIET: Duration = Duration::from_millis(100);
const MOST_LOOKS: usize = 10;
/// After so many failures in a row, the pages of an app are not read until it is launched again.
const MOST_FAILURES: u32 = 3;

/// Why a page could not be read.
#[derive(Debug, thiserror::Error)]
enum PageProblem {
    #[error("{0}")]
    Link(#[from] AdbError),
    #[error("the answer to {what} makes no sense: {problem}")]
    Unusable { what: &'static str, problem: String },
    #[error("it does not answer {method}: update the WebView of the device")]
    Refused { method: &'static str },
    #[error("its sizes make no sense")]
    Sizes,
    #[error("the app does not tell which of its pages that is")]
    NoPage,
}

impl PageProblem {
    fn unusable(what: &'static str, problem: serde_json::Error) -> PageProblem {
        PageProblem::Unusable { what, problem: problem.to_string() }
    }
}

/// Reads the pages of the app in front.
#[derive(Debug, Default)]
pub(crate) struct WebPages {
    /// The app whose web views were seen last.
    app: Option<App>,
    /// The problems that were reported.
    told: BTreeSet<String>,
}

/// An app with web views.
#[derive(Debug)]
struct App {
    package: Text,
    /// Its processes whose pages can be read.
    pids: Vec<u32>,
    /// How many readings in a row failed.
    failures: u32,
}

impl WebPages {
    /// Forgets what is known of an app, whose processes change when it is launched.
    pub fn forget(&mut self) {
        self.app = None;
    }

    /// Returns the layout with the pages in it, or as it is if it has none or they cannot be read. Why not is added to
    /// `warnings`, each reason once.
    pub fn read(&mut self, connection: &Connection, layout: Layout, warnings: &mut DeviceWarnings) -> Layout {
        let package = Text::from(layout.package());
        let views = web_views(&layout, &package);
        if views.is_empty() {
            return layout;
        }
        if self.app.as_ref().is_none_or(|app| app.package != package) {
            let Ok(app) = App::ask(connection, package.clone()) else { return layout };
            if app.pids.is_empty() {
                self.tell(not_allowed(&package), warnings);
            }
            self.app = Some(app);
        }
        let Some(app) = self.app.as_mut().filter(|app| app.can_be_asked()) else { return layout };
        match app.pages(connection, &layout, &views) {
            Ok(pages) => {
                app.failures = 0;
                with_pages(&layout, &pages)
            }
            Err(PageProblem::Link(AdbError::Cancelled { .. })) => layout,
            Err(problem) => {
                app.failures += 1;
                let refused = matches!(problem, PageProblem::Link(AdbError::Refused { .. }));
                // The process may have ended, and another one have begun.
                match refused.then(|| App::ask(connection, package.clone())) {
                    Some(Ok(App { pids, .. })) if pids != app.pids => app.pids = pids,
                    _ => self.tell(format!("a page of {package} cannot be read: {problem}"), warnings),
                }
                layout
            }
        }
    }

    fn tell(&mut self, problem: String, warnings: &mut DeviceWarnings) {
        if !self.told.contains(&problem) {
            warnings.add(&problem, 1);
            self.told.insert(problem);
        }
    }
}

fn not_allowed(package: &str) -> String {
    format!(
        "the pages in the web views of {package} cannot be read, as the app does not allow it: only what they tell \
         accessibility is known. A debug build allows it by WebView.setWebContentsDebuggingEnabled(true)"
    )
}

impl App {
    /// Asks which processes of the app can be asked for their pages.
    fn ask(connection: &Connection, package: Text) -> Result<App, DeviceError> {
        let questions = ["cat /proc/net/unix", connection.processes_line()];
        let answers = connection.ask_after("", &questions, connection.pace.limit())?;
        let [sockets, processes] = answers.as_slice() else {
            return Ok(App { package, pids: Vec::new(), failures: 0 });
        };
        let sockets = debuggable_web_views(sockets);
        let own = process_list(processes).unwrap_or_default().into_iter();
        let own =
            own.filter(|process| package_of_process(&process.name) == &*package).map(|process| process.pid);
        Ok(App { pids: own.filter(|pid| sockets.contains(pid)).collect(), package, failures: 0 })
    }

    fn can_be_asked(&self) -> bool {
        !self.pids.is_empty() && self.failures < MOST_FAILURES
    }

    /// The widgets of the pages that these web views show.
    fn pages(
        &self,
        connection: &Connection,
        layout: &Layout,
        views: &[WidgetIdx],
    ) -> Result<Vec<(WidgetIdx, Vec<PageWidget>)>, PageProblem> {
        let patience = connection.patience(LIMIT);
        let socket =
            |pid| connection.link.open(&format!("localabstract:webview_devtools_remote_{pid}"), &patience);
        let mut pages = Vec::new();
        for pid in &self.pids {
            pages.extend(list_pages(socket(*pid)?, *pid, &patience)?);
        }
        let mut read = Vec::new();
        for idx in views {
            let seen = layout.widget(*idx).bounds;
            let Some(page) = page_at(&pages, seen, views.len()) else {
                match pages.iter().all(|page| page.place.is_some()) {
                    // It is about to go, or to come.
                    true => continue,
                    false => return Err(PageProblem::NoPage),
                }
            };
            let mut client = PageClient::connect(socket(page.pid)?, page, patience)?;
            let place = page.place.unwrap_or(seen);
            read.push((*idx, widgets_at_rest(&mut client, (place, seen), &self.package, &patience)?));
        }
        Ok(read)
    }
}

/// The page of the web view at this place: the one that has most in common with it. If pages do not tell their place, it is
/// known only for a single one.
fn page_at(pages: &[Page], seen: PxRect, views: usize) -> Option<&Page> {
    let common = |page: &&Page| page.place.map_or(0, |place| place.intersect(&seen).area());
    match pages {
        [page] if page.place.is_none() && views == 1 => Some(page),
        pages => pages.iter().max_by_key(common).filter(|page| common(page) > 0),
    }
}

/// Returns the layout with a page inside its first web view, as far as these answers of its debugging port describe one: the
/// list of pages, and what `Page.getLayoutMetrics`, `DOMSnapshot.captureSnapshot` and `Accessibility.getFullAXTree` return.
/// `None` if they make no sense.
pub fn with_described_page(layout: &Layout, [list, metrics, snapshot, tree]: [&[u8]; 4]) -> Option<Layout> {
    let package = Text::from(layout.package());
    let idx = *web_views(layout, &package).first()?;
    let (pages, seen) = (list_of_pages(list, 0).ok()?, layout.widget(idx).bounds);
    let place = page_at(&pages, seen, 1)?.place.unwrap_or(seen);
    let (metrics, snapshot) = (serde_json::from_slice(metrics).ok()?, serde_json::from_slice(snapshot).ok()?);
    let answers = PageAnswers { metrics, snapshot, trees: vec![serde_json::from_slice(tree).ok()?] };
    Some(with_pages(layout, &[(idx, answers.widgets((place, seen), &package)?)]))
}

/// Reads a page until it is still.
fn widgets_at_rest(
    client: &mut PageClient<'_>,
    (place, seen): (PxRect, PxRect),
    package: &Text,
    patience: &Patience<'_>,
) -> Result<Vec<PageWidget>, PageProblem> {
    let mut look = || client.read()?.widgets((place, seen), package).ok_or(PageProblem::Sizes);
    let mut last = look()?;
    for _ in 1..MOST_LOOKS {
        patience.pause(QUIET, "a page to be still")?;
        let next = look()?;
        if next == last {
            break;
        }
        last = next;
    }
    Ok(last)
}
