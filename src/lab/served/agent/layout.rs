//! A layout in an answer.

use std::collections::BTreeMap;

use super::answers::optional;
use taproof_engine::agent::Encoder;
use taproof_screen::{Layout, PxRect, PxSize, Text, Widget, WidgetDetails};

/// Writes a layout without its activity.
pub(super) fn write_layout(to: &mut Encoder, layout: &Layout) {
    let PxSize { width, height } = layout.screen();
    to.i32(width);
    to.i32(height);
    to.u8(layout.rotation().0);
    to.count(layout.windows().len());
    for window in layout.windows() {
        to.u32(window.display);
        to.text(&window.title);
        to.flag(window.active);
        optional(to, window.root, |to, root| to.u32(root.0));
    }
    let mut names = Names::default();
    to.count(layout.widgets().len());
    for (idx, widget) in layout.iter() {
        write_widget(to, &mut names, layout.depth(idx), widget, layout.details(idx));
    }
}

fn write_widget(
    to: &mut Encoder,
    names: &mut Names,
    depth: usize,
    widget: &Widget,
    details: Option<&WidgetDetails>,
) {
    to.u16(u16::try_from(depth).unwrap_or(u16::MAX));
    to.u16(widget.flags.0);
    names.write(to, &widget.package);
    names.write(to, &widget.class);
    names.write(to, widget.resource_id.as_deref().unwrap_or(""));
    rect(to, widget.bounds);
    // Most widgets have no text, so that one byte says which they have.
    let texts = [&widget.text, &widget.content_desc, &widget.hint];
    let mask = texts.iter().rev().fold(0, |mask, text| mask << 1 | u8::from(!text.is_empty()));
    to.u8(mask | u8::from(details.is_some()) << 3);
    texts.into_iter().filter(|text| !text.is_empty()).for_each(|text| to.text(text));
    if let Some(details) = details {
        to.text(&details.error);
        to.i32(details.drawing_order);
        optional(to, details.range, |to, range| range.into_iter().for_each(|value| to.i32(value)));
        optional(to, details.cell, |to, cell| cell.into_iter().for_each(|value| to.i32(value)));
    }
}

pub(super) fn rect(to: &mut Encoder, rect: PxRect) {
    [rect.left, rect.top, rect.right, rect.bottom].into_iter().for_each(|edge| to.i32(edge));
}

/// The names that stand in a message already, and their numbers.
#[derive(Default)]
struct Names(BTreeMap<Text, u16>);

impl Names {
    /// Writes a name: 0 if it is empty, the number of an earlier one, or the next number and the name itself.
    fn write(&mut self, to: &mut Encoder, name: &str) {
        if name.is_empty() {
            return to.u16(0);
        }
        if let Some(known) = self.0.get(name) {
            return to.u16(*known);
        }
        match u16::try_from(self.0.len() + 1) {
            Ok(next) if next < u16::MAX => {
                self.0.insert(Text::from(name), next);
                to.u16(next);
            }
            // The table is full: the largest number announces a name that is not kept.
            _ => to.u16(u16::MAX),
        }
        to.text(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::agent::{Decoder, ProtocolError, read_layout};
    use taproof_screen::{LayoutBuilder, Rotation, WidgetFlags, WidgetIdx, layout_from};

    fn details() -> WidgetDetails {
        WidgetDetails {
            error: Text::from("too short"),
            drawing_order: 3,
            range: Some([0, 500, 1000]),
            cell: Some([2, 0]),
        }
    }

    fn round_trip(layout: &Layout) -> Result<Layout, ProtocolError> {
        let mut to = Encoder::default();
        write_layout(&mut to, layout);
        let bytes = to.finish();
        let mut from = Decoder::new(&bytes);
        let back = read_layout(&mut from)?;
        from.finish()?;
        Ok(back)
    }

    #[test]
    fn a_layout_is_read_as_it_was_written() {
        let layout = layout_from(
            "LinearLayout\n  EditText#name \"Grüße 😀\" (d)\n  ListView#list\n    CheckBox#done \"a\"\n  Button#ok\n",
        );
        let mut builder = LayoutBuilder::new(Text::from(""), layout.screen(), layout.rotation());
        for (idx, widget) in layout.iter() {
            while builder.depth() > layout.depth(idx) {
                builder.close();
            }
            let opened = builder.open(widget.clone());
            if widget.is_text_field() {
                builder.describe(opened, details());
            }
        }
        let layout = builder.finish().with_unnamed_marked();
        assert!(layout.widget(WidgetIdx(4)).flags.has(WidgetFlags::NAF), "nothing says what it is");
        assert_eq!(layout.details(WidgetIdx(1)), Some(&details()));
        assert_eq!(layout.details(WidgetIdx(0)), None);
        assert_eq!(round_trip(&layout), Ok(layout));
    }

    #[test]
    fn windows_keep_their_order_with_and_without_widgets() {
        let mut builder = LayoutBuilder::new(Text::from(""), PxSize { width: 9, height: 9 }, Rotation(1));
        let button = layout_from("Button \"a\"\n").widgets()[0].clone();
        builder.window(0, Text::from("empty"), false);
        builder.window(0, Text::from("dialog"), true);
        builder.open(button.clone());
        builder.open(button.clone());
        builder.close();
        builder.close();
        builder.window(2, Text::from("page"), false);
        builder.open(button);
        builder.close();
        builder.window(0, Text::from("last"), false);
        let layout = builder.finish();
        assert_eq!(round_trip(&layout), Ok(layout));
        let empty = Layout::empty(PxSize { width: 1, height: 2 }, Rotation::PORTRAIT);
        assert_eq!(round_trip(&empty), Ok(empty));
    }

    #[test]
    fn impossible_trees_are_refused() {
        let mut to = Encoder::default();
        to.i32(100);
        to.i32(-100);
        to.u8(0);
        to.count(0);
        to.count(1);
        let layout = layout_from("Button\n");
        let mut deep = Encoder::default();
        write_widget(&mut deep, &mut Names::default(), 3, &layout.widgets()[0], None);
        let bytes = [to.finish(), deep.finish()].concat();
        let error = read_layout(&mut Decoder::new(&bytes)).unwrap_err();
        assert!(error.to_string().contains("a depth is 3"), "{error}");
    }

    #[test]
    fn a_name_stands_in_a_message_once() {
        let (mut encoder, mut table) = (Encoder::default(), Names::default());
        for name in ["android.widget.Button", "", "org.ex", "android.widget.Button"] {
            table.write(&mut encoder, name);
        }
        let bytes = encoder.finish();
        assert_eq!(bytes.len(), 2 + 4 + 21 + 2 + 2 + 4 + 6 + 2);
        let mut decoder = Decoder::new(&bytes);
        let mut next = || decoder.name("name").unwrap();
        let names = [next(), next(), next(), next()];
        assert_eq!(
            names.each_ref().map(|name| &**name),
            ["android.widget.Button", "", "org.ex", "android.widget.Button"]
        );
        decoder.finish().unwrap();
        assert!(Decoder::new(&[0, 2]).name("class").unwrap_err().to_string().contains("class is 2"));
    }

    #[test]
    fn a_table_of_names_that_is_full_changes_nothing() {
        let (mut encoder, mut table) = (Encoder::default(), Names::default());
        let names: Vec<String> = (0..70_000).map(|number| format!("n{number}")).collect();
        names.iter().chain(&names).for_each(|name| table.write(&mut encoder, name));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for name in names.iter().chain(&names) {
            assert_eq!(&*decoder.name("name").unwrap(), name);
        }
        decoder.finish().unwrap();
    }
}
