//! Looking for something in the lists of a screen.

use crate::{RoundCtx, Stop};
use taproof_screen::{Direction, Event, Gesture, Selector, StepRole, naming_selector};

/// Number of swipes that searching for one widget may take (not in the paper).
pub(crate) const SCROLL_LIMIT: u32 = 24;

/// How looking for something in the lists of a screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollSearch {
    /// What was looked for is on the screen now.
    Found,
    /// Every list was seen from end to end.
    NotThere,
    /// The limit came first.
    GaveUp,
}

/// Scrolls the app's lists, each down to its end and up to its start, until `found` says so.
pub fn scroll_lists(
    ctx: &mut RoundCtx<'_>,
    limit: u32,
    role: StepRole,
    mut found: impl FnMut(&RoundCtx<'_>) -> bool,
) -> Result<ScrollSearch, Stop> {
    let mut left = limit;
    for list in lists(ctx) {
        for direction in [Direction::Up, Direction::Down] {
            loop {
                let (layout, before) = (&ctx.frame().layout, ctx.exact_key());
                let Some(event) = Event::on(layout, list.clone(), Gesture::Swipe(direction)) else { break };
                if left == 0 {
                    return Ok(ScrollSearch::GaveUp);
                }
                left -= 1;
                ctx.perform(event, role)?;
                if found(ctx) {
                    return Ok(ScrollSearch::Found);
                }
                if ctx.exact_key() == before {
                    break;
                }
            }
        }
    }
    Ok(ScrollSearch::NotThere)
}

fn lists(ctx: &RoundCtx<'_>) -> Vec<Selector> {
    let (layout, app) = (&ctx.frame().layout, &ctx.target().app);
    layout
        .iter()
        .filter(|(_, widget)| widget.scrollable() && !widget.is_text_field() && *widget.package == **app)
        .map(|(idx, _)| naming_selector(layout, idx))
        .collect()
}
