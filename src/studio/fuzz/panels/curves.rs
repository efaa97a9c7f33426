//! The progress curves of a campaign's engines, with those of the compared campaign dashed. The legend shows the value
//! of each line at the pointer.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, ComboBox, Label, Sense, TextStyle, Ui, WidgetType, pos2, vec2};
use egui_plot::{
    GridInput, GridMark, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints, PlotResponse,
};

use crate::command::Command;
use crate::fuzz::{CampaignCommand, Compared, Curve, CurveAxis, CurveLine};
use crate::parts::controls::{choose, empty_state, named, segments};
use crate::parts::theme::{caption, heading, icon, icon_font, tokens};
use crate::state::StudioState;
use taproof_results::store::CampaignRow;
use taproof_screen::thousands;

/// Minimum height of the plot, in points.
const HEIGHT: f32 = 120.0;
/// Height reserved for the legend's heading, and for the lines of each campaign, in points.
const LEGEND: f32 = 28.0;
const LEGEND_LINES: f32 = 40.0;

/// Draws the curves with their settings and legend.
pub fn curves_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    choices_ui(state, commands, ui);
    let lines = state.campaigns.curve_lines();
    if lines.iter().all(|line| line.points.len() < 2) {
        let (what, how) = match state.campaigns.curves.curve {
            Curve::Code if lines.iter().all(|line| line.points.is_empty()) => {
                ("No code points", "The app tells none of its code, or an older Taproof kept none.")
            }
            _ => ("Nothing counted yet", "The curves begin with the first events."),
        };
        empty_state(ui, icon::RUNNING, what, how);
        return;
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    let pointed = plot_ui(state, &lines, ui);
    legend_ui(state, &lines, pointed, ui);
}

/// Draws the choices of the quantity, the axis and the campaign to compare with.
fn choices_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let chosen = &state.campaigns.curves;
    ui.horizontal_wrapped(|ui| {
        ui.label(heading("Curves"));
        let combo = ComboBox::from_id_salt("curve").selected_text(chosen.curve.word()).width(84.0);
        let response = combo.show_ui(ui, |ui| {
            for curve in Curve::ALL {
                let label = ui.selectable_label(curve == chosen.curve, curve.word());
                if label.on_hover_text(curve.tip()).clicked() {
                    commands.push(CampaignCommand::Curve(curve).into());
                }
            }
        });
        named(&response.response, WidgetType::ComboBox, "What the curves show");
        let axes = [
            (CurveAxis::Events, "events".to_owned(), "Over the events of each engine"),
            (CurveAxis::Time, "time".to_owned(), "Over the seconds that each engine worked"),
        ];
        if let Some(axis) = segments(ui, Some(chosen.axis), &axes) {
            commands.push(CampaignCommand::Axis(axis).into());
        }
        compare_ui(state, commands, ui);
    });
}

fn compare_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let campaigns = &state.campaigns;
    let shown = campaigns.shown().map(|campaign| campaign.id);
    let mut choices: Vec<(Option<Compared>, String)> = vec![(None, "No other campaign".to_owned())];
    let here = campaigns.of_window().filter(|campaign| Some(campaign.id) != shown);
    choices.extend(here.map(|campaign| {
        let name = format!("{} {}, seed {}", campaign.id.0, campaign.label, campaign.plan.seed);
        (Some(Compared::Shown(campaign.id)), name)
    }));
    let other_earlier = campaigns.earlier().filter(|earlier| Some(earlier.id) != campaigns.earlier_shown());
    choices.extend(other_earlier.map(|earlier| (Some(Compared::Kept(earlier.id)), name_of(state, earlier))));
    let current = choices.iter().skip(1).find(|(choice, _)| *choice == campaigns.curves.compared);
    let text = current.map_or("Compare with\u{2026}", |(_, name)| name.as_str());
    let combo = ComboBox::from_id_salt("compare").selected_text(text.to_owned()).width(104.0).truncate();
    let mut compared = campaigns.curves.compared;
    if choose(combo, "Compare with another campaign", &mut compared, choices, ui).changed() {
        commands.push(CampaignCommand::Compare(compared).into());
    }
}

fn name_of(state: &StudioState, earlier: &CampaignRow) -> String {
    let app = state.app(&earlier.app).map_or(earlier.app.as_str(), |app| app.label.as_str());
    format!("{} {app}, {}, seed {}", earlier.id, earlier.engine_words(), earlier.seed)
}

/// Draws the plot. Returns the pointer's position on the horizontal axis.
fn plot_ui(state: &StudioState, lines: &[CurveLine], ui: &mut Ui) -> Option<f64> {
    let (curve, axis) = (state.campaigns.curves.curve, state.campaigns.curves.axis);
    let colors = tokens(ui.ctx());
    let last = |of: usize| {
        lines.iter().flat_map(|line| line.points.last()).map(|point| point[of]).fold(0.0, f64::max)
    };
    let (along, up) = (marks(last(0), axis == CurveAxis::Time), marks(last(1), false));
    let (end, most) = (axis_words(axis, last(0)), thousands(last(1) as u64));
    ui.label(caption(format!("{most} {}", curve.word().to_lowercase())));
    let campaigns = if lines.iter().any(|line| line.compared) { 2.0 } else { 1.0 };
    let legend = LEGEND + campaigns * LEGEND_LINES;
    let plot = Plot::new("curves")
        .height((ui.available_height() - legend).clamp(HEIGHT, 320.0))
        // Those of the plot would be tab stops at which nothing can be done: `marks_ui` draws them.
        .show_axes(false)
        .x_grid_spacer(grid(&along))
        .y_grid_spacer(grid(&up))
        .sense(Sense::hover())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .show_grid([true, true])
        .include_y(0.0)
        .include_x(0.0)
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                let (value, x) = (thousands(position.y as u64), axis_words(axis, position.x));
                Some(format!("{plot_name}: {value} at {x}"))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            // Compared lines are drawn first, behind the others.
            for line in lines.iter().rev() {
                let points = PlotPoints::new(line.points.clone());
                let compared = if line.compared { ", compared" } else { "" };
                let drawn =
                    Line::new(format!("{}{compared}", line.label), points).color(colors.series(line.series));
                plot.line(if line.compared {
                    drawn.width(1.5).style(LineStyle::Dashed { length: 6.0 })
                } else {
                    drawn.width(2.0)
                });
            }
            plot.pointer_coordinate().map(|point| point.x)
        });
    let name = format!("{} over {}: {most} at {end}", curve.word(), axis.word().to_lowercase());
    named(&plot.response, WidgetType::Image, &name);
    marks_ui(axis, &plot, (&along, &up), ui);
    plot.inner.filter(|_| plot.response.hovered())
}

fn axis_words(axis: CurveAxis, value: f64) -> String {
    match axis {
        CurveAxis::Events => format!("{} events", thousands(value.max(0.0) as u64)),
        CurveAxis::Time => clock_words(value),
    }
}

/// A time since the start in minutes and seconds: `3:20`.
fn clock_words(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The values of an axis that are marked: about four round ones.
fn marks(last: f64, seconds: bool) -> Vec<f64> {
    let round: &[f64] = if seconds && last > 60.0 { &[1.0, 2.0, 3.0, 6.0] } else { &[1.0, 2.0, 5.0] };
    let mut unit = if seconds && last > 60.0 { 10.0 } else { 1.0 };
    let step = loop {
        if let Some(step) = round.iter().map(|times| times * unit).find(|step| last / step <= 5.0) {
            break step;
        }
        unit *= 10.0;
    };
    (0..=5).map(|mark| f64::from(mark) * step).take_while(|value| *value <= last.max(step)).collect()
}

/// Grid lines at these values.
fn grid(marks: &[f64]) -> impl Fn(GridInput) -> Vec<GridMark> + use<> {
    let marks = marks.to_vec();
    // The plot draws lines brighter the further they are apart; those of both directions shall look alike.
    move |input| {
        let step_size = 6.0 * input.base_step_size;
        marks.iter().map(|value| GridMark { value: *value, step_size }).collect()
    }
}

/// Draws what the grid lines stand for: the counts at the left, and events or times below.
fn marks_ui<R>(axis: CurveAxis, plot: &PlotResponse<R>, (along, up): (&[f64], &[f64]), ui: &mut Ui) {
    let (rect, font) = (plot.response.rect, TextStyle::Small.resolve(ui.style()));
    let (_, below) = ui.allocate_space(vec2(rect.width(), 16.0));
    let quiet = tokens(ui.ctx()).quiet;
    let painter = ui.painter();
    for value in up.iter().skip(1) {
        let at = plot.transform.position_from_point(&PlotPoint::new(0.0, *value));
        let at = pos2(rect.left() + 4.0, at.y);
        painter.text(at, Align2::LEFT_BOTTOM, thousands(*value as u64), font.clone(), quiet);
    }
    for value in along {
        let words = match axis {
            CurveAxis::Events => thousands(*value as u64),
            CurveAxis::Time => clock_words(*value),
        };
        let words = painter.layout_no_wrap(words, font.clone(), quiet);
        let at = plot.transform.position_from_point(&PlotPoint::new(*value, 0.0)).x - words.size().x / 2.0;
        let most = (rect.right() - words.size().x).max(rect.left());
        painter.galley(pos2(at.clamp(rect.left(), most), below.top()), words, quiet);
    }
}

/// Draws each line's value at the pointer, or else at its end. Lines of the compared campaign are listed separately.
fn legend_ui(state: &StudioState, lines: &[CurveLine], pointed: Option<f64>, ui: &mut Ui) {
    let at =
        pointed.map_or("now".to_owned(), |x| format!("at {}", axis_words(state.campaigns.curves.axis, x)));
    let (compared, shown): (Vec<&CurveLine>, Vec<&CurveLine>) = lines.iter().partition(|line| line.compared);
    for (words, lines) in [(at.as_str(), shown), ("compared", compared)] {
        if lines.is_empty() {
            continue;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(10.0, 0.0);
            ui.spacing_mut().interact_size.y = 18.0;
            ui.label(caption(format!("{words}:")));
            for line in lines {
                ui.add(Label::new(legend_words(line, pointed, ui)).extend());
            }
        });
    }
}

/// Lays out a mark in the line's colour with the line's name and value, as one piece that is not split at the end of a
/// row.
fn legend_words(line: &CurveLine, pointed: Option<f64>, ui: &Ui) -> LayoutJob {
    let colors = tokens(ui.ctx());
    let value = match pointed {
        Some(x) => line.at(x),
        None => line.points.last().map(|point| point[1]),
    };
    let value = value.map_or("\u{2013}".to_owned(), |value| thousands(value as u64));
    let (mark, mut job) = (if line.compared { icon::RING } else { icon::DOT }, LayoutJob::default());
    let small = TextStyle::Small.resolve(ui.style());
    for (text, gap, font_id, color) in [
        (mark.to_owned(), 0.0, icon_font(14.0), colors.series(line.series)),
        (format!("{} {value}", line.label), 4.0, small, colors.text),
    ] {
        job.append(&text, gap, TextFormat { font_id, color, valign: Align::Center, ..TextFormat::default() });
    }
    job
}

#[cfg(test)]
mod tests {
    use super::{clock_words, marks};

    #[test]
    fn an_axis_has_a_few_round_marks() {
        assert_eq!(marks(0.0, false), [0.0, 1.0]);
        assert_eq!(marks(37.0, false), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(marks(40_000.0, false), [0.0, 10_000.0, 20_000.0, 30_000.0, 40_000.0]);
        assert_eq!(marks(300.0, true), [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]);
    }

    #[test]
    fn a_time_on_an_axis_is_exact() {
        assert_eq!([0.0, 15.0, 200.0, 4_000.0].map(clock_words), ["0:00", "0:15", "3:20", "1:06:40"]);
    }
}
