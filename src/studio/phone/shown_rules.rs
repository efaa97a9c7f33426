//! What the test rules and the block list say of the screen on the phone.

use std::sync::Arc;

use crate::mirror::FrameNo;
use taproof_screen::{Layout, PxRect};
use taproof_spec::{OutOfBounds, Spec, TestRules, blocked_widgets, derived_blocks};

/// What the rules say of a screen. Found again only for another screen, other rules or another block list.
#[derive(Default)]
pub struct ShownRules {
    of: Option<(FrameNo, Vec<Arc<TestRules>>, Option<String>)>,
    /// Where what is ignored is.
    pub ignored: Vec<PxRect>,
    /// Where the widgets are that random events do not touch, while the block list is shown.
    pub blocked: Vec<PxRect>,
    /// Why tests leave the screen at once. `None` if they do not.
    pub denied: Option<OutOfBounds>,
}

impl ShownRules {
    /// Follows the phone to this screen, and the person to the block list of this specification, with its version.
    pub fn follow(
        &mut self,
        frame: FrameNo,
        layout: &Layout,
        rules: Vec<Arc<TestRules>>,
        list: Option<(&str, &Spec)>,
    ) {
        let version = list.map(|(version, _)| version.to_owned());
        let known = self.of.as_ref().is_some_and(|(of, known, of_list)| {
            *of == frame
                && *of_list == version
                && known.len() == rules.len()
                && known.iter().zip(&rules).all(|(a, b)| Arc::ptr_eq(a, b))
        });
        if known {
            return;
        }
        let all = TestRules::joined(rules.iter().map(|rules| &**rules));
        (self.ignored, self.denied) = (all.ignored_on(layout), all.denied(layout));
        self.blocked = list.map_or_else(Vec::new, |(_, spec)| {
            let blocks = [spec.blocks.clone(), derived_blocks(spec)].concat();
            let widgets = blocked_widgets(&blocks, layout).into_iter();
            widgets.filter_map(|idx| layout.get(idx)).map(|widget| widget.bounds).collect()
        });
        self.of = Some((frame, rules, version));
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
        shown.follow(FrameNo(1), &layout, vec![Arc::new(rules.clone())], None);
        assert_eq!(
            (shown.ignored.as_slice(), &shown.denied),
            (&[layout.widget(WidgetIdx(1)).bounds][..], &None)
        );
        rules.add(RuleEntry::denying_activity(&layout).unwrap());
        let rules = vec![Arc::new(rules)];
        shown.follow(FrameNo(1), &layout, rules.clone(), None);
        assert_eq!(shown.denied.as_ref().unwrap().to_string(), "the activity org.ex/.Main");
        let elsewhere = layout_from("Button\n").with_activity("org.ex/.Other".into());
        shown.follow(FrameNo(2), &elsewhere, rules, None);
        assert!(shown.ignored.is_empty() && shown.denied.is_none());
    }
}
