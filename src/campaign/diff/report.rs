//! What a comparison found, for people.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Test;
use super::judge::{Difference, Known, Signature, What};
use super::play::{Broke, Played};
use taproof_screen::{
    AppHealth, Layout, WidgetIdx, event_for_people, one_line, screen_for_people, widget_for_people, words,
};

words! {
    /// What a difference seems to be.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum DiffKind {
        /// It depends on the data or on what was done before.
        BugLike = "looks like a bug",
        /// It is the same wherever it occurs.
        OnPurpose = "changed on purpose, it seems",
        /// A widget or a text is not there any more, wherever it was.
        Gone = "gone",
    }
    /// The kind in words.
    pub fn words;
    /// All kinds.
    pub const ALL;
}

/// A screen, with the widget that is different.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffScreen {
    /// The screen.
    pub layout: Arc<Layout>,
    /// The widget; `None` if it is not there.
    pub widget: Option<WidgetIdx>,
}

/// A difference between two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionDifference {
    /// What it seems to be.
    pub kind: DiffKind,
    /// What is different, in a sentence.
    pub said: String,
    /// What leads there from a fresh start, in imperative sentences.
    pub steps: Vec<String>,
    /// The screens of the old version and of the new one.
    pub screens: [DiffScreen; 2],
    /// In how many tests it was seen.
    pub times: usize,
}

/// Everything that a comparison found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffReport {
    /// The differences, what looks like a bug first.
    pub differences: Vec<VersionDifference>,
    /// Differences that did not come again, or that the old version shows beside itself.
    pub unsteady: usize,
    /// Tests of the old version, and those of them that were played on the new one.
    pub tests: [usize; 2],
    /// Events that were performed on each version.
    pub events: [u64; 2],
    /// Whether it was stopped early.
    pub stopped: bool,
}

/// What looks like a bug each time.
pub(super) struct Bug {
    pub difference: Difference,
    pub played: Played,
    pub test: Test,
    pub times: usize,
}

impl DiffReport {
    /// What looks like a bug.
    pub fn bugs(&self) -> impl Iterator<Item = &VersionDifference> {
        self.of_kind(DiffKind::BugLike)
    }

    /// The differences of a kind.
    pub fn of_kind(&self, kind: DiffKind) -> impl Iterator<Item = &VersionDifference> {
        self.differences.iter().filter(move |it| it.kind == kind)
    }

    pub(super) fn of(known: &Known, played: &[Played], bugs: Vec<Bug>) -> DiffReport {
        let mut differences: Vec<VersionDifference> = bugs
            .into_iter()
            .map(|bug| {
                let ended = bug.played.moments.len() - 1;
                VersionDifference {
                    times: bug.times,
                    ..told(&bug.difference, DiffKind::BugLike, (&bug.played, ended))
                }
            })
            .collect();
        let mut others: BTreeMap<Signature, VersionDifference> = BTreeMap::new();
        let mut add = |difference: &Difference, at: (&Played, usize)| {
            let kind = match difference.what {
                What::Part(Some(_), None) | What::Broke(Broke::Missing(_)) => DiffKind::Gone,
                _ => DiffKind::OnPurpose,
            };
            let other = others
                .entry(difference.signature())
                .or_insert_with(|| VersionDifference { times: 0, ..told(difference, kind, at) });
            other.times += 1;
        };
        for played in played {
            for (place, moment) in played.moments.iter().enumerate() {
                let Some(shown) = &moment.shown else { continue };
                for (difference, everywhere) in known.differences(shown) {
                    if everywhere {
                        add(&difference, (played, place));
                    }
                }
                for difference in known.renamed_at(shown) {
                    add(&difference, (played, place));
                }
            }
            if let Some((difference, true)) = known.broke(played) {
                add(&difference, (played, played.moments.len() - 1));
            }
        }
        let mut others: Vec<VersionDifference> = others.into_values().collect();
        others.sort_by(|one, other| {
            (one.kind, other.times, &one.said).cmp(&(other.kind, one.times, &other.said))
        });
        differences.extend(others);
        DiffReport { differences, ..DiffReport::default() }
    }
}

/// A difference at a moment of a test.
fn told(difference: &Difference, kind: DiffKind, (played, place): (&Played, usize)) -> VersionDifference {
    let moment = &played.moments[place];
    let steps = played.steps.iter().take(match &difference.what {
        What::Broke(Broke::Elsewhere) => place,
        What::Broke(_) => place + 1,
        _ => place,
    });
    let screen = |layout: &Arc<Layout>, widget| DiffScreen { layout: Arc::clone(layout), widget };
    VersionDifference {
        kind,
        said: sentence(difference, &moment.old, &moment.new),
        steps: steps.map(|step| event_for_people(&step.event, &step.before.layout)).collect(),
        screens: [screen(&moment.old, difference.old), screen(&moment.new, difference.new)],
        times: 1,
    }
}

fn sentence(difference: &Difference, old: &Layout, new: &Layout) -> String {
    let quoted = |text: &str| format!("\u{201c}{}\u{201d}", one_line(text));
    let changed = |thing: &str, old: Option<String>, new: Option<String>| match (old, new) {
        (Some(old), Some(new)) => format!("{thing}{} is {} now", quoted(&old), quoted(&new)),
        (Some(old), None) => format!("{thing}{} is not shown", quoted(&old)),
        (None, new) => format!("{thing}{} is shown, which was not", quoted(&new.unwrap_or_default())),
    };
    match &difference.what {
        What::Part(old, new) => {
            changed("", old.as_ref().map(|it| it.text()), new.as_ref().map(|it| it.text()))
        }
        What::Row(old, new) => changed("the row ", old.clone(), new.clone()),
        What::Order(old, new) => {
            format!("the rows are in another order: {} stands where {} stood", quoted(new), quoted(old))
        }
        What::Broke(Broke::Missing(widget)) => format!("{} is not there", widget_for_people(old, *widget)),
        What::Broke(Broke::Elsewhere) => {
            format!("it leads to {} instead of {}", screen_for_people(new), screen_for_people(old))
        }
        What::Broke(Broke::Died(AppHealth::NotResponding(_))) => "the app does not respond".to_owned(),
        What::Broke(Broke::Died(_)) => "the app ends".to_owned(),
        What::Broke(Broke::Loads) => "the app loads forever".to_owned(),
        What::Broke(Broke::Lost) => "the device did not do what was asked".to_owned(),
    }
}
