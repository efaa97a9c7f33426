//! Screens with their marks as SVG. Each screenshot is contained in the page only once, and marks scale with it. If
//! there is no readable screenshot, the layout is drawn as boxes.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use crate::report::picture::{png_file, small_picture};
use crate::report::progress::Progress;
use crate::report::scene::{Scene, Touch};
use crate::report::text::printable;
use crate::report::{Mark, ReportError};
use taproof_campaign::Evidence;
use taproof_engine::device::PngBytes;
use taproof_screen::{Layout, PxPoint, PxRect, PxSize, one_line};

/// The screenshots of a page, each once.
pub(crate) struct Pictures<'a> {
    /// For each trace and frame, the index in `shown`; `None` for frames that are not to be shown.
    of_frame: Vec<Vec<Option<usize>>>,
    shown: Vec<Shown<'a>>,
}

/// Two pixels for each pixel of the page, for a screen in portrait.
const WIDTH_PX: u32 = 540;

enum Shown<'a> {
    Png(PngBytes, PxSize),
    Wires(&'a Layout),
}

impl<'a> Pictures<'a> {
    /// The screenshots of these traces: of the last step and of so many steps before it, `None` for all. Findings of one
    /// app share many of them.
    pub fn of(
        traces: &[&'a Evidence],
        before: Option<usize>,
        progress: &mut Progress<'_>,
    ) -> Result<Self, ReportError> {
        let mut pictures = Pictures { of_frame: Vec::new(), shown: Vec::new() };
        let first = |evidence: &Evidence| first_shown(evidence.trace.len(), before);
        let stored = |evidence: &&'a Evidence| evidence.screenshots.iter().skip(first(evidence)).flatten();
        let different: BTreeSet<&[u8]> = traces.iter().flat_map(stored).map(|png| png.as_slice()).collect();
        progress.expect(different.len());
        let mut places: BTreeMap<&[u8], usize> = BTreeMap::new();
        for evidence in traces {
            let mut of_frame = Vec::new();
            let trace = &evidence.trace;
            of_frame.resize(first(evidence), None);
            for (index, frame) in
                (first(evidence)..=trace.len()).filter_map(|index| Some((index, trace.frame(index)?)))
            {
                let next = pictures.shown.len();
                let stored = evidence.screenshots.get(index).and_then(Option::as_ref);
                let place = stored.map_or(next, |png| *places.entry(png).or_insert(next));
                if place == next {
                    let small = match stored {
                        Some(png) => progress.part(|| png_file(small_picture(png, WIDTH_PX)?))?,
                        None => None,
                    };
                    pictures.shown.push(match small {
                        Some(png) => Shown::Png(png, frame.layout.screen()),
                        None => Shown::Wires(&frame.layout),
                    });
                }
                of_frame.push(Some(place));
            }
            pictures.of_frame.push(of_frame);
        }
        Ok(pictures)
    }

    /// Whether the page shows this frame of the trace with this index.
    pub fn shows(&self, trace: usize, frame: usize) -> bool {
        self.place(trace, frame).is_some()
    }

    fn place(&self, trace: usize, frame: usize) -> Option<usize> {
        *self.of_frame.get(trace)?.get(frame)?
    }

    /// The screenshots themselves, which must precede their uses in the page.
    pub fn definitions(&self) -> Markup {
        html! {
            svg.defs aria-hidden="true" {
                @for (place, shown) in self.shown.iter().enumerate() {
                    g id={ "p" (place) } {
                        @match shown {
                            Shown::Png(png, size) => image width=(size.width) height=(size.height)
                                href={ "data:image/png;base64," (STANDARD.encode(png.as_slice())) } {},
                            Shown::Wires(layout) => (wires(layout)),
                        }
                    }
                }
            }
        }
    }

    /// A screen of the trace with this index, with its marks.
    pub fn screen(&self, trace: usize, scene: &Scene<'_>, label: &str) -> Markup {
        self.marked(trace, scene, label, true)
    }

    /// A small screen, whose marks have no words.
    pub fn small(&self, trace: usize, scene: &Scene<'_>, label: &str) -> Markup {
        self.marked(trace, scene, label, false)
    }

    fn marked(&self, trace: usize, scene: &Scene<'_>, label: &str, words: bool) -> Markup {
        let PxSize { width, height } = scene.layout.screen();
        let place = self.place(trace, scene.frame).unwrap_or(0);
        let unit = unit_of(scene.layout.screen());
        html! {
            svg.screen role="img" aria-label=(printable(label)) viewBox={ "0 0 " (width) " " (height) } {
                use href={ "#p" (place) } {}
                @for (rect, mark) in &scene.boxes { (outline(rect, *mark, unit, scene.layout.screen(), words)) }
                @if let Some(touch) = &scene.touch { (finger(touch, unit)) }
            }
        }
    }
}

/// A screen without a screenshot, with its marks.
pub(super) fn sketch(layout: &Layout, marks: &[(PxRect, Mark)], label: &str) -> Markup {
    let PxSize { width, height } = layout.screen();
    html! {
        svg.screen role="img" aria-label=(printable(label)) viewBox={ "0 0 " (width) " " (height) } {
            (wires(layout))
            @for (rect, mark) in marks { (outline(rect, *mark, unit_of(layout.screen()), layout.screen(), false)) }
        }
    }
}

/// One unit of a drawing, so that marks are equally thick on every screen.
fn unit_of(screen: PxSize) -> i32 {
    (screen.width.min(screen.height) / 90).max(1)
}

/// The first frame that is shown of a trace with so many steps.
fn first_shown(steps: usize, before: Option<usize>) -> usize {
    before.map_or(0, |before| steps.saturating_sub(before.saturating_add(1)))
}

fn color(mark: Mark) -> &'static str {
    match mark {
        Mark::Touched => "var(--accent)",
        Mark::Offending => "var(--bad)",
        Mark::Added => "var(--good)",
        Mark::Changed => "var(--warn)",
    }
}

/// The label of a mark, with a sign, so that marks are not distinguished by colour only.
fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Touched => "\u{25cf}",
        Mark::Offending => "\u{2717}",
        Mark::Added => "+",
        Mark::Changed => "\u{270e}",
    }
}

fn outline(rect: &PxRect, mark: Mark, unit: i32, screen: PxSize, words: bool) -> Markup {
    let strong = matches!(mark, Mark::Touched | Mark::Offending);
    let label = if strong { format!("{} {}", sign(mark), mark.word()) } else { sign(mark).to_owned() };
    let (line, height) = (if strong { unit / 2 } else { unit / 4 }.max(1), unit * 4);
    let width = (label.chars().count() as i32) * unit * 9 / 5 + unit * 2;
    // Above the box if there is room, else inside it; never beyond the screen.
    let top = if rect.top >= height { rect.top - height } else { rect.top };
    let left = rect.left.min(screen.width - width).max(0);
    html! {
        g stroke=(color(mark)) fill="none" {
            rect x=(rect.left) y=(rect.top) width=(rect.width()) height=(rect.height()) rx=(unit / 2)
                stroke-width=(line) stroke-dasharray=[(!strong).then(|| format!("{} {unit}", unit * 2))] {}
        }
        @if strong && words {
            rect x=(left) y=(top) width=(width) height=(height) rx=(unit / 2) fill=(color(mark)) {}
            text x=(left + unit) y=(top + unit * 3 - unit / 4) font-size=(unit * 3) font-weight="500" fill="var(--raised)" {
                (label)
            }
        }
    }
}

fn finger(touch: &Touch, unit: i32) -> Markup {
    let ring = |at: PxPoint, radius: i32| {
        html! { circle cx=(at.x) cy=(at.y) r=(radius) fill="none" stroke="var(--accent)" stroke-width=(unit) {} }
    };
    let dot = |at: PxPoint| {
        html! { circle cx=(at.x) cy=(at.y) r=(unit * 3) fill="var(--accent)" fill-opacity="0.5"
        stroke="#fff" stroke-width=(unit / 2) {} }
    };
    match touch {
        Touch::Point { at, long } => html! { (dot(*at)) @if *long { (ring(*at, unit * 5)) } },
        Touch::Line { from, to } => html! {
            line x1=(from.x) y1=(from.y) x2=(to.x) y2=(to.y) stroke="var(--accent)" stroke-width=(unit)
                stroke-linecap="round" {}
            (dot(*from)) (ring(*to, unit * 2))
        },
    }
}

/// The layout as boxes with their texts.
fn wires(layout: &Layout) -> Markup {
    let size = layout.screen();
    html! {
        rect width=(size.width) height=(size.height) fill="var(--panel)" {}
        @for (idx, widget) in layout.iter().filter(|(_, widget)| !widget.bounds.is_empty()) {
            rect x=(widget.bounds.left) y=(widget.bounds.top) width=(widget.bounds.width())
                height=(widget.bounds.height()) fill=(if widget.clickable() { "var(--accent-soft)" } else { "none" })
                stroke="var(--line)" stroke-width="2" {}
            @if layout.is_leaf(idx) {
                @let text = if widget.text.is_empty() { &widget.content_desc } else { &widget.text };
                text x=(widget.bounds.left + 12) y=(widget.bounds.center().y + 12) font-size="36"
                    fill="var(--text)" { (printable(&fitting(text, widget.bounds.width()))) }
            }
        }
    }
}

/// As much of a text as fits.
fn fitting(text: &str, width: i32) -> String {
    let text = one_line(text);
    let room = (width / 20).max(0) as usize;
    if text.chars().count() <= room { text } else { text.chars().take(room).collect() }
}
