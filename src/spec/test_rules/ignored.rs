//! What is not looked at: clocks, adverts, and whatever else changes by itself.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ActivityPattern, maybe_selector, selector_of_text, xpath_of};
use taproof_screen::{Layout, PxRect, Selector, Text, Widget, WidgetFlags};

/// A part of the screen that no judgement looks at: widgets, or a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ignored {
    /// The widgets, with all that is in them.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "maybe_selector")]
    pub selector: Option<Selector>,
    /// The region, as `[left,top][right,bottom]` in pixels: all widgets that lie in it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write", deserialize_with = "read")]
    pub region: Option<PxRect>,
    /// Only there; everywhere if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityPattern>,
}

fn write<S: Serializer>(region: &Option<PxRect>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&region.unwrap_or_default())
}

fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PxRect>, D::Error> {
    let text = String::deserialize(from)?;
    let region = PxRect::parse(&text).filter(|region| !region.is_empty());
    let problem = || format!("{text:?} is no region: write [left,top][right,bottom], in pixels");
    region.map(Some).ok_or_else(|| serde::de::Error::custom(problem()))
}

impl Ignored {
    /// Reads an option of a command: a region, or an XPath.
    ///
    /// # Errors
    ///
    /// Why it is neither.
    pub fn parse(text: &str) -> Result<Ignored, String> {
        match PxRect::parse(text).filter(|region| !region.is_empty()) {
            Some(region) => Ok(Ignored { region: Some(region), ..Ignored::default() }),
            None => Ok(Ignored { selector: Some(selector_of_text(text)?), ..Ignored::default() }),
        }
    }

    /// What [`parse`](Ignored::parse) reads; `None` if that cannot say it.
    pub(super) fn option(&self) -> Option<String> {
        match (&self.selector, &self.region, &self.activity) {
            (None, Some(region), None) => Some(region.to_string()),
            (Some(selector), None, None) => xpath_of(selector),
            _ => None,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match (&self.selector, &self.region) {
            (None, None) => Err("something to ignore has neither selector nor region: \
                                 write one, such as a selector or region"
                .to_owned()),
            _ => Ok(()),
        }
    }

    fn mark(&self, layout: &Layout, ignored: &mut [bool]) {
        if self.activity.as_ref().is_some_and(|activity| !activity.matches(layout.activity())) {
            return;
        }
        let named = self.selector.iter().flat_map(|selector| selector.matches(layout));
        named.for_each(|idx| ignored[idx.index()] = true);
        let lies_in = |bounds: &PxRect| {
            self.region.is_some_and(|region| !bounds.is_empty() && region.intersect(bounds) == *bounds)
        };
        for (idx, _) in layout.iter().filter(|(_, widget)| lies_in(&widget.bounds)) {
            ignored[idx.index()] = true;
        }
    }
}

/// The layout with an empty box for each widget that is ignored; `None` if none is.
pub(super) fn without(parts: &[Ignored], layout: &Layout) -> Option<Layout> {
    let mut ignored = vec![false; layout.widgets().len()];
    parts.iter().for_each(|part| part.mark(layout, &mut ignored));
    if !ignored.contains(&true) {
        return None;
    }
    Some(layout.with_replaced(|idx, builder| {
        if ignored[idx.index()] {
            builder.open(emptied(layout.widget(idx)));
            builder.close();
        }
        ignored[idx.index()]
    }))
}

/// A widget of which only place, class and id are left, and which takes no input.
fn emptied(widget: &Widget) -> Widget {
    Widget {
        text: Text::from(""),
        content_desc: Text::from(""),
        hint: Text::from(""),
        flags: WidgetFlags::default(),
        ..widget.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Same, WidgetIdx, layout_from};

    fn screen(clock: &str, advert: &str) -> Layout {
        layout_from(&format!(
            "FrameLayout\n  TextView#clock \"{clock}\"\n  FrameLayout#advert\n{advert}  Button#ok \"OK\"\n"
        ))
    }

    fn ignoring(parts: &[&str], layout: &Layout) -> Option<Layout> {
        let parts: Vec<Ignored> = parts.iter().map(|part| Ignored::parse(part).unwrap()).collect();
        without(&parts, layout)
    }

    #[test]
    fn screens_that_differ_only_there_are_equal() {
        let (one, other) = (
            screen("10:00", "    ImageView\n    ImageView\n"),
            screen("10:01", "    TextView \"Buy\"\n    ImageView\n"),
        );
        let parts = ["//*[@resource-id='org.ex:id/clock']", "//*[@resource-id='org.ex:id/advert']"];
        let (one_left, other_left) = (ignoring(&parts, &one).unwrap(), ignoring(&parts, &other).unwrap());
        assert_eq!(one_left.key(Same::Exact), other_left.key(Same::Exact));
        assert_ne!(one.key(Same::Structure), other.key(Same::Structure));
        let texts: Vec<&str> = one_left.widgets().iter().map(|widget| &*widget.text).collect();
        assert_eq!(texts, ["", "", "", "OK"]);
        assert_eq!(one_left.activity(), one.activity());
        let box_of_clock = one_left.widget(WidgetIdx(1));
        assert!(
            box_of_clock.resource_id == one.widget(WidgetIdx(1)).resource_id && !box_of_clock.clickable()
        );
    }

    #[test]
    fn a_region_takes_what_lies_in_it_and_nothing_else() {
        let layout = screen("10:00", "");
        let clock = layout.widget(WidgetIdx(1)).bounds;
        let texts = |region: PxRect| {
            let left = ignoring(&[&region.to_string()], &layout);
            left.map(|left| left.widgets().iter().map(|widget| widget.text.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(texts(clock).unwrap(), ["", "", "", "OK"]);
        let half = PxRect { right: clock.right - 1, ..clock };
        assert_eq!(texts(half), None);
        assert!(Ignored::parse("[0,0][0,0]").is_err() && Ignored::parse("//*[").is_err());
    }

    #[test]
    fn what_is_ignored_on_one_activity_is_seen_on_others() {
        let layout = screen("10:00", "");
        let part = Ignored {
            activity: Some(ActivityPattern("Other".to_owned())),
            ..Ignored::parse("//*[@text='10:00']").unwrap()
        };
        assert_eq!(without(std::slice::from_ref(&part), &layout), None);
        assert!(without(&[part], &layout.with_activity("org.ex/.Other".into())).is_some());
    }
}
