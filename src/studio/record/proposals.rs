//! Functions proposed from what a person did on the phone without recording it, shown as cards.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Choices, Cut, RecordPhase, RecordState, recorded, roles_of, verb};
use crate::mirror::{PathNo, PathPosition, Performed};
use crate::phone::MirrorState;
use taproof_screen::{Event, Gesture, RecordedStep, one_line, touched_widget};
use taproof_spec::{DataType, DmfKind, Proposal, Role, coalesce, propose};

/// Number of latest steps that are searched for functions. Proposals from earlier ones stay.
const NEWEST: usize = 200;

/// A command about a proposal, which is named by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposalCommand {
    /// Makes it the recording, to be corrected, tried and saved.
    Accept(String),
    /// Dismisses it, so that it is no longer shown by default.
    Dismiss(String),
    /// Restores a dismissed one.
    Restore(String),
    /// Whether to show dismissed ones as well.
    ShowDismissed(bool),
}

/// The proposed functions, and which of them were dismissed or saved.
#[derive(Default)]
pub struct ProposalState {
    /// All proposals, including those that are not shown.
    pub cards: Vec<ProposalCard>,
    /// Whether dismissed ones are shown as well.
    pub show_dismissed: bool,
    dismissed: BTreeSet<String>,
    saved: BTreeSet<String>,
    /// The last event of the path that was last searched.
    asked: Option<Arc<Performed>>,
    /// Whether a path is being searched. The newest one is asked for when that is over.
    pub searching: bool,
}

/// A path to be searched for functions.
pub struct WayToCut {
    path: PathNo,
    app: String,
    /// Index of the first step on the path.
    from: usize,
    steps: Vec<Arc<Performed>>,
    /// The data types that are known already.
    pub nouns: Vec<DataType>,
}

/// The functions found in a path.
pub struct WayCut {
    path: PathNo,
    from: usize,
    cards: Vec<ProposalCard>,
}

/// A proposal with its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalCard {
    /// The path that it was found on.
    pub path: PathNo,
    /// Package of the app.
    pub app: String,
    /// The proposed function with its confidence.
    pub proposal: Proposal,
    /// What happens to which objects, such as `“k7” is new`.
    pub objects: String,
    /// The steps, in words.
    pub steps: Vec<String>,
    /// What a person should check.
    pub doubts: Vec<String>,
}

impl WayToCut {
    /// Searches for functions. This takes a while and is meant for a worker.
    pub fn cut(&self) -> WayCut {
        let steps: Vec<_> = self.steps.iter().map(|performed| recorded(performed)).collect();
        let by_hand = |proposal: &Proposal| {
            // Steps that were re-executed from a trace were not done by this person.
            self.steps.get(proposal.steps.clone()).is_some_and(|steps| steps.iter().any(|it| !it.again))
        };
        let proposals = propose(&steps, &self.nouns).into_iter().filter(by_hand);
        let card = |proposal: Proposal| ProposalCard {
            path: self.path,
            app: self.app.clone(),
            objects: object_words(&proposal),
            steps: steps_words(steps.get(proposal.steps.clone()).unwrap_or_default()),
            doubts: proposal
                .draft
                .notes
                .iter()
                .filter(|note| note.doubtful)
                .map(|note| note.text.clone())
                .collect(),
            proposal: Proposal {
                steps: proposal.steps.start + self.from..proposal.steps.end + self.from,
                ..proposal
            },
        };
        WayCut { path: self.path, from: self.from, cards: proposals.map(card).collect() }
    }
}

impl ProposalCard {
    /// The title, such as `This looks like: delete note`.
    pub fn title(&self) -> String {
        format!("This looks like: {}", self.proposal.name)
    }

    /// The positions of its steps on the path.
    fn places(&self) -> impl Iterator<Item = PathPosition> {
        self.proposal.steps.clone().map(|step| PathPosition { path: self.path, step })
    }

    /// The choices that a person would have made when recording these steps.
    fn choices(&self) -> Choices {
        let request = &self.proposal.request;
        let object = |role: &Role| Some((*role, request.object(*role).text.clone()?));
        Choices {
            kind: Some(self.proposal.kind),
            data_type: Some(self.proposal.data_type.clone()),
            name: request.name.clone(),
            objects: roles_of(self.proposal.kind).iter().filter_map(object).collect(),
            whole: true,
            ..Choices::default()
        }
    }
}

impl ProposalState {
    /// Returns the phone's path if something was performed by hand since the last search. `None` during a search, and
    /// during a recording, which needs no proposals.
    pub fn ask(&mut self, mirror: &MirrorState, record: &RecordState) -> Option<WayToCut> {
        let way = &mirror.walked;
        let (last, origin) = (way.steps.last()?, way.origin.as_ref()?);
        let known = self.asked.as_ref().is_some_and(|asked| Arc::ptr_eq(asked, last));
        if known || self.searching || last.again || record.phase == RecordPhase::Recording {
            return None;
        }
        (self.asked, self.searching) = (Some(Arc::clone(last)), true);
        let from = way.steps.len().saturating_sub(NEWEST);
        let (path, app, steps) =
            (way.path, origin.target.app.clone(), way.steps.iter().skip(from).cloned().collect());
        Some(WayToCut { path, app, from, steps, nouns: Vec::new() })
    }

    /// Takes the results of a search. Drops cards of forgotten paths, and those that the longer path explains
    /// differently.
    pub fn take(&mut self, cut: WayCut, mirror: &MirrorState) {
        self.searching = false;
        self.cards.retain(|card| {
            let again = |new: &ProposalCard| new.proposal.key == card.proposal.key;
            let gone = mirror.way(card.path).is_none() || cut.cards.iter().any(again);
            // A card that begins before the searched part stays.
            let older = card.path != cut.path || card.proposal.steps.start < cut.from;
            older && !gone
        });
        let known: BTreeSet<PathPosition> = self.cards.iter().flat_map(ProposalCard::places).collect();
        // A part of a function that was found earlier is no function of its own.
        let part = |card: &ProposalCard| card.places().any(|place| known.contains(&place));
        self.cards.extend(cut.cards.into_iter().filter(|card| !part(card)));
    }

    /// Executes a command of a panel.
    pub fn run(&mut self, command: ProposalCommand) {
        match command {
            // Accepting makes it the recording; see [`ProposalState::cut_of`].
            ProposalCommand::Accept(_) => {}
            ProposalCommand::Dismiss(key) => {
                self.dismissed.insert(key);
            }
            ProposalCommand::Restore(key) => {
                self.dismissed.remove(&key);
                self.show_dismissed &= !self.dismissed.is_empty();
            }
            ProposalCommand::ShowDismissed(show) => self.show_dismissed = show,
        }
    }

    /// The cards to show for an app, the newest first. Those covered by the recording are left out.
    pub fn open<'a>(&'a self, app: &str, record: &RecordState) -> Vec<&'a ProposalCard> {
        self.of(app, record, false)
    }

    /// The dismissed cards of an app, the newest first.
    pub fn put_aside<'a>(&'a self, app: &str, record: &RecordState) -> Vec<&'a ProposalCard> {
        self.of(app, record, true)
    }

    fn of<'a>(&'a self, app: &str, record: &RecordState, aside: bool) -> Vec<&'a ProposalCard> {
        let recorded = places(record);
        let wanted = |card: &&ProposalCard| {
            let key = &card.proposal.key;
            card.app == app
                && self.dismissed.contains(key) == aside
                && !self.saved.contains(key)
                && !card.places().any(|place| recorded.contains(&place))
        };
        self.cards.iter().rev().filter(wanted).collect()
    }

    /// Called after the recording was saved: functions in its steps are not proposed again.
    pub fn kept(&mut self, record: &RecordState) {
        let recorded = places(record);
        let held = |card: &&ProposalCard| card.places().any(|place| recorded.contains(&place));
        self.saved.extend(self.cards.iter().filter(held).map(|card| card.proposal.key.clone()));
    }

    /// The steps of a proposal as a recording. `None` if they have been forgotten.
    pub fn cut_of(&self, key: &str, mirror: &MirrorState) -> Option<Cut> {
        let card = self.cards.iter().find(|card| card.proposal.key == key)?;
        let (walked, steps) = (mirror.way(card.path)?, card.proposal.steps.clone());
        let way = &walked.steps;
        Some(Cut {
            target: walked.target(&card.app),
            initialiser: walked.origin.as_ref().and_then(|origin| origin.initialiser.clone()),
            lead: way.get(..steps.start)?.to_vec(),
            steps: way.get(steps)?.to_vec(),
            choices: card.choices(),
        })
    }
}

/// The positions of the recorded events on their paths.
fn places(record: &RecordState) -> BTreeSet<PathPosition> {
    record.recording.steps.iter().flat_map(|done| &done.events).map(|performed| performed.place).collect()
}

fn object_words(proposal: &Proposal) -> String {
    let object = |role: Role| {
        let object = proposal.draft.objects.iter().find(|object| object.role == role);
        object.map_or_else(String::new, |object| format!("\u{201c}{}\u{201d}", one_line(&object.text)))
    };
    match proposal.kind {
        DmfKind::Create => format!("{} is new", object(Role::Added)),
        DmfKind::Update => format!("{} becomes {}", object(Role::Removed), object(Role::Added)),
        DmfKind::Delete => format!("{} is removed", object(Role::Removed)),
        DmfKind::Search => format!("{} is searched for", object(Role::Sought)),
        DmfKind::Read => format!("{} is looked at", object(Role::Sought)),
        DmfKind::Property => String::new(),
    }
}

/// The steps in short words, such as `tap “Create”`.
fn steps_words(steps: &[RecordedStep]) -> Vec<String> {
    let words = |step: &RecordedStep| {
        let verb = verb(&step.event);
        if let Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) = &step.event {
            return format!("{verb} \u{201c}{}\u{201d}", one_line(text));
        }
        let Some(idx) = touched_widget(&step.event, &step.before) else { return verb.to_owned() };
        let widget = step.before.widget(idx);
        let shown =
            [&widget.text, &widget.content_desc, &widget.hint].into_iter().find(|text| !text.is_empty());
        match (shown, widget.short_id()) {
            (Some(text), _) => format!("{verb} \u{201c}{}\u{201d}", one_line(text)),
            (None, Some(id)) => format!("{verb} #{id}"),
            (None, None) => format!("{verb} {}", widget.short_class()),
        }
    };
    coalesce(steps).iter().map(|joined| words(&joined.step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirror::Seen;
    use crate::phone::WayOrigin;
    use taproof_campaign::Target;
    use taproof_engine::device::Build;
    use taproof_screen::{AppHealth, DeviceInstant, Frame, Selector, layout_from};

    const EMPTY: &str = "Button#new \"New note\"\nTextView#heading \"All\"\nTextView#row \"a\"\n";
    const FIELD: &str = "EditText#title\nButton#save \"Save\"\n";
    const TYPED: &str = "EditText#title \"b\"\nButton#save \"Save\"\n";
    const MADE: &str =
        "Button#new \"New note\"\nTextView#heading \"All\"\nTextView#row \"a\"\nTextView#row \"b\"\n";

    /// Appends an event to the phone's path.
    fn act(mirror: &mut MirrorState, id: &str, gesture: Gesture, screens: (&str, &str)) {
        let seen = |screen: &str| {
            let layout = Arc::new(layout_from(screen));
            let frame = Frame { layout, health: AppHealth::Running, at: DeviceInstant::default() };
            Arc::new(Seen { frame, png: None })
        };
        let (before, after) = (seen(screens.0), seen(screens.1));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        let event = Event::on(&before.frame.layout, selector, gesture).unwrap();
        let place = PathPosition { path: PathNo::default(), step: mirror.walked.steps.len() };
        mirror.walked.steps.push(Arc::new(Performed { place, event, before, after, again: false }));
    }

    fn make_note(mirror: &mut MirrorState) {
        act(mirror, "new", Gesture::Tap, (EMPTY, FIELD));
        act(mirror, "title", Gesture::SetText("b".to_owned()), (FIELD, TYPED));
        act(mirror, "save", Gesture::Tap, (TYPED, MADE));
    }

    #[test]
    fn what_was_found_in_older_steps_stays() {
        let mut mirror = MirrorState::default();
        let origin = WayOrigin { target: Target::bundled("org.ex", Build::Faulty), initialiser: None };
        mirror.walked.origin = Some(origin);
        let (mut state, record) = (ProposalState::default(), RecordState::default());
        let mut look = |mirror: &MirrorState| -> (usize, Vec<(String, usize)>) {
            let way = state.ask(mirror, &record).unwrap();
            assert!(state.searching && state.ask(mirror, &record).is_none());
            state.take(way.cut(), mirror);
            let first = |card: &ProposalCard| {
                let cut = state.cut_of(&card.proposal.key, mirror).unwrap();
                assert_eq!(cut.lead.len(), card.proposal.steps.start);
                (card.proposal.name.clone(), card.proposal.steps.start)
            };
            (way.steps.len(), state.cards.iter().map(first).collect())
        };
        make_note(&mut mirror);
        assert_eq!(look(&mirror), (3, vec![("add note".to_owned(), 0)]));
        for _ in 0..NEWEST {
            act(&mut mirror, "heading", Gesture::Tap, (MADE, MADE));
        }
        assert_eq!(look(&mirror), (NEWEST, vec![("add note".to_owned(), 0)]));
        act(&mut mirror, "heading", Gesture::Tap, (MADE, EMPTY));
        make_note(&mut mirror);
        let (looked, found) = look(&mirror);
        assert_eq!(looked, NEWEST);
        let starts: Vec<usize> = found.iter().map(|(_, start)| *start).collect();
        assert_eq!(starts, [0, NEWEST + 4], "{found:?}");
    }
}
