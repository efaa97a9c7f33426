//! `taproof findings --bugs`: the bugs of the workspace, each once, filtered and sorted as in the window.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::finding_json;
use crate::cli::{CommandEnd, Failure, Outcome, print_json, print_line};
use taproof_campaign::{BugClass, BugState, Harm, bugs_in_words};
use taproof_results::store::{
    BugFilter, BugOrder, Facet, ListedBug, ListedFinding, Seen, Workspace, list_bugs,
};
use taproof_screen::{counted, one_line};
use taproof_session::dates::{Date, date_words, now};

/// Which bugs are listed, in which order.
#[derive(clap::Args)]
#[command(next_help_heading = "Bugs")]
pub(super) struct BugOptions {
    /// List bugs, each once, with the campaigns that show it; so do the options below
    #[arg(long, conflicts_with_all = ["campaign", "engine"])]
    bugs: bool,
    /// Only bugs of which this is to become: new, true, known, not-a-bug or fixed
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = state, conflicts_with_all = ["campaign", "engine"])]
    state: Vec<BugState>,
    /// Only bugs of this harm, such as crash-or-hang or data-lost
    #[arg(long, value_name = "HARM", value_delimiter = ',', value_parser = harm, conflicts_with_all = ["campaign", "engine"])]
    harm: Vec<Harm>,
    /// Only bugs of the app with this package name
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',', conflicts_with_all = ["campaign", "engine"])]
    app: Vec<String>,
    /// Only bugs seen on this build, or on the device with this serial
    #[arg(long, value_name = "BUILD", value_delimiter = ',', conflicts_with_all = ["campaign", "engine"])]
    build: Vec<String>,
    /// Only bugs seen on this model of a device, as it is written in the list
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["campaign", "engine"])]
    device: Vec<String>,
    /// Only bugs seen in this version of the app
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["campaign", "engine"])]
    app_version: Vec<String>,
    /// Only bugs with these words, in what is said of them or on one of their screens
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["campaign", "engine"])]
    search: Option<String>,
    /// Only bugs that nobody has looked at in the window
    #[arg(long, conflicts_with_all = ["campaign", "engine"])]
    unseen: bool,
    /// What comes first
    #[arg(long, value_name = "ORDER", value_parser = order, conflicts_with_all = ["campaign", "engine"])]
    sort: Option<BugOrder>,
}

/// A value of the list that an option names.
fn named<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str, named: &str) -> Result<T, String> {
    let words: Vec<String> = all.iter().map(|value| word(*value).replace(' ', "-")).collect();
    let place = words.iter().position(|word| *word == named.replace(' ', "-"));
    place.and_then(|place| all.get(place).copied()).ok_or_else(|| format!("there are {}", words.join(", ")))
}

/// The state that a word names.
pub(super) fn state(word: &str) -> Result<BugState, String> {
    named(&BugState::ALL, BugState::word, word)
}

fn harm(word: &str) -> Result<Harm, String> {
    named(&Harm::ALL, Harm::words, word)
}

fn order(word: &str) -> Result<BugOrder, String> {
    named(&BugOrder::ALL, BugOrder::word, word)
}

impl BugOptions {
    /// Whether bugs are to be listed.
    pub(super) fn asked(&self) -> bool {
        self.bugs || self.sort.is_some() || !self.filter(None).is_empty()
    }

    fn filter(&self, oracle: Option<&str>) -> BugFilter {
        let texts = |all: &[String]| all.iter().cloned().collect::<BTreeSet<String>>();
        let facets = [
            (Facet::State, self.state.iter().map(|state| state.words().to_owned()).collect()),
            (Facet::Harm, self.harm.iter().map(|harm| harm.words().to_owned()).collect()),
            (Facet::App, texts(&self.app)),
            (Facet::Kind, oracle.map(str::to_owned).into_iter().collect()),
            (Facet::Build, texts(&self.build)),
            (Facet::Device, texts(&self.device)),
            (Facet::Version, texts(&self.app_version)),
        ];
        BugFilter {
            search: self.search.clone().unwrap_or_default(),
            facets: facets.into_iter().filter(|(_, wanted)| !wanted.is_empty()).collect(),
            unseen: self.unseen,
        }
    }

    /// Prints the bugs of each app, with how many of the app's campaigns show it, and below them the suspicions.
    pub(super) fn list(&self, workspace: Workspace, oracle: Option<&str>, json: bool) -> Outcome {
        let (findings, corrections) = (workspace.listed_findings()?, workspace.all_corrections()?);
        let filter = self.filter(oracle);
        let screens = workspace.findings_showing(&filter.search)?;
        let campaigns = workspace.campaigns()?;
        let all = list_bugs(&findings, &corrections);
        let mut bugs: Vec<&ListedBug> =
            all.iter().filter(|bug| filter.takes(bug, &findings, &screens)).collect();
        self.sort.unwrap_or(BugOrder::Harm).sort(&mut bugs);
        let evidence = |bug: &ListedBug| Evidence::of(&workspace, findings.get(*bug.findings.first()?)?);
        let told: Vec<Told<'_>> =
            bugs.iter().map(|bug| Told { bug, findings: &findings, evidence: evidence(bug) }).collect();
        // Writers may have to wait until it is closed.
        drop(workspace);
        if json {
            return print_as_json(&told);
        }
        if told.is_empty() {
            print_line(if filter.is_empty() { "no bugs" } else { "no such bugs" })?;
        }
        let (today, apps) = (now(), told.iter().map(|told| &told.bug.app).collect::<BTreeSet<_>>());
        for app in apps {
            let of_app: Vec<&Told<'_>> = told.iter().filter(|told| told.bug.app == *app).collect();
            let tested = campaigns.iter().filter(|campaign| campaign.app == *app).count();
            print_of_app(&of_app, (app, tested), filter.is_empty(), &today)?;
        }
        Ok(CommandEnd::Fine)
    }
}

/// What speaks for a bug.
struct Evidence {
    rests_on: String,
    settled_by: Option<&'static str>,
}

impl Evidence {
    /// `None` if the finding cannot be read, which is said when it is opened.
    fn of(workspace: &Workspace, finding: &ListedFinding) -> Option<Evidence> {
        let finding = workspace.load_finding(&finding.id.to_string()).ok()?.finding;
        Some(Evidence { rests_on: finding.rests_on(), settled_by: finding.settled_by() })
    }
}

struct Told<'b> {
    bug: &'b ListedBug,
    findings: &'b [ListedFinding],
    evidence: Option<Evidence>,
}

/// The lists in which bugs stand: those that count, suspicions, what is unsure and what is no bug.
fn list_of(bug: &ListedBug) -> BugClass {
    if bug.counts { BugClass::Bug } else { bug.class }
}

fn print_as_json(told: &[Told<'_>]) -> Outcome {
    let of =
        |class| told.iter().filter(|told| list_of(told.bug) == class).map(Told::as_json).collect::<Vec<_>>();
    print_json(&json!({
        "bugs": of(BugClass::Bug),
        "suspicions": of(BugClass::Suspicion),
        "unsure": of(BugClass::Unsure),
        "dismissed": of(BugClass::Dismissed),
    }))?;
    Ok(CommandEnd::Fine)
}

/// Prints the bugs of an app that was tested by so many campaigns. What is `folded` is only counted: what is unsure, fixed or
/// no bug.
fn print_of_app(
    told: &[&Told<'_>],
    (app, campaigns): (&str, usize),
    folded: bool,
    today: &Date,
) -> Result<(), Failure> {
    let (done, open): (Vec<&Told<'_>>, Vec<&Told<'_>>) =
        told.iter().partition(|told| folded && told.bug.is_done() && told.bug.counts);
    let of = |class| open.iter().filter(move |told| list_of(told.bug) == class);
    let found = bugs_in_words(of(BugClass::Bug).count(), of(BugClass::Suspicion).count());
    print_line(&format!("{app}: {found} in {}", counted(campaigns, "campaign")))?;
    for (number, told) in of(BugClass::Bug).enumerate() {
        told.print(&format!("{:>4}.", number + 1), campaigns, today)?;
    }
    for (class, words) in [
        (BugClass::Suspicion, "suspicions, not known to be bugs"),
        (BugClass::Unsure, "that did not come back each time, or were not tried again"),
        (BugClass::Dismissed, "that a person has said to be no bug"),
    ] {
        let count = of(class).count();
        match (count, folded && class != BugClass::Suspicion) {
            (0, _) => {}
            (_, true) => print_line(&format!("  {count} {words}"))?,
            (_, false) => {
                print_line(&format!("  {words}:"))?;
                of(class).try_for_each(|told| told.print("    -", campaigns, today))?;
            }
        }
    }
    if !done.is_empty() {
        print_line(&format!("  {} fixed, and not seen since", done.len()))?;
    }
    Ok(())
}

impl Told<'_> {
    fn rows(&self) -> impl Iterator<Item = &ListedFinding> {
        self.bug.findings.iter().filter_map(|place| self.findings.get(*place))
    }

    fn print(&self, number: &str, campaigns: usize, today: &Date) -> Result<(), Failure> {
        let (bug, Some(shown)) = (self.bug, self.rows().next()) else { return Ok(()) };
        let harm = bug.harm.map_or("unsure", Harm::words);
        let said = bug.said().map_or(String::new(), |said| format!(" [{}]", one_line(&said)));
        print_line(&format!("{number} {harm}: {}{said}", bug.title))?;
        print_line(&format!(
            "      in {} of {campaigns} campaigns, {}; taproof replay {}",
            bug.campaigns.len(),
            [counted(shown.minimal_steps as usize, "step"), shown.state().to_string()].join(", "),
            shown.id
        ))?;
        print_line(&format!(
            "      seen {}, first {}, last {}",
            if bug.times == 1 { "once".to_owned() } else { format!("{} times", bug.times) },
            seen_words(&bug.first, today),
            seen_words(&bug.last, today)
        ))?;
        let Some(evidence) = self.evidence.as_ref().filter(|_| list_of(bug) == BugClass::Suspicion) else {
            return Ok(());
        };
        print_line(&format!("       rests on: {}", evidence.rests_on))?;
        evidence.settled_by.map_or(Ok(()), |what| print_line(&format!("       to settle it: {what}")))
    }

    fn as_json(&self) -> Value {
        let (bug, evidence) = (self.bug, self.evidence.as_ref());
        let seen = |seen: &Seen| json!({ "at": seen.at, "campaign": seen.campaign, "version": seen.version });
        json!({
            "app": bug.app,
            "title": bug.title,
            "class": bug.class,
            "state": bug.state,
            "note": bug.note,
            "came_back": bug.came_back,
            "rests_on": evidence.map(|it| &it.rests_on),
            "settled_by": evidence.and_then(|it| it.settled_by),
            "harm": bug.harm.map(Harm::words),
            "times": bug.times,
            "first": seen(&bug.first),
            "last": seen(&bug.last),
            "builds": bug.values(Facet::Build),
            "devices": bug.values(Facet::Device),
            "campaigns": bug.campaigns,
            "findings": self.rows().map(|row| finding_json(row)).collect::<Vec<_>>(),
        })
    }
}

fn seen_words(seen: &Seen, today: &Date) -> String {
    let date = seen.at.map_or_else(|| format!("in campaign {}", seen.campaign), |at| date_words(at, today));
    if seen.version.is_empty() { date } else { format!("{date} in {}", seen.version) }
}
