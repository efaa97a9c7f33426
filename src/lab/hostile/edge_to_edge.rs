//! Apps that draw behind the bars of the system, and gestures in place of buttons.

use taproof_screen::{Event, Key, PxPoint, PxRect, PxSize};

use crate::perturbation::{Perturbation, Seen, moves, relocated};

/// Width of the edges, and height of the lower one, where gestures begin that are the system's.
const EDGE: i32 = 48;
const LOWER: i32 = 72;

/// What touches the edges of the window reaches to those of the screen. There is no bar with buttons.
#[derive(Clone, Default)]
pub(crate) struct EdgeToEdge {
    /// The area of the window as the phone has it.
    window: PxRect,
    screen: PxSize,
}

impl Perturbation for EdgeToEdge {
    fn show(&mut self, seen: &mut Seen<'_>) {
        self.window = PxRect::default();
        if !seen.is_page() {
            return;
        }
        let (window, screen) = (seen.tree.area(), seen.tree.screen);
        (self.window, self.screen) = (window, screen);
        seen.tree.each(|widget| {
            if widget.bounds.top <= window.top {
                widget.bounds.top = 0;
            }
            if widget.bounds.bottom >= window.bottom {
                widget.bounds.bottom = screen.height;
            }
        });
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        let (window, screen) = (self.window, self.screen);
        if window.is_empty() {
            return Some(event);
        }
        if let Event::Widget { target, gesture } = &event
            && moves(gesture)
        {
            let from = target.at;
            if from.y >= screen.height - LOWER {
                return Some(Event::Key(Key::Home));
            }
            if from.x < EDGE || from.x >= screen.width - EDGE {
                return Some(Event::Key(Key::Back));
            }
        }
        // What lies behind a bar belongs to what goes on beside it.
        let inside = |at: PxPoint| PxPoint { y: at.y.clamp(window.top, window.bottom - 1), ..at };
        Some(relocated(event, None, inside))
    }
}
