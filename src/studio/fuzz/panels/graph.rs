//! The state graph of an engine: thumbnails in layers by their distance from the start, which can be moved, zoomed and
//! searched. Of the selected state, the screen, the texts and the outgoing transitions are shown.
//!
//! Only what is visible is drawn. Lines are drawn only for the first path to each state, and for the transitions of the
//! selected one.

use egui::{
    Align, Align2, Button, Color32, FontId, Label, Layout, Mesh, Painter, Pos2, Rect, RichText, ScrollArea,
    Sense, Stroke, TextEdit, Ui, Vec2, WidgetType, pos2, vec2,
};

use super::thumbnails::Thumbnails;
use crate::command::Command;
use crate::fuzz::{
    CampaignCommand, CampaignState, GraphCommand, GraphState, GraphView, StateSummary, ThumbnailOf,
};
use crate::parts::controls::{empty_state, icon_button, labelled_button, named, waiting_state, wide_card};
use crate::parts::overlay::{PictureSlot, ScreenView, paint_screen};
use crate::parts::theme::{caption, icon, strong, tokens};
use crate::state::StudioState;
use taproof_engine::{State, StateId};
use taproof_screen::{WidgetIdx, counted, thousands, widget_name};

/// Size of a node, and distances between the centres of nodes, in points at a zoom of 1.
const NODE: Vec2 = vec2(60.0, 100.0);
const STEP: Vec2 = vec2(84.0, 150.0);
/// Width of the side panel of the selected state, in points.
const SIDE: f32 = 260.0;
/// Range of the zoom.
const ZOOM: std::ops::RangeInclusive<f32> = 0.02..=2.5;
/// Minimum zooms at which nodes show their thumbnails and their names.
const PICTURES: f32 = 0.18;
const NAMES: f32 = 0.7;
/// Numbers of visible nodes above which rows are drawn as bars, and above which thumbnails are left out.
const MOST: usize = 6000;
const MOST_PICTURES: usize = 1000;
/// Maximum number of transitions of the selected state that are drawn.
const MOST_ARROWS: usize = 300;
/// Minimum height of a layer, in points, for showing its distance from the start.
const LAYER: f32 = 15.0;

/// The panel's own state.
pub struct GraphPanel {
    /// The point of the graph in the centre of the panel.
    middle: Pos2,
    zoom: f32,
    /// The value of [`GraphState::centred`] for which a state was last centred.
    centred: u64,
    /// How the graph follows as it grows or the panel is resized. Nothing follows once the person moves or zooms it.
    follows: Option<Follows>,
    of: Option<(crate::state::CampaignId, usize)>,
    screen: PictureSlot,
}

/// What stays in sight of a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// The start, with thumbnails that can be told apart.
    Start,
    /// All states, however small.
    All,
}

impl Default for GraphPanel {
    fn default() -> Self {
        let screen = PictureSlot::default();
        GraphPanel {
            middle: Pos2::ZERO,
            zoom: 1.0,
            centred: 0,
            follows: Some(Follows::Start),
            of: None,
            screen,
        }
    }
}

/// Draws the graph into the available space.
pub fn graph_panel_ui(
    state: &StudioState,
    campaign: &CampaignState,
    panel: &mut GraphPanel,
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let graph = &state.campaigns.graph;
    let of = state.campaigns.shown_run().map(|place| (campaign.id, place));
    let view = of.and_then(|of| graph.shown(of));
    let height = ui.available_height() - 26.0;
    wide_card(ui, |ui| {
        ui.set_height(height);
        let Some(view) = view.filter(|view| !view.rows.is_empty()) else {
            if of.is_some_and(|of| graph.arranges(of)) {
                return waiting_state(ui, "Arranging the states", "");
            }
            let kept = campaign.alive()
                || of.and_then(|(_, place)| campaign.runs.get(place)).is_some_and(|run| run.graph.is_some());
            let how = if kept { "They appear with the first events." } else { "They were not kept." };
            if campaign.earlier.is_some() {
                let how = "The screens that an engine saw are only known as long as the window that ran it is open.";
                empty_state(ui, icon::LIST, "The states of earlier campaigns are not kept", how);
            } else {
                empty_state(ui, icon::LIST, "No states yet", how);
            }
            return;
        };
        if panel.of != of {
            (panel.of, panel.follows) = (of, Some(Follows::Start));
        }
        head_ui(graph, view, panel, commands, ui);
        let whole = ui.available_rect_before_wrap();
        let side = if graph.selected.is_some() { SIDE.min(whole.width() * 0.45) } else { 0.0 };
        let room = whole.with_max_x(whole.right() - side - if side > 0.0 { 8.0 } else { 0.0 });
        canvas_ui(state, view, (panel, thumbnails), room, commands, ui);
        if let Some(chosen) = graph.selected {
            let place = whole.with_min_x(whole.right() - side);
            let mut side = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt("chosen state"));
            chosen_ui(view, (chosen, &graph.summary), &mut panel.screen, commands, &mut side);
        }
        ui.advance_cursor_after_rect(whole);
    });
}

/// Draws the number of states, the search, and the zoom buttons.
fn head_ui(
    graph: &GraphState,
    view: &GraphView,
    panel: &mut GraphPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal(|ui| {
        let mut query = graph.query.clone();
        let edit = TextEdit::singleline(&mut query).hint_text("Activity or text shown").desired_width(160.0);
        let response = ui.add(edit.margin(egui::Margin::symmetric(8, 6)));
        response.widget_info(|| egui::WidgetInfo::labeled(WidgetType::TextEdit, true, "Search the states"));
        if response.changed() {
            commands.push(CampaignCommand::Graph(GraphCommand::Search(query)).into());
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let hits = graph.hits.len();
        if !graph.query.trim().is_empty() {
            let words = match hits {
                0 => "no state shows it".to_owned(),
                hits => format!("{} of {}", graph.hit + 1, thousands(hits as u64)),
            };
            if icon_button(ui, icon::NEXT, "Next state found", hits > 1).clicked() || (enter && hits > 1) {
                commands.push(CampaignCommand::Graph(GraphCommand::NextHit).into());
            }
            ui.label(caption(words));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if labelled_button(ui, "", "Show all", true).clicked() {
                panel.follows = Some(Follows::All);
            }
            for (icon_of, name, by) in
                [(icon::NEW, "Show larger", 1.4), (icon::REMOVED, "Show smaller", 1.0 / 1.4)]
            {
                if icon_button(ui, icon_of, name, true).clicked() {
                    panel.follows = None;
                    panel.zoom = (panel.zoom * by).clamp(*ZOOM.start(), *ZOOM.end());
                }
            }
            let (states, steps) = (view.graph.len() as u64, view.graph.transitions().len() as u64);
            let words = format!("{} states, {} transitions", thousands(states), thousands(steps));
            ui.add(Label::new(caption(words)).truncate());
        });
    });
}

/// The transformation between the graph and the window.
#[derive(Clone, Copy)]
struct Lens {
    room: Rect,
    middle: Pos2,
    zoom: f32,
}

impl Lens {
    fn to_window(self, at: Pos2) -> Pos2 {
        self.room.center() + (at - self.middle) * self.zoom
    }

    fn graph_point(self, at: Pos2) -> Pos2 {
        self.middle + (at - self.room.center()) / self.zoom
    }

    /// The rectangle of a node in the window.
    fn node(self, view: &GraphView, id: StateId) -> Option<Rect> {
        let (row, column) = *view.places.get(id.0 as usize)?;
        Some(Rect::from_center_size(self.to_window(centre(view, row, column)), NODE * self.zoom))
    }
}

/// The centre of a node in the graph. Rows are centred horizontally.
fn centre(view: &GraphView, row: u32, column: u32) -> Pos2 {
    let count = view.rows.get(row as usize).map_or(1, |row| row.states.len());
    pos2((column as f32 - (count as f32 - 1.0) / 2.0) * STEP.x, row as f32 * STEP.y)
}

fn canvas_ui(
    state: &StudioState,
    view: &GraphView,
    (panel, thumbnails): (&mut GraphPanel, &mut Thumbnails),
    room: Rect,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let graph = &state.campaigns.graph;
    let response = ui.interact(room, ui.id().with("states"), Sense::click_and_drag());
    named(&response, WidgetType::Other, &format!("States: {}", view.graph.len()));
    let lens = panel.look(view, graph, room, &response, ui);
    let painter = ui.painter().with_clip_rect(room);
    painter.rect_filled(room, 6, tokens(ui.ctx()).base);
    let seen = in_sight(view, lens);
    let many = seen.iter().map(Vec::len).sum::<usize>() > MOST;
    let drawn: Vec<StateId> = if many { Vec::new() } else { seen.into_iter().flatten().collect() };
    let pictures = lens.zoom >= PICTURES && drawn.len() <= MOST_PICTURES;
    if many {
        bars(view, lens, &painter, ui);
    }
    let wanted = if pictures {
        lines(view, lens, &drawn, &painter, ui);
        arrows(view, graph, lens, &painter, ui);
        // Clipped, so that nodes do not cover what is beside the graph.
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room));
        inside.set_clip_rect(ui.clip_rect().intersect(room));
        let node = |id: &StateId| node_ui(state, view, (*id, lens), thumbnails, &inside);
        drawn.iter().filter_map(node).collect()
    } else {
        dust(view, graph, lens, &drawn, &painter, ui);
        arrows(view, graph, lens, &painter, ui);
        Vec::new()
    };
    layers(view, lens, &painter, ui);
    let pointed = response.hover_pos().and_then(|at| {
        let under = |id: &&StateId| lens.node(view, **id).is_some_and(|rect| rect.contains(at));
        drawn.iter().rfind(under).copied()
    });
    if !wanted.is_empty() {
        commands.push(CampaignCommand::Thumbnails(wanted).into());
    }
    if response.clicked() {
        commands.push(CampaignCommand::Graph(GraphCommand::Select(pointed)).into());
    }
    if let Some((id, node)) = pointed.and_then(|id| Some((id, view.state(id)?))) {
        response.on_hover_ui_at_pointer(|ui| {
            ui.label(strong(format!("State {}", id.0)));
            ui.label(caption(node.layout.activity().to_string()));
            ui.label(caption(format!("{} visits", thousands(node.visits))));
        });
    }
}

/// Draws a state: its thumbnail, and its name if there is space. Returns its screen if the thumbnail has not been
/// requested yet.
fn node_ui(
    state: &StudioState,
    view: &GraphView,
    (id, lens): (StateId, Lens),
    thumbnails: &mut Thumbnails,
    ui: &Ui,
) -> Option<ThumbnailOf> {
    let (node, rect, zoom) = (view.state(id)?, lens.node(view, id)?, lens.zoom);
    let colors = tokens(ui.ctx());
    let screen = ThumbnailOf::layout(&node.layout);
    let painted = thumbnails.paint(state, &screen, rect, ui);
    let stroke = match mark(&state.campaigns.graph, id, ui) {
        Some(color) => Stroke::new(2.5, color),
        None => Stroke::new(1.0, colors.line),
    };
    ui.painter().rect_stroke(rect, 2, stroke, egui::StrokeKind::Outside);
    if zoom >= NAMES {
        let activity = node.layout.activity().rsplit('.').next().unwrap_or_default();
        let name = format!("{} {}", id.0, activity.trim_end_matches("Activity"));
        let short: String = name.chars().take(16).collect();
        let font = FontId::proportional(10.0 * zoom.min(1.2));
        let at = rect.center_bottom() + vec2(0.0, 2.0);
        ui.painter().text(at, Align2::CENTER_TOP, short, font, colors.quiet);
    }
    (!painted).then_some(screen)
}

/// The colour that marks the selected state or a match of the search.
fn mark(graph: &GraphState, id: StateId, ui: &Ui) -> Option<Color32> {
    let colors = tokens(ui.ctx());
    let found = || graph.hits.binary_search(&id).is_ok().then_some(colors.warn);
    if graph.selected == Some(id) { Some(colors.accent) } else { found() }
}

/// Draws nodes that are too small for thumbnails, with the first path to each, as one mesh, which is cheap even for
/// thousands of them.
fn dust(view: &GraphView, graph: &GraphState, lens: Lens, drawn: &[StateId], painter: &Painter, ui: &Ui) {
    let colors = tokens(ui.ctx());
    let mut mesh = Mesh::default();
    // Stronger lines would hide the nodes.
    let color = colors.quiet.gamma_multiply(0.2);
    for [from, to] in drawn.iter().filter_map(|id| first_way(view, lens, *id)) {
        let side = (to - from).normalized().rot90() * 0.4;
        let first = mesh.vertices.len() as u32;
        for corner in [from + side, from - side, to + side, to - side] {
            mesh.colored_vertex(corner, color);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 2, first + 1, first + 3);
    }
    for id in drawn {
        if let Some(rect) = lens.node(view, *id) {
            mesh.add_colored_rect(rect, mark(graph, *id, ui).unwrap_or(colors.quiet));
        }
    }
    painter.add(mesh);
    if let Some(rect) = graph.selected.and_then(|id| lens.node(view, id)) {
        painter.rect_stroke(rect, 0, Stroke::new(3.0, colors.accent), egui::StrokeKind::Outside);
    }
}

impl GraphPanel {
    /// Applies wheel, drag and pinch, and centres a state if that was requested. Returns the resulting transformation.
    fn look(
        &mut self,
        view: &GraphView,
        graph: &GraphState,
        room: Rect,
        response: &egui::Response,
        ui: &Ui,
    ) -> Lens {
        if let Some(follows) = self.follows {
            let size = vec2(view.width() as f32 * STEP.x, view.rows.len() as f32 * STEP.y);
            let fit = (room.width() / size.x).min(room.height() / size.y);
            self.zoom = if follows == Follows::All { fit.clamp(*ZOOM.start(), 1.0) } else { 1.0 };
            // What does not fit is cut off below.
            let height = size.y.min(room.height() / self.zoom);
            self.middle = pos2(0.0, (height - STEP.y) / 2.0);
        }
        if graph.centred != self.centred {
            self.centred = graph.centred;
            if let Some((row, column)) = graph.selected.and_then(|id| view.places.get(id.0 as usize)) {
                self.middle = centre(view, *row, *column);
                self.zoom = self.zoom.max(NAMES);
                self.follows = None;
            }
        }
        self.follows.take_if(|_| response.drag_delta() != Vec2::ZERO);
        self.middle -= response.drag_delta() / self.zoom;
        if let Some(at) = response.hover_pos() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let by = (wheel / 400.0).exp() * pinch;
            self.follows.take_if(|_| by != 1.0);
            let before = Lens { room, middle: self.middle, zoom: self.zoom };
            let under = before.graph_point(at);
            self.zoom = (self.zoom * by).clamp(*ZOOM.start(), *ZOOM.end());
            let after = Lens { zoom: self.zoom, ..before };
            self.middle += under - after.graph_point(at);
        }
        Lens { room, middle: self.middle, zoom: self.zoom }
    }
}

/// The visible states of each row. The cost does not depend on the size of the graph's other parts.
fn in_sight(view: &GraphView, lens: Lens) -> Vec<Vec<StateId>> {
    let (top, bottom) = (lens.graph_point(lens.room.min), lens.graph_point(lens.room.max));
    let first = ((top.y - NODE.y) / STEP.y).floor().max(0.0) as usize;
    let last = ((bottom.y + NODE.y) / STEP.y).ceil().max(0.0) as usize;
    let rows = view.rows.iter().enumerate().take(last + 1).skip(first);
    rows.map(|(_, row)| {
        let shift = (row.states.len() as f32 - 1.0) / 2.0;
        let from = ((top.x - NODE.x) / STEP.x + shift).floor().max(0.0) as usize;
        let to = ((bottom.x + NODE.x) / STEP.x + shift).ceil().max(0.0) as usize;
        row.states.iter().take(to + 1).skip(from).copied().collect()
    })
    .collect()
}

/// Draws each row as a bar, if individual states would be too small.
fn bars(view: &GraphView, lens: Lens, painter: &Painter, ui: &Ui) {
    for (at, row) in view.rows.iter().enumerate() {
        let ends =
            [0, row.states.len() as u32 - 1].map(|column| lens.to_window(centre(view, at as u32, column)));
        let bar = Rect::from_two_pos(ends[0], ends[1]).expand2(NODE * lens.zoom / 2.0);
        if bar.intersects(lens.room) {
            painter.rect_filled(bar, 0, tokens(ui.ctx()).quiet);
        }
    }
}

/// The line from a state's parent to the state.
fn first_way(view: &GraphView, lens: Lens, id: StateId) -> Option<[Pos2; 2]> {
    let parent = view.parents.get(id.0 as usize).copied().filter(|parent| *parent != id)?;
    Some([lens.node(view, parent)?.center_bottom(), lens.node(view, id)?.center_top()])
}

/// Draws the line from its parent to each visible node.
fn lines(view: &GraphView, lens: Lens, drawn: &[StateId], painter: &Painter, ui: &Ui) {
    let color = tokens(ui.ctx()).quiet.gamma_multiply(0.45);
    let thin = Stroke::new((1.5 * lens.zoom).clamp(0.5, 1.5), color);
    for line in drawn.iter().filter_map(|id| first_way(view, lens, *id)) {
        painter.line_segment(line, thin);
    }
}

/// Draws the transitions of the selected state.
fn arrows(view: &GraphView, graph: &GraphState, lens: Lens, painter: &Painter, ui: &Ui) {
    let Some((chosen, node)) = graph.selected.and_then(|id| Some((id, view.state(id)?))) else { return };
    for to in node.successors.iter().take(MOST_ARROWS) {
        if let (Some(from), Some(to)) = (lens.node(view, chosen), lens.node(view, *to)) {
            arrow(from.center(), to.center(), tokens(ui.ctx()).accent, painter);
        }
    }
}

/// Draws a line above each visible layer, with the layer's distance from the start at the left edge.
fn layers(view: &GraphView, lens: Lens, painter: &Painter, ui: &Ui) {
    let colors = tokens(ui.ctx());
    let mut before = None;
    for (at, row) in view.rows.iter().enumerate() {
        if before.replace(row.distance) == Some(row.distance) {
            continue;
        }
        let top = centre(view, at as u32, 0).y - STEP.y / 2.0;
        let top = lens.to_window(pos2(0.0, top)).y;
        let rows = view.rows[at..].iter().take_while(|other| other.distance == row.distance).count();
        let height = rows as f32 * STEP.y * lens.zoom;
        if height < LAYER || top > lens.room.bottom() || top + height < lens.room.top() {
            continue;
        }
        painter.hline(lens.room.x_range(), top, Stroke::new(1.0, colors.line));
        let words = match row.distance {
            0 => "start".to_owned(),
            1 => "1 event".to_owned(),
            distance => format!("{} events", thousands(distance.into())),
        };
        // The label of a high layer stays visible while the layer is.
        let at = pos2(lens.room.left() + 6.0, (top + 2.0).max(lens.room.top() + 2.0));
        let words = painter.layout_no_wrap(words, FontId::proportional(11.0), colors.quiet);
        // Nodes may be below the label.
        painter.rect_filled(words.rect.translate(at.to_vec2()).expand2(vec2(4.0, 1.0)), 3, colors.base);
        painter.galley(at, words, colors.quiet);
    }
}

fn arrow(from: Pos2, to: Pos2, color: Color32, painter: &Painter) {
    painter.line_segment([from, to], Stroke::new(1.5, color));
    let along = (to - from).normalized();
    let tip = from + (to - from) * 0.6;
    let side = along.rot90() * 4.0;
    let points = vec![tip + along * 7.0, tip + side, tip - side];
    painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
}

/// Draws the selected state: its screen, its transitions and its texts.
fn chosen_ui(
    view: &GraphView,
    (id, summary): (StateId, &StateSummary),
    slot: &mut PictureSlot,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(state) = view.state(id) else { return };
    ui.horizontal(|ui| {
        ui.label(strong(format!("State {}", id.0)));
        ui.label(caption(format!("{} visits", thousands(state.visits))));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icon::CLOSE, "Close the state", true).clicked() {
                commands.push(CampaignCommand::Graph(GraphCommand::Select(None)).into());
            }
        });
    });
    ui.add(Label::new(caption(state.layout.activity().to_string())).truncate());
    let room = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ui.available_height() * 0.5));
    let screen = ScreenView::fit(room, state.layout.screen());
    paint_screen(ui.painter(), &screen, &state.layout, None, slot);
    untouched_ui(state, &summary.untouched, &screen, ui);
    ui.advance_cursor_after_rect(room);
    legend_ui(summary.untouched.len(), ui);
    ScrollArea::vertical().id_salt("state facts").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 20.0;
        ui.label(strong(format!("Transitions ({})", thousands(summary.all_steps as u64))));
        for step in &summary.steps {
            let times =
                if step.count == 1 { String::new() } else { format!(" ({}\u{d7})", thousands(step.count)) };
            let words = format!("{}, to {}{times}", step.sentence, step.to.0);
            let button = Button::new(RichText::new(&words).small()).frame(false).truncate();
            if ui.add(button).on_hover_text(&words).clicked() {
                commands.push(CampaignCommand::Graph(GraphCommand::Show(step.to)).into());
            }
        }
        more_ui(summary.steps.len(), summary.all_steps, ui);
        ui.label(strong("Texts"));
        for text in &summary.texts {
            ui.add(Label::new(RichText::new(text).small()).truncate());
        }
        more_ui(summary.texts.len(), summary.all_texts, ui);
    });
}

/// Rings the widgets that no event has touched; under the pointer, each tells its name.
fn untouched_ui(state: &State, untouched: &[WidgetIdx], screen: &ScreenView, ui: &Ui) {
    let stroke = Stroke::new(1.5, tokens(ui.ctx()).warn);
    for (idx, widget) in untouched.iter().filter_map(|idx| Some((*idx, state.layout.get(*idx)?))) {
        let rect = screen.panel_from_device(widget.bounds).shrink(1.0);
        ui.painter().rect_stroke(rect, 2, stroke, egui::StrokeKind::Inside);
        let response = ui.interact(rect, ui.id().with(("untouched", idx)), Sense::hover());
        response.on_hover_text(format!("Never touched: {}", widget_name(widget)));
    }
}

/// Draws what the rings mean.
fn legend_ui(untouched: usize, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        let words = match untouched {
            0 => "Every usable widget was touched.".to_owned(),
            some => counted(some, "widget") + " never touched",
        };
        if untouched > 0 {
            let (ring, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            let stroke = Stroke::new(1.5, tokens(ui.ctx()).warn);
            ui.painter().rect_stroke(ring, 2, stroke, egui::StrokeKind::Inside);
        }
        let tip = "Ringed are the widgets that can be used, and of which no event of this engine has touched one of the \
                   same kind: with the same id on the same activity";
        ui.label(caption(words)).on_hover_text(tip);
    });
}

fn more_ui(listed: usize, all: usize, ui: &mut Ui) {
    if all > listed {
        ui.label(caption(format!("and {} more", thousands((all - listed) as u64))));
    }
}
