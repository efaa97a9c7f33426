//! Loops: parts of walks that leave a page and come back to it (paper.md, section 9). Unlike the paths of the model they
//! were performed as they are, and they are not bound to the state that they began in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::detours::Planned;
use super::gui_model::{Act, EventClass};
use crate::oracle::layouts_of;
use taproof_screen::determinism::StableHasher;
use taproof_screen::{Layout, LayoutKey, Same, Trace, is_dialog};

/// Maximum number of events of a detour that a walk has performed as it is, from a page back to that page (not in the
/// paper; section 9).
const LONGEST_LOOP: usize = 8;
/// Number of loops of one page that are stored.
const MOST_LOOPS: usize = 100;
/// How often Back is pressed at most to come back to a page.
pub const MOST_KEYS: usize = 2;

/// The loops that walks have shown, by the page that they begin and end on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Loops {
    pages: BTreeMap<LayoutKey, PageLoops>,
}

/// The loops of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PageLoops {
    /// By the classes of their events.
    known: BTreeMap<u64, Loop>,
    /// The classes of the events that show another page or leave the app.
    opens: BTreeMap<EventClass, Opens>,
}

/// What is known of the events of a class that show another page.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Opens {
    /// How often Back was pressed to come back from there; the first time may only hide the keyboard.
    pub closes: Option<usize>,
    /// How often a mutant has tried whether it does.
    pub tried: usize,
    /// How many detours were planned that open it and close it again.
    pub planned: u32,
}

/// Events that leave a page and come back to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// The events.
    pub steps: Vec<Planned>,
    /// Number of mutants that have it as their detour.
    pub played: u32,
}

impl Loops {
    /// Takes in the loops of a walk after which their page is not the same.
    pub fn learn(&mut self, trace: &Trace, planned: &[Planned]) {
        let (pages, layouts) = (pages_of(trace), layouts_of(trace));
        let exact = |index: usize| layouts.get(index)?.as_ref().map(|layout| layout.key(Same::Exact));
        for from in 0..planned.len() {
            let Some(page) = leaves(&pages, planned, from) else { continue };
            let home = self.pages.entry(page).or_default();
            let later = pages.iter().skip(from + 2).take(LONGEST_LOOP - 1);
            let length = later.take_while(|other| **other != Some(page)).count() + 2;
            let back = pages.get(from + length) == Some(&Some(page)) && exact(from) != exact(from + length);
            if length > LONGEST_LOOP || !back {
                continue;
            }
            let steps = &planned[from..from + length];
            if steps.iter().any(Planned::switches) {
                continue;
            }
            let signature = signature(steps);
            if home.known.len() < MOST_LOOPS && !home.known.contains_key(&signature) {
                home.known.insert(signature, Loop { steps: steps.to_vec(), played: 0 });
            }
        }
        self.learn_openings(trace, planned);
    }

    /// Takes in which events of a test show another page, and whether Back comes back from there.
    pub fn learn_openings(&mut self, trace: &Trace, planned: &[Planned]) {
        let pages = pages_of(trace);
        for from in 0..planned.len() {
            let Some(page) = leaves(&pages, planned, from) else { continue };
            let home = self.pages.entry(page).or_default();
            let opens = home.opens.entry(planned[from].class()).or_default();
            let keys =
                planned[from + 1..].iter().take(MOST_KEYS).take_while(|it| it.act == Act::Back).count();
            let closes = (1..=keys).find(|keys| pages.get(from + 1 + keys) == Some(&Some(page)));
            opens.closes = opens.closes.or(closes);
        }
    }

    /// The loops of a layout's page with their signatures.
    pub fn of(&self, layout: &Layout) -> impl Iterator<Item = (u64, &Loop)> {
        let page = self.pages.get(&layout.key(Same::Page));
        page.into_iter().flat_map(|page| page.known.iter().map(|(signature, it)| (*signature, it)))
    }

    /// What is known of an event of a layout's page that shows another one; `None` if none of its class did.
    pub fn opens(&self, layout: &Layout, class: EventClass) -> Option<Opens> {
        self.pages.get(&layout.key(Same::Page))?.opens.get(&class).copied()
    }

    /// As [`Loops::opens`], to count what is planned and tried.
    pub fn opens_mut(&mut self, layout: &Layout, class: EventClass) -> Option<&mut Opens> {
        self.pages.get_mut(&layout.key(Same::Page))?.opens.get_mut(&class)
    }

    /// Counts that a mutant has this loop as its detour.
    pub fn count(&mut self, layout: &Layout, signature: u64) {
        let page = self.pages.get_mut(&layout.key(Same::Page));
        if let Some(known) = page.and_then(|page| page.known.get_mut(&signature)) {
            known.played += 1;
        }
    }
}

/// The page before each event of a test and after the last one; `None` outside of the app.
fn pages_of(trace: &Trace) -> Vec<Option<LayoutKey>> {
    layouts_of(trace).iter().map(|layout| layout.as_deref().map(|layout| layout.key(Same::Page))).collect()
}

/// The page that an event of a test leaves for another one. `None` for Back, and for events in a dialog.
fn leaves(pages: &[Option<LayoutKey>], planned: &[Planned], event: usize) -> Option<LayoutKey> {
    let page = pages.get(event).copied().flatten()?;
    let performed = planned.get(event).filter(|it| it.act != Act::Back && !is_dialog(&it.on));
    (performed.is_some() && pages.get(event + 1).is_some_and(|after| *after != Some(page))).then_some(page)
}

fn signature(steps: &[Planned]) -> u64 {
    let mut hasher = StableHasher::new();
    for class in steps.iter().map(Planned::class) {
        hasher.u64(class.0);
        hasher.u64(class.1);
    }
    hasher.finish()
}
