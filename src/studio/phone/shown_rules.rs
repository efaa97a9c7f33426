//! What the test rules say of the screen on the phone.

use std::sync::Arc;

use crate::mirror::FrameNo;
use taproof_screen::{Layout, PxRect};
use taproof_spec::{OutOfBounds, TestRules};

/// What the rules say of a screen. Found again only for another screen or other rules.
#[derive(Default)]
pub struct ShownRules {
    of: Option<(FrameNo, Vec<Arc<TestRules>>)>,
    /// Where what is ignored is.
    pub ignored: Vec<PxRect>,
    /// Why tests leave the screen at once. `None` if they do not.
    pub denied: Option<OutOfBounds>,
}

impl ShownRules {
    /// Follows the phone to this screen.
    pub fn follow(&mut self, frame: FrameNo, layout: &Layout, rules: Vec<Arc<TestRules>>) {
        let known = self.of.as_ref().is_some_and(|(of, known)| {
            *of == frame
                && known.len() == rules.len()
                && known.iter().zip(&rules).all(|(a, b)| Arc::ptr_eq(a, b))
        });
        if known {
            return;
        }
        let all = TestRules::joined(rules.iter().map(|rules| &**rules));
        (self.ignored, self.denied) = (all.ignored_on(layout), all.denied(layout));
        self.of = Some((frame, rules));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{WidgetIdx, layout_from};
    use taproof_spec::RuleEntry;

    #[test]
    fn a_screen_shows_what_is_ignored_and_denied_on_it() {
        let layout =
            layout_from("FrameLayout\n  TextView#clock \"10:00\"\n").with_activity("org.ex/.Main".into());
        let mut rules = TestRules::default();
        rules.add(RuleEntry::ignoring(&layout, WidgetIdx(1)).unwrap());
        let mut shown = ShownRules::default();
        shown.follow(FrameNo(1), &layout, vec![Arc::new(rules.clone())]);
        assert_eq!(
            (shown.ignored.as_slice(), &shown.denied),
            (&[layout.widget(WidgetIdx(1)).bounds][..], &None)
        );
        rules.add(RuleEntry::denying_activity(&layout).unwrap());
        let rules = vec![Arc::new(rules)];
        shown.follow(FrameNo(1), &layout, rules.clone());
        assert_eq!(shown.denied.as_ref().unwrap().to_string(), "the activity org.ex/.Main");
        let elsewhere = layout_from("Button\n").with_activity("org.ex/.Other".into());
        shown.follow(FrameNo(2), &elsewhere, rules);
        assert!(shown.ignored.is_empty() && shown.denied.is_none());
    }
}
