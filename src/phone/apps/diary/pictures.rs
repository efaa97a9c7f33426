//! The camera and the pictures of an entry.

use super::store::EntryId;
use super::{Diary, Page};
use crate::{
    Align, Color, Content, Edges, Env, Icon, Picture, Size, System, View, dialog, empty_state, loading,
    page_toolbar,
};
use taproof_screen::words;

/// How long the camera takes for a picture, in ms.
const SHUTTER_MILLIS: u64 = 500;

/// The page of the camera.
#[derive(Clone, Debug, Default)]
pub struct CameraPage {
    front: bool,
    busy: bool,
}

/// The pictures of an entry.
#[derive(Clone, Debug)]
pub struct PicturesPage {
    entry: EntryId,
    /// Index of the picture that is shown large.
    large: usize,
}

/// The dialog that confirms deleting a picture.
#[derive(Clone, Debug)]
pub struct ConfirmPage {
    picture: Picture,
}

words! {
    /// A message to the camera and the pictures.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The shutter button was tapped.
        Shutter = "diary.camera.shutter",
        /// The picture has been taken.
        Taken = "diary.camera.taken",
        /// The answer to the request for the camera permission after it had been revoked.
        Allowed(bool) = [
            true => "diary.camera.allowed",
            false => "diary.camera.denied",
        ],
        /// Switches between the front and the back camera.
        Flip = "diary.camera.flip",
        /// The thumbnail with this index was tapped.
        Show(usize) = "diary.pictures.show",
        /// The delete button was tapped.
        Delete = "diary.pictures.delete",
        /// The deletion was confirmed.
        DeleteForSure = "diary.pictures.delete-for-sure",
    }
    fn point(&self);
}

impl CameraPage {
    /// Discards the picture being taken, which is lost with the process.
    pub(super) fn forget_shot(&mut self) {
        self.busy = false;
    }
}

impl PicturesPage {
    /// The pictures of an entry, with the newest shown large.
    pub(super) fn of(entry: EntryId) -> Self {
        PicturesPage { entry, large: 0 }
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::Pictures(msg)
}

/// A row of thumbnails. A tap on any of them sends `click`.
pub(super) fn thumbnails(pictures: &[Picture], most: usize, click: super::Msg) -> View<super::Msg> {
    let thumbnail = |picture: &Picture| {
        View::picture(*picture)
            .id("picture")
            .desc("Picture")
            .width(Size::Dp(48))
            .height(Size::Dp(48))
            .margin(Edges::all(3))
            .click(click.clone())
    };
    let row = pictures.iter().take(most).map(thumbnail).collect();
    View::row(row).id("image_grid").height(Size::Wrap)
}

pub(super) fn camera_view(app: &Diary, page: &CameraPage, env: &Env<'_>) -> View<super::Msg> {
    let scene = app.store.running().map_or(0, |entry| entry.id) * 2 + u32::from(page.front);
    let mut layers = vec![View::picture(Picture(1000 + scene)).id("preview").desc("Camera preview").fill()];
    let button = |icon, desc: &'static str, id, msg| {
        View::icon_button(icon, Color::WHITE, desc, msg).id(id).background(Color(0x424242)).radius(24)
    };
    let up = button(Icon::ArrowBack, "Navigate up", "camera_close", super::Msg::Close);
    layers.push(up.margin(Edges::all(12)).align(Align::Start, Align::Start));
    if page.busy {
        env.cover("diary.view.camera-busy");
        layers.push(loading("camera_progress"));
    } else {
        let shutter = button(Icon::PhotoCamera, "Shutter", "shutter", send(Msg::Shutter))
            .width(Size::Dp(72))
            .height(Size::Dp(72))
            .background(env.accent)
            .radius(36)
            .margin(Edges::all(24))
            .align(Align::Center, Align::End);
        let flip = button(Icon::Refresh, "Switch camera", "flip", send(Msg::Flip));
        layers.push(shutter);
        layers.push(flip.margin(Edges::all(36)).align(Align::End, Align::End));
    }
    View::frame(layers).background(Color(0x000000))
}

pub(super) fn camera_update(app: &mut Diary, page: &mut CameraPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Allowed(true) => {}
        Msg::Allowed(false) => {
            sys.toast("Without the camera no picture can be taken");
            sys.finish();
        }
        Msg::Flip => page.front = !page.front,
        Msg::Shutter if !page.busy => {
            page.busy = true;
            sys.after(SHUTTER_MILLIS, send(Msg::Taken));
        }
        Msg::Taken => {
            if let Some(id) = app.store.running().map(|entry| entry.id) {
                sys.cover("diary.camera.attached");
                app.store.attach_picture(id);
                sys.toast("Picture attached");
            }
            sys.finish();
        }
        Msg::Shutter | Msg::Show(_) | Msg::Delete | Msg::DeleteForSure => {}
    }
}

pub(super) fn view(app: &Diary, page: &PicturesPage, env: &Env<'_>) -> View<super::Msg> {
    let pictures = app.store.entry(page.entry).map_or(&[][..], |entry| &entry.pictures);
    let name = app.store.entry(page.entry).map(|entry| app.label(entry.activity).0).unwrap_or_default();
    let mut bar = page_toolbar(env.accent, super::Msg::Close, name, Vec::new());
    let Some(large) = pictures.get(page.large).or(pictures.first()) else {
        env.cover("diary.view.no-pictures");
        let nothing = View::frame(vec![empty_state(Icon::Image, "No pictures of this activity")]).grow_y();
        return View::column(vec![bar, nothing]).fill().background(Color::SURFACE);
    };
    if let Content::Linear(_, children) = &mut bar.content {
        let delete = View::icon_button(Icon::Delete, Color::WHITE, "Delete Picture", send(Msg::Delete));
        children.push(delete.id("action_delete_picture").align(Align::Start, Align::Center));
    }
    let large =
        View::picture(*large).id("large_picture").desc("Large picture").grow_y().margin(Edges::all(8));
    let small = |(position, picture): (usize, &Picture)| {
        View::picture(*picture)
            .id("picture")
            .desc("Picture")
            .width(Size::Dp(64))
            .height(Size::Dp(64))
            .margin(Edges::all(4))
            .selected(position == page.large)
            .click(send(Msg::Show(position)))
    };
    let strip = View::row(pictures.iter().take(5).enumerate().map(small).collect()).height(Size::Dp(72));
    View::column(vec![bar, large, strip.id("image_grid")]).fill().background(Color::SURFACE)
}

pub(super) fn update(app: &mut Diary, page: &mut PicturesPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Show(position) => page.large = position,
        Msg::Delete if app.store.settings.confirm_picture => {
            let shown = app.store.entry(page.entry).and_then(|entry| entry.pictures.get(page.large));
            if let Some(picture) = shown {
                sys.cover("diary.pictures.ask");
                sys.open(Page::ConfirmPicture(ConfirmPage { picture: *picture }));
            }
        }
        Msg::Delete | Msg::DeleteForSure => {
            if page.large > 0 {
                sys.cover("diary.pictures.delete-older");
            }
            app.store.delete_picture(page.entry, page.large, app.bugs.wrong_picture);
            page.large = 0;
        }
        Msg::Shutter | Msg::Taken | Msg::Allowed(_) | Msg::Flip => {}
    }
}

pub(super) fn confirm_view(page: &ConfirmPage, env: &Env<'_>) -> View<super::Msg> {
    let picture = View::picture(page.picture).id("picture").width(Size::Match).height(Size::Dp(120));
    let buttons = vec![("Cancel", super::Msg::Close), ("Delete picture", send(Msg::DeleteForSure))];
    dialog("Delete this picture?", vec![picture], env.accent, buttons)
}
