//! Every control of every place, dialog and sheet has a name of its own. At every size and scale, nothing is outside of
//! the window, nothing lies over something else, and no text is cut off by what is around it. What is cut short shows the
//! whole text under the pointer.
#![allow(clippy::disallowed_methods)]

use taproof_testing::cut_texts::{cut_texts, is_drawn_whole};

use std::collections::{BTreeMap, BTreeSet};

use egui::accesskit::{Action, NodeId, Role};
use egui::{Key, Modifiers, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FileQuestion};
use taproof_studio::phone::KeepCommand;
use taproof_studio::replay::{ExportId, Exporting, ReplayCommand};
use taproof_studio::shell::{Sheet, WindowCommand};
use taproof_studio::specs::DocumentCommand;
use taproof_studio::state::{Place, RecordView};
use taproof_testing::hand::{Hand, id, text};

const NONE: Modifiers = Modifiers::NONE;
/// Number of passes until a tooltip is drawn.
const TOOLTIP_STEPS: usize = 45;

/// What is wrong with the scenes looked at so far.
struct Look {
    hand: Hand,
    /// The controls of the scene before.
    below: Vec<(String, String, Rect)>,
    /// The texts cut short that the pointer was put on.
    pointed_at: BTreeSet<String>,
    wrong: Vec<String>,
}

/// Texts that may be cut short without showing the whole under the pointer, by a part of them, each with its reason.
const MAY_BE_CUT: &[(&str, &str)] = &[
    ("\n", "an area of text is scrolled to its sides"),
    ("folder: ", "the table of a trial\u{2019}s runs is scrolled to its sides"),
    ("should be here", "the list of changes is scrolled to its sides"),
];

impl Look {
    fn ask(&mut self, command: impl Into<Command>) {
        self.hand.harness.state_mut().queue(command.into());
        self.hand.harness.run_steps(4);
        self.hand.settle();
    }

    fn at(&mut self, scene: &str) {
        self.look(scene, false);
    }

    /// The scene lies above the one before, which cannot be reached meanwhile.
    fn above(&mut self, scene: &str) {
        self.look(scene, true);
    }

    fn look(&mut self, scene: &str, above: bool) {
        self.hand.harness.run_steps(2);
        let mut controls = controls(&self.hand.harness);
        if above {
            controls.retain(|control| !self.below.contains(control));
        } else {
            self.below.clone_from(&controls);
        }
        let names = unnamed(controls);
        self.wrong.extend(names.into_iter().map(|what| format!("{scene}: {what}")));
        for pixels in [vec2(1280.0, 800.0), vec2(1920.0, 1080.0)] {
            for scale in [100, 125, 150, 200] {
                let size = pixels / (f32::from(scale) / 100.0);
                self.scale(scale, size);
                let drawn = drawn(&self.hand.harness);
                let mut wrong = outside(&drawn, size);
                if !above {
                    wrong.extend(overlapping(&drawn));
                }
                wrong.extend(self.cut_short());
                let at = format!("{scene}, {} by {} at {scale} %", pixels.x, pixels.y);
                self.wrong.extend(wrong.into_iter().map(|what| format!("{at}: {what}")));
            }
        }
        self.scale(100, vec2(1280.0, 800.0));
    }

    /// The texts that are cut short and do not show the whole under the pointer. Each is pointed at once.
    fn cut_short(&mut self) -> Vec<String> {
        let allowed = |text: &str| MAY_BE_CUT.iter().any(|(part, _)| text.contains(part));
        let harness = &mut self.hand.harness;
        let mut wrong = Vec::new();
        for cut in cut_texts(harness.output()) {
            if allowed(&cut.text) || !self.pointed_at.insert(cut.text.clone()) {
                continue;
            }
            let before = is_drawn_whole(harness.output(), &cut.text);
            harness.hover_at(cut.at);
            // A tooltip waits until the pointer rests, and is sized before it is drawn.
            harness.run_steps(TOOLTIP_STEPS);
            if !before && !is_drawn_whole(harness.output(), &cut.text) {
                wrong.push(format!("cut short: {:?} at {:?}", cut.text, cut.at));
            }
            harness.event(egui::Event::PointerGone);
            harness.run_steps(2);
        }
        wrong
    }

    fn scale(&mut self, scale: u16, size: egui::Vec2) {
        self.hand.harness.state_mut().state.settings.scale = scale;
        self.hand.harness.run_steps(2);
        self.hand.harness.set_size(size);
        self.hand.harness.run_steps(4);
    }

    fn end(self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

fn look(folder: &tempfile::TempDir) -> Look {
    Look {
        hand: Hand::open(&folder.path().join("workspace")),
        below: Vec::new(),
        pointed_at: BTreeSet::new(),
        wrong: Vec::new(),
    }
}

/// What can be pressed, chosen or typed into. A scroll bar says all with its role, and the ground of a row is
/// only a larger room to press.
fn is_control(node: &egui::accesskit::Node) -> bool {
    let acts = node.supports_action(Action::Focus) || node.supports_action(Action::Click);
    acts && !matches!(node.role(), Role::ScrollBar | Role::GenericContainer)
}

/// Those of the window: role, name, place. Rows of a tree are told apart by what is around them.
fn controls(harness: &Harness<'_, Studio>) -> Vec<(String, String, Rect)> {
    let mut found = Vec::new();
    for node in harness.query_all(by().predicate(|_| true)) {
        let access = node.accesskit_node();
        let data = access.data();
        if is_control(data) && access.role() != Role::TreeItem {
            let name = access.label().or_else(|| access.value()).unwrap_or_default();
            found.push((format!("{:?}", access.role()), name.trim().to_owned(), node.rect()));
        }
    }
    found
}

/// Controls without a name, and those that only their place tells apart.
fn unnamed(controls: Vec<(String, String, Rect)>) -> Vec<String> {
    let mut places: BTreeMap<(String, String), Vec<Rect>> = BTreeMap::new();
    for (role, name, rect) in controls {
        places.entry((role, name)).or_default().push(rect);
    }
    let wrong = places.into_iter().filter(|((_, name), places)| name.is_empty() || places.len() > 1);
    wrong.map(|((role, name), places)| format!("{role} {name:?} at {places:?}")).collect()
}

/// A control, a text or a scroll bar.
struct Drawn {
    words: String,
    rect: Rect,
    /// The innermost part around it that can be scrolled; around a scroll bar, the one outside of its own.
    scrolled_in: Option<NodeId>,
    /// The scroll bars of that part.
    bars: Vec<Rect>,
    around: Vec<NodeId>,
    id: NodeId,
    /// Whether it is a text of several lines. Where it continues in the next row of wrapped contents, its box is larger
    /// than what is drawn.
    continues: bool,
    is_bar: bool,
}

impl Drawn {
    /// What is scrolled with it: what lies directly in the part with the scroll bar stands still.
    fn scrolled(&self) -> (Option<NodeId>, bool) {
        (self.scrolled_in, self.scrolled_in.is_some() && self.around.first() == self.scrolled_in.as_ref())
    }
}

/// What can be seen, or scrolled into sight.
fn drawn(harness: &Harness<'_, Studio>) -> Vec<Drawn> {
    let mut found = Vec::new();
    for node in harness.query_all(by().predicate(|_| true)) {
        let access = node.accesskit_node();
        let name = access.label().or_else(|| access.value()).unwrap_or_default();
        let text = access.role() == Role::Label && !name.trim().is_empty();
        let is_bar = access.role() == Role::ScrollBar;
        if !text && !is_bar && !is_control(access.data()) {
            continue;
        }
        let around: Vec<_> = std::iter::successors(node.parent(), NodeT::parent).collect();
        let bars = |around: &egui_kittest::Node<'_>| -> Vec<Rect> {
            let is_bar = |child: &egui_kittest::Node<'_>| child.accesskit_node().role() == Role::ScrollBar;
            around.children().filter(is_bar).map(|bar| bar.rect()).collect()
        };
        let scrolled = around.iter().skip(usize::from(is_bar)).find(|around| !bars(around).is_empty());
        found.push(Drawn {
            words: format!("{:?} {name:?} at {:?}", access.role(), node.rect()),
            rect: node.rect(),
            scrolled_in: scrolled.map(|around| around.accesskit_node().locate().0),
            bars: scrolled.map(bars).unwrap_or_default(),
            around: around.iter().map(|around| around.accesskit_node().locate().0).collect(),
            id: access.locate().0,
            continues: text && node.rect().height() > 24.0,
            is_bar,
        });
    }
    found
}

/// What is cut off and cannot be scrolled into sight.
fn outside(drawn: &[Drawn], size: egui::Vec2) -> Vec<String> {
    let window = Rect::from_min_size(egui::Pos2::ZERO, size);
    let is_cut = |it: &&Drawn| {
        let room = match it.bars.as_slice() {
            [] => window,
            [below] if below.width() > below.height() => Rect::everything_above(below.max.y),
            [right] => Rect::everything_left_of(right.max.x),
            _ => Rect::EVERYTHING,
        };
        !room.expand(1.0).contains_rect(it.rect)
    };
    let cut = drawn.iter().filter(is_cut);
    cut.map(|it| format!("cut off: {}", it.words)).collect()
}

/// What lies partly over something else that is scrolled with it. A text inside of its row is no overlap.
fn overlapping(drawn: &[Drawn]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, one) in drawn.iter().enumerate() {
        for other in &drawn[place + 1..] {
            let apart = one.scrolled() != other.scrolled() || one.continues || other.continues;
            let apart = apart || one.is_bar || other.is_bar;
            let nested = one.around.contains(&other.id) || other.around.contains(&one.id);
            let inside = one.rect.expand(1.0).contains_rect(other.rect)
                || other.rect.expand(1.0).contains_rect(one.rect);
            let common = one.rect.intersect(other.rect);
            if !apart && !nested && !inside && common.width() > 2.0 && common.height() > 2.0 {
                wrong.push(format!("{} over {}", one.words, other.words));
            }
        }
    }
    wrong
}

fn show(sheet: Option<Sheet>) -> WindowCommand {
    WindowCommand::Show(sheet)
}

#[test]
fn the_window_and_what_lies_above_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut look = look(&folder);
    look.at("first start");
    look.ask(show(Some(Sheet::Palette)));
    look.above("palette");
    look.ask(show(Some(Sheet::Help)));
    look.above("help");
    look.ask(show(Some(Sheet::Preferences)));
    look.above("preferences");
    look.ask(show(None));
    let export = |id, file: &str| Exporting::new(ExportId(id), file.into());
    look.hand.harness.state_mut().state.exports =
        vec![export(1, "campaign-1.html"), export(2, "campaign-2.xml")];
    look.at("two exports");
    look.hand.harness.state_mut().state.exports.clear();
    look.ask(Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))));
    look.above("file chooser");
    look.end();
}

#[test]
#[ignore = "takes long"]
fn the_place_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut look = look(&folder);
    look.hand.key(Modifiers::COMMAND, Key::R);
    look.at("recording begins");
    look.hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    look.hand.tap(&text("Folder"));
    look.hand.type_text("k7");
    look.at("recording");
    look.hand.tap(&id("android:id/button1"));
    look.hand.key(Modifiers::COMMAND, Key::R);
    look.at("review");
    look.hand
        .harness
        .state_mut()
        .queue(Command::Record(taproof_studio::record::RecordCommand::Show(Some(1))));
    look.hand.settle();
    look.at("a step");
    look.hand.click("Add to After: a widget that must show");
    look.at("picking");
    look.hand.key(NONE, Key::Escape);
    look.hand.key(NONE, Key::T);
    look.hand.wait("the trial", 300, |state| state.trial.report.is_some());
    look.at("trial");
    look.ask(KeepCommand::Test);
    look.above("regression test");
    look.end();
}

#[test]
#[ignore = "takes long"]
fn the_specification() {
    let folder = tempfile::tempdir().unwrap();
    let mut look = look(&folder);
    look.ask(Command::GoRecord(RecordView::Specification));
    look.at("specification");
    let shown = |look: &Look| {
        let state = look.hand.state();
        state.documents.shown(&state.settings.target.app).unwrap().id
    };
    look.ask(Command::Document(DocumentCommand::Copy(shown(&look))));
    look.hand.wait("a copy", 30, |state| state.documents.list.iter().any(|document| !document.shipped));
    let copy = shown(&look);
    let dmfs = look.hand.state().documents.get(copy).unwrap().spec.dmfs.len();
    for dmf in (0..dmfs).step_by(5) {
        look.ask(Command::Document(DocumentCommand::Choose(copy, dmf)));
        look.at(&format!("Function {dmf}"));
    }
    look.hand.click("Remove the function");
    look.ask(Command::Document(DocumentCommand::Close(copy)));
    look.above("unsaved changes");
    look.end();
}

#[test]
#[ignore = "takes long"]
fn the_places_fuzz_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let mut look = look(&folder);
    look.ask(Command::Go(Place::Replay));
    look.at("no findings");
    look.ask(Command::Go(Place::Fuzz));
    look.at("no campaigns");
    let mut form = look.hand.state().campaigns.form.clone();
    form.events = "many".to_owned();
    look.ask(Command::EditForm(Box::new(form.clone())));
    look.at("a mistake in the form");
    form.events = "1,500".to_owned();
    look.ask(Command::EditForm(Box::new(form)));
    for _ in 0..2 {
        look.hand.key(NONE, Key::F5);
    }
    look.hand.wait("the campaigns", 300, |state| {
        state.campaigns.list.len() == 2 && state.campaigns.list.iter().all(|it| !it.alive())
    });
    look.at("campaigns");
    let campaign = &look.hand.state().campaigns.list[0];
    let open = Command::OpenFinding(campaign.id, campaign.found.findings[0].id.clone());
    look.ask(open);
    look.hand.wait("the finding", 30, |state| state.replay.is_some());
    look.ask(Command::Replay(ReplayCommand::Last));
    look.at("a finding");
    look.end();
}

#[test]
fn the_edges_of_panels_are_moved_by_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&folder.path().join("workspace"));
    for name in ["Edge of the phone", "Edge of the screen and the steps"] {
        let at = |hand: &Hand| hand.harness.get_by_label(name).rect().left();
        let before = at(&hand);
        hand.harness.get_by_label(name).focus();
        hand.harness.run_steps(2);
        hand.key(NONE, Key::ArrowLeft);
        hand.harness.run_steps(2);
        assert_eq!(at(&hand).round(), (before - 16.0).round(), "{name} goes where the key points");
    }
}
