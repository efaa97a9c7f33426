//! The data model of a test that begins with the data that the app already holds: what its lists show.

use std::collections::BTreeMap;

use super::scroll_search::{SCROLL_LIMIT, scroll_lists};
use crate::{RoundCtx, Stop};
use taproof_screen::{Layout, StepRole};
use taproof_spec::{CompiledDmf, DataType, ImpactOp, Scope, TextPattern};

/// How often each object of each type is shown.
type Shown = BTreeMap<(DataType, String), usize>;

/// Adds the objects that the first page shows, by the selectors of the DMFs, to the data model. Its lists are scrolled to
/// their ends.
///
/// # Errors
///
/// As [`RoundCtx::perform`].
pub(crate) fn take_shown_data(ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
    let target = ctx.target();
    if target.dmfs().is_empty() {
        return Ok(());
    }
    let mut shown = shown_on(target.dmfs(), &target.app, &ctx.frame().layout);
    scroll_lists(ctx, SCROLL_LIMIT, StepRole::Appended, |ctx| {
        take_most(&mut shown, shown_on(target.dmfs(), &target.app, &ctx.frame().layout));
        false
    })?;
    ctx.change_data(|data| {
        for ((data_type, text), times) in &shown {
            for _ in 0..*times {
                data.apply(data_type, &ImpactOp::Add, text);
            }
        }
    });
    Ok(())
}

fn shown_on(dmfs: &[CompiledDmf], app: &str, layout: &Layout) -> Shown {
    let mut shown = Shown::new();
    for widget in dmfs.iter().flat_map(CompiledDmf::widgets) {
        let TextPattern::Existing(data_type) = &widget.named.selector.text else { continue };
        let mut here = Shown::new();
        for text in widget.possible_objects(Scope::App(app), layout) {
            *here.entry((data_type.clone(), text.to_owned())).or_default() += 1;
        }
        take_most(&mut shown, here);
    }
    shown
}

/// Screens and selectors overlap, so what several of them show counts as often as one of them shows it.
fn take_most(shown: &mut Shown, here: Shown) {
    for (object, times) in here {
        let most = shown.entry(object).or_default();
        *most = times.max(*most);
    }
}
