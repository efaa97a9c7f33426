//! The names that experiments give to objects.

use taproof_engine::RoundCtx;
use taproof_screen::TextClass;
use taproof_screen::determinism::Rng;
use taproof_spec::{DataModel, FreshText, ImpactOp, generate};

/// Makes names that differ from all before, and that no screen shows by chance.
pub(super) struct Names {
    rng: Rng,
    used: DataModel,
}

const TYPE: &str = "name";

impl Names {
    pub(super) fn new(rng: Rng) -> Names {
        Names { rng, used: DataModel::new() }
    }

    /// A plain name that the current screen does not show.
    pub(super) fn fresh(&mut self, ctx: &RoundCtx<'_>) -> String {
        let plain = FreshText { data_type: None, classes: vec![(TextClass::Plain, 1)] };
        let mut last = String::from("name");
        for _ in 0..16 {
            let Some(drawn) = generate(&plain, TYPE, &self.used, &mut self.rng) else { break };
            last = drawn.text;
            let shown = ctx.frame().layout.widgets().iter().any(|widget| widget.text.contains(&last));
            if last.chars().count() >= 4 && !shown {
                break;
            }
        }
        self.used.apply(TYPE, &ImpactOp::Add, &last);
        last
    }

    /// All names so far.
    pub(super) fn all(&self) -> &[String] {
        self.used.objects(TYPE)
    }
}
