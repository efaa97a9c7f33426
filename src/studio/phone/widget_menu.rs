//! What the context menu of a widget offers: its selector in the notations of other tools, and its picture.

use std::path::Path;
use std::sync::Arc;

use crate::command::{Command, FileKind, FilePurpose, FileQuestion};
use crate::effect::Effect;
use crate::mirror::Screenshot;
use crate::state::StudioState;
use taproof_results::report::SelectorForm;
use taproof_screen::{Layout, PxRect, PxSize, WidgetIdx, widget_name};

/// A command about a widget of the screen that the person saw. It holds what it needs, since the phone may show another
/// screen by now.
#[derive(Clone, Debug, PartialEq)]
pub enum WidgetCommand {
    /// Copies the selector in this notation.
    Copy(SelectorForm, String),
    /// Asks where to save the picture of the widget with this name.
    SavePicture(String, Screenshot),
}

impl From<WidgetCommand> for Command {
    fn from(command: WidgetCommand) -> Self {
        Command::Widget(command)
    }
}

/// The part of a picture of the screen that shows the widget. `None` if it is not on the picture.
pub fn picture_of(layout: &Layout, idx: WidgetIdx, screen: &Screenshot) -> Option<Screenshot> {
    // Pictures may be smaller than the screen.
    let scaled = |px: i32, to: i32, whole: i32| i64::from(px) * i64::from(to) / i64::from(whole.max(1));
    let (bounds, size, all) = (layout.get(idx)?.bounds, screen.size, layout.screen());
    let x = |px| scaled(px, size.width, all.width).clamp(0, i64::from(size.width)) as i32;
    let y = |px| scaled(px, size.height, all.height).clamp(0, i64::from(size.height)) as i32;
    let part = PxRect::new(x(bounds.left), y(bounds.top), x(bounds.right), y(bounds.bottom));
    cut(screen, part)
}

fn cut(screen: &Screenshot, part: PxRect) -> Option<Screenshot> {
    if part.width() <= 0 || part.height() <= 0 {
        return None;
    }
    let (row, left, width) =
        (screen.size.width as usize * 4, part.left as usize * 4, part.width() as usize * 4);
    let mut rgba = Vec::with_capacity(width * part.height() as usize);
    for line in screen.rgba.chunks_exact(row).skip(part.top as usize).take(part.height() as usize) {
        rgba.extend_from_slice(line.get(left..left + width)?);
    }
    let size = PxSize { width: part.width(), height: part.height() };
    (rgba.len() == width * part.height() as usize).then(|| Screenshot { size, rgba: Arc::new(rgba) })
}

/// The file name that is suggested for the picture of a widget.
pub fn picture_name(layout: &Layout, idx: WidgetIdx) -> String {
    let Some(widget) = layout.get(idx) else { return "widget.png".to_owned() };
    let id = widget.resource_id.as_deref().and_then(|id| id.rsplit('/').next());
    let name = id.map_or_else(|| widget_name(widget), str::to_owned);
    let words: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let name = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    format!("{}.png", if name.is_empty() { "widget" } else { &name })
}

/// Executes a command about a widget.
pub(crate) fn run_widget(state: &mut StudioState, command: WidgetCommand) -> Vec<Effect> {
    match command {
        WidgetCommand::Copy(form, text) => {
            state.notify(format!("Copied as {}: {text}", form.word()));
            vec![Effect::Copy(text)]
        }
        WidgetCommand::SavePicture(name, picture) => {
            let (purpose, title) = (FilePurpose::SavePicture(picture), "Save the picture of the widget");
            vec![Effect::ask(FileQuestion::of(purpose, FileKind::Save, title, &["png"]).named(name))]
        }
    }
}

/// Says where a picture was saved.
pub(crate) fn picture_saved(state: &mut StudioState, path: &Path) {
    state.notify(format!("Saved the picture: {}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    /// A screen of 4 by 2 pixels, each with its number as red.
    fn picture() -> Screenshot {
        let rgba = (0..8u8).flat_map(|number| [number, 0, 0, 255]).collect();
        Screenshot { size: PxSize { width: 4, height: 2 }, rgba: Arc::new(rgba) }
    }

    fn reds(picture: &Screenshot) -> Vec<u8> {
        picture.rgba.chunks(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn the_picture_of_a_widget_is_cut_out_of_that_of_the_screen() {
        let part = cut(&picture(), PxRect::new(1, 0, 3, 2)).unwrap();
        assert_eq!((part.size, reds(&part)), (PxSize { width: 2, height: 2 }, vec![1, 2, 5, 6]));
        assert_eq!(cut(&picture(), PxRect::new(2, 1, 2, 2)), None);
        let layout = layout_from("FrameLayout\n  Button#save \"Save\"\n");
        // The picture is a tenth of the screen, and the button is the second row of 100 pixels.
        let tenth = PxSize { width: 108, height: 192 };
        let screen = Screenshot { size: tenth, rgba: Arc::new(vec![7; 108 * 192 * 4]) };
        let button = picture_of(&layout, WidgetIdx(1), &screen).map(|button| button.size);
        assert_eq!(button, Some(PxSize { width: 108, height: 10 }));
        assert_eq!(picture_of(&layout, WidgetIdx(9), &picture()), None);
    }

    #[test]
    fn a_selector_is_copied_and_said() {
        let layout = layout_from("FrameLayout\n  Button#save \"Save\"\n  Button \"a/b: c\"\n");
        let forms = SelectorForm::all_of(&layout, WidgetIdx(1));
        assert_eq!(forms.len(), SelectorForm::ALL.len());
        assert_eq!(
            SelectorForm::all_of(&layout, WidgetIdx(2)).len(),
            SelectorForm::ALL.len() - 1,
            "it has no id"
        );
        let (form, text) = forms[1].clone();
        let mut state = StudioState::default();
        let effects = run_widget(&mut state, WidgetCommand::Copy(form, text.clone()));
        assert!(matches!(&effects[..], [Effect::Copy(copied)] if *copied == text));
        assert!(state.message.unwrap().text.contains("XPath"));
        assert_eq!(picture_name(&layout, WidgetIdx(1)), "save.png");
        assert!(!picture_name(&layout, WidgetIdx(2)).contains(['/', ':', ' ']));
    }
}
