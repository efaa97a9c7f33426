//! The comparison of two versions as one page: a card for each difference, with the screens of both.

use maud::{Markup, html};

use super::page::{Escaped, footer_of, page};
use super::screen_svg::sketch;
use crate::report::Mark;
use taproof_campaign::diff::{DiffKind, DiffReport, DiffScreen, VersionDifference};
use taproof_screen::{PxRect, counted, thousands};

/// Writes the page of a comparison of two versions, whose names are given.
pub fn diff_page(report: &DiffReport, names: [&str; 2], version: &str) -> Vec<u8> {
    let title = format!("{} and {}", names[0], names[1]);
    let bugs = report.bugs().count();
    let body = html! {
        h1 { (Escaped(names[0])) " and " (Escaped(names[1])) }
        p {
            @if bugs == 0 { "Nothing looks like a bug." } @else { (counted(bugs, "difference")) " like bugs." }
            " " (counted(report.tests[0], "test")) " of the old version in " (thousands(report.events[0]))
            " events, " (report.tests[1]) " of them played on the new one in " (thousands(report.events[1])) " events."
            @if report.unsteady > 0 {
                " " (counted(report.unsteady, "difference")) " did not come again and "
                @if report.unsteady == 1 { "is" } @else { "are" } " left out."
            }
        }
        @for kind in DiffKind::ALL {
            @let all: Vec<&VersionDifference> = report.of_kind(kind).collect();
            @if !all.is_empty() {
                section {
                    h2 { (taproof_screen::upper_first(kind.words())) ": " (all.len()) }
                    @for it in all { (card(it, names)) }
                }
            }
        }
        (footer_of(version))
    };
    page(&title, &body)
}

fn card(it: &VersionDifference, names: [&str; 2]) -> Markup {
    let mark = if it.kind == DiffKind::BugLike { Mark::Offending } else { Mark::Changed };
    html! {
        div.card {
            h3 { (Escaped(&it.said)) }
            div.chips { span.chip { "seen " (counted(it.times, "time")) } }
            @if !it.steps.is_empty() {
                ol.way { @for step in &it.steps { li { (Escaped(step)) } } }
            }
            div.sides {
                @for (screen, name) in it.screens.iter().zip(names) { (shown(screen, name, mark)) }
            }
        }
    }
}

fn shown(screen: &DiffScreen, name: &str, mark: Mark) -> Markup {
    let bounds = screen.widget.and_then(|idx| screen.layout.get(idx)).map(|widget| widget.bounds);
    let marks: Vec<(PxRect, Mark)> =
        bounds.into_iter().filter(|rect| !rect.is_empty()).map(|rect| (rect, mark)).collect();
    html! {
        figure {
            (sketch(&screen.layout, &marks, name))
            figcaption { (Escaped(name)) }
        }
    }
}
