//! Which widgets show that the app is still loading.

use super::{Layout, WidgetFlags, WidgetIdx};

/// A bar is wide and low if it is at least this many times as wide as high; a ring is about as wide as high.
const WIDE: i32 = 4;

impl Layout {
    /// The widgets that show that something is being loaded: progress bars, without those that show an amount. A bar
    /// shows an amount if its range is known, as Android tells the range of determinate bars only. Where ranges are not
    /// reported, a wide and low bar counts as an amount if the page below the top bar can be used meanwhile.
    pub fn loading_widgets(&self) -> impl Iterator<Item = WidgetIdx> + '_ {
        let progress = self.iter().filter(|(_, widget)| widget.is_progress()).map(|(idx, _)| idx);
        progress.filter(|idx| !self.shows_amount(*idx))
    }

    fn shows_amount(&self, bar: WidgetIdx) -> bool {
        let bounds = self.widget(bar).bounds;
        self.details(bar).is_some_and(|details| details.range.is_some())
            || bounds.width() >= WIDE.saturating_mul(bounds.height()) && self.is_usable_beside(bar)
    }

    /// Whether something of the same app can be used that is neither in the top bar nor around this widget.
    fn is_usable_beside(&self, bar: WidgetIdx) -> bool {
        let app = &self.widget(bar).package;
        self.iter().any(|(idx, widget)| {
            widget.package == *app
                && widget.is_actionable()
                && widget.flags.has(WidgetFlags::ENABLED)
                && !widget.bounds.is_empty()
                && !self.holds(idx, bar)
                && !std::iter::once(idx).chain(self.ancestors(idx)).any(|it| self.widget(it).is_top_bar())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Layout, LayoutBuilder, PxRect, PxSize, Rotation, WidgetDetails, WidgetIdx, layout_from};

    const PAGE: &str =
        "FrameLayout\n  Toolbar\n    ImageButton#up\n  ProgressBar#bar\n  TextView \"40 of 90\"\n";
    const BAR: WidgetIdx = WidgetIdx(3);

    fn loads(layout: &Layout) -> bool {
        layout.loading_widgets().next() == Some(BAR)
    }

    /// The page with a ring, which is as wide as high.
    fn with_ring(page: &str) -> Layout {
        layout_from(page).with_changed(&[BAR], |ring| ring.bounds = PxRect::new(490, 300, 590, 400))
    }

    #[test]
    fn a_bar_whose_range_is_known_shows_an_amount() {
        let known = |range: Option<[i32; 3]>| {
            let page = with_ring(PAGE);
            let screen = PxSize { width: 1080, height: 1920 };
            let mut builder = LayoutBuilder::new("org.ex/.Main".into(), screen, Rotation::PORTRAIT);
            for (idx, widget) in page.iter() {
                while builder.depth() > page.depth(idx) {
                    builder.close();
                }
                let opened = builder.open(widget.clone());
                let range = range.filter(|_| idx == BAR);
                builder.describe(opened, WidgetDetails { range, ..WidgetDetails::default() });
            }
            builder.finish()
        };
        assert!(loads(&known(None)));
        assert!(!loads(&known(Some([0, 40_000, 90_000]))));
    }

    #[test]
    fn a_wide_bar_on_a_page_that_can_be_used_shows_an_amount() {
        let page = layout_from(PAGE);
        assert!(loads(&page), "only the top bar can be used");
        let usable = PAGE.to_owned() + "  Button#add \"Add\"\n";
        assert!(!loads(&layout_from(&usable)));
        assert!(loads(&with_ring(&usable)), "a ring shows no amount");
        let disabled = layout_from(&usable).with_changed(&[WidgetIdx(5)], |button| {
            button.flags = button.flags.with(crate::WidgetFlags::ENABLED, false);
        });
        assert!(loads(&disabled));
    }
}
