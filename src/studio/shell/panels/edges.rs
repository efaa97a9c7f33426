//! The edges of resizable panels: each has an accessible name and can be moved by the arrow keys.

use egui::containers::panel::PanelState;
use egui::{EventFilter, Id, Key, Rect, Response, Stroke, Ui, WidgetType, vec2};

use crate::parts::controls::named;
use crate::parts::theme::{GRID, tokens};

/// A panel that can be resized. Its size is preserved between sessions.
pub struct MovablePanel {
    /// The panel's name, unique among the panels; its size is stored under it.
    pub id: &'static str,
    /// What the panel contains, for the edge's accessible name.
    what: &'static str,
    /// Whether the panel is above or below the rest instead of beside it.
    pub flat: bool,
}

/// All resizable panels of the window.
pub const MOVABLE_PANELS: &[MovablePanel] = &[
    MovablePanel { id: "phone", what: "the phone", flat: false },
    MovablePanel { id: "record side", what: "the screen and the steps", flat: false },
    MovablePanel { id: "attributes", what: "the attributes", flat: true },
    MovablePanel { id: "spec list", what: "the functions", flat: false },
    MovablePanel { id: "spec json", what: "the JSON", flat: false },
    MovablePanel { id: "spec trial", what: "the trial", flat: true },
    MovablePanel { id: "replay findings", what: "the findings", flat: false },
    MovablePanel { id: "replay steps", what: "the steps", flat: false },
];

/// Names the edges of the panels that were drawn, and moves the focused one by the arrow keys.
pub fn edges_ui(ui: &Ui) {
    for panel in MOVABLE_PANELS {
        let id = Id::new(panel.id);
        // The id that egui gives to the edge.
        let Some(edge) = ui.ctx().read_response(id.with("__resize")) else { continue };
        named(&edge, WidgetType::Other, &format!("Edge of {}", panel.what));
        if edge.has_focus() {
            edge_in_focus(panel, id, &edge, ui);
        }
    }
}

fn edge_in_focus(panel: &MovablePanel, id: Id, edge: &Response, ui: &Ui) {
    let filter =
        EventFilter { horizontal_arrows: !panel.flat, vertical_arrows: panel.flat, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(edge.id, filter));
    let line = Stroke::new(3.0, tokens(ui.ctx()).accent);
    let keys = if panel.flat {
        ui.painter().hline(edge.rect.x_range(), edge.rect.center().y, line);
        (Key::ArrowUp, Key::ArrowDown)
    } else {
        ui.painter().vline(edge.rect.center().x, edge.rect.y_range(), line);
        (Key::ArrowLeft, Key::ArrowRight)
    };
    let presses = |key| ui.input(|input| input.num_presses(key)) as f32;
    let moved = (presses(keys.1) - presses(keys.0)) * 4.0 * GRID;
    let Some(state) = PanelState::load(ui.ctx(), id).filter(|_| moved != 0.0) else { return };
    let size = state.outer_rect.size();
    // A panel to the right of its edge, or below it, grows when the edge moves left or up.
    let away = edge.rect.center() - state.outer_rect.center();
    let more = if panel.flat {
        vec2(0.0, if away.y > 0.0 { moved } else { -moved })
    } else {
        vec2(if away.x > 0.0 { moved } else { -moved }, 0.0)
    };
    let outer_rect = Rect::from_min_size(state.outer_rect.min, size + more);
    ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
    ui.ctx().request_repaint();
}
