//! Cuts a recorded walk into proposed DMFs: parts that look like a function, by what lists and fields gained, lost or
//! changed. Nothing is proposed whose postconditions do not hold on its own recording.

mod find;
mod noun;
mod walk;

use std::ops::Range;

use self::find::{Found, find_all};
use self::noun::nouns_of;
use self::walk::{Kind, Walk, kind_of};
use super::recorder::{Draft, DraftRequest, Extent, RecorderError, Role, SelectorPreference, draft};
use super::{CanFail, ConditionWhich, DataType, DmfKind, refused};
use taproof_screen::{RecordedStep, Text, Widget};

/// How certain a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The part may be meant like this.
    Possible,
    /// The part can hardly be meant otherwise.
    Likely,
}

/// A proposed DMF for a part of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What the function does to the data.
    pub kind: DmfKind,
    /// The noun that the function works on.
    pub data_type: DataType,
    /// Name of the DMF, unique among the proposals of the walk.
    pub name: String,
    /// The steps of the walk that it was cut from. `request` and `draft` only refer to these.
    pub steps: Range<usize>,
    /// The request that the draft was made from.
    pub request: DraftRequest,
    /// The DMF that was drafted from these steps, with notes.
    pub draft: Draft,
    /// Why the part looks like this function, in one sentence.
    pub reason: String,
    /// How certain the proposal is.
    pub confidence: Confidence,
    /// How often the walk performs the same function.
    pub count: usize,
    /// Identifies the function, however often and with whatever objects it is performed: by its actions and the kinds
    /// of widgets that they are performed on.
    pub key: String,
}

/// Proposes DMFs for recorded steps, in the order of the steps. `nouns` are data types that are already known.
pub fn propose(steps: &[RecordedStep], nouns: &[DataType]) -> Vec<Proposal> {
    let walk = Walk::new(steps);
    let all = find_all(&walk);
    let mut proposals: Vec<Proposal> = Vec::new();
    for (found, data_type) in all.iter().zip(nouns_of(&walk, &all, nouns)) {
        let Some(proposal) = proposal(steps, &walk, found, data_type) else { continue };
        let Some(known) = proposals.iter_mut().find(|known| known.key == proposal.key) else {
            proposals.push(proposal);
            continue;
        };
        let count = known.count + 1;
        if doubts(&proposal) < doubts(known) {
            *known = proposal;
        }
        known.count = count;
    }
    proposals.sort_by_key(|proposal| (proposal.steps.start, proposal.steps.end));
    name_apart(&mut proposals);
    proposals
}

/// The noun of what a function works on, by the words of its screens. `rows` is the id or class of the widgets in which a
/// list shows its objects, `object` the text of the one that it is performed with.
pub fn noun_of(steps: &[RecordedStep], rows: &Text, object: &str) -> DataType {
    let walk = Walk::new(steps);
    let found = Found {
        kind: DmfKind::Create,
        steps: 0..walk.joined.len(),
        added: Some(object.to_owned()),
        removed: None,
        sought: None,
        rows: Kind(rows.clone()),
        reason: String::new(),
        sure: true,
    };
    nouns_of(&walk, &[found], &[]).remove(0)
}

impl Proposal {
    /// Drafts its function again from the walk that it was found in, by the preferred kind of selector.
    ///
    /// # Errors
    ///
    /// [`RecorderError`] if it cannot be drafted by such selectors.
    pub fn draft_again(
        &mut self,
        steps: &[RecordedStep],
        prefer: SelectorPreference,
    ) -> Result<(), RecorderError> {
        let name = std::mem::take(&mut self.draft.dmf.name);
        self.request.prefer = prefer;
        self.draft = draft(steps.get(self.steps.clone()).unwrap_or_default(), &self.request)?;
        self.draft.dmf.name = name;
        Ok(())
    }
}

fn proposal(steps: &[RecordedStep], walk: &Walk<'_>, found: &Found, data_type: DataType) -> Option<Proposal> {
    let recorded = walk.recorded(&found.steps)?;
    let mut request = DraftRequest::new(found.kind, data_type.as_str());
    request.extent = Extent::Whole;
    request.object_mut(Role::Added).text.clone_from(&found.added);
    request.object_mut(Role::Removed).text.clone_from(&found.removed);
    request.object_mut(Role::Sought).text.clone_from(&found.sought);
    let draft = draft(steps.get(recorded.clone())?, &request).ok()?;
    let truths = draft.truths();
    let post: Vec<_> = truths.iter().filter(|truth| matches!(truth.which, ConditionWhich::Post(_))).collect();
    let vacuous = post.iter().any(|truth| refused(truth).is_some());
    // A condition that does not hold on its own recording, or cannot fail there, proves nothing.
    if post.is_empty() || vacuous || truths.iter().any(|truth| truth.problem.is_some()) {
        return None;
    }
    let proved = post.iter().all(|truth| matches!(truth.can_fail, CanFail::Yes { .. }));
    let clean = draft.notes.iter().all(|note| !note.doubtful);
    Some(Proposal {
        kind: found.kind,
        name: request.dmf_name(),
        data_type,
        steps: recorded,
        request,
        reason: found.reason.clone(),
        confidence: if proved && clean && found.sure { Confidence::Likely } else { Confidence::Possible },
        count: 1,
        key: key(walk, found, &draft),
        draft,
    })
}

/// The actions and the kinds of widgets that they are performed on; objects do not count.
fn key(walk: &Walk<'_>, found: &Found, draft: &Draft) -> String {
    let actions: Vec<&str> = draft.dmf.steps.iter().map(|step| step.action.word()).collect();
    let touch = |widget: &Widget| {
        let label = if widget.is_text_field() || draft.objects.iter().any(|it| *it.text == *widget.text) {
            ""
        } else {
            &widget.text
        };
        format!("{} {label:?}", kind_of(widget).0)
    };
    let touched: Vec<String> = found.steps.clone().filter_map(|step| walk.touched(step)).map(touch).collect();
    format!("{}: {}; {}", found.kind.word(), actions.join(" "), touched.join(", "))
}

fn doubts(proposal: &Proposal) -> (usize, usize) {
    let doubtful = proposal.draft.notes.iter().filter(|note| note.doubtful).count();
    (doubtful + usize::from(proposal.confidence == Confidence::Possible), proposal.steps.len())
}

/// Makes the names unique: `delete folder`, `delete1 folder`.
fn name_apart(proposals: &mut [Proposal]) {
    for index in 0..proposals.len() {
        let (kind, data_type) = (proposals[index].kind, proposals[index].data_type.clone());
        let before = proposals[..index].iter();
        let same = before.filter(|other| other.kind == kind && other.data_type == data_type).count();
        if same > 0 {
            let name = format!("{}{same} {data_type}", kind.word());
            let proposal = &mut proposals[index];
            proposal.request.name = Some(name.clone());
            proposal.draft.dmf.name.clone_from(&name);
            proposal.name = name;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Event, Gesture, Selector, layout_from};

    /// A walk through screens by gestures on widgets of these ids.
    fn walk(screens: &[&str], done: &[(&str, Gesture)]) -> Vec<RecordedStep> {
        let layouts: Vec<_> = screens.iter().map(|screen| Arc::new(layout_from(screen))).collect();
        let step = |(number, (id, gesture)): (usize, &(&str, Gesture))| {
            let (before, after) = (Arc::clone(&layouts[number]), Arc::clone(&layouts[number + 1]));
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            RecordedStep { event: Event::on(&before, selector, gesture.clone()).unwrap(), before, after }
        };
        done.iter().enumerate().map(step).collect()
    }

    fn sentences(proposals: &[Proposal]) -> Vec<String> {
        let told =
            |it: &Proposal| format!("{} {}-{} x{}", it.name, it.steps.start + 1, it.steps.end, it.count);
        proposals.iter().map(told).collect()
    }

    const EMPTY: &str = "Button#new \"New note\"\nTextView#heading \"All\"\nTextView#row \"a\"\n";
    const FIELD: &str = "EditText#title\nButton#save \"Save\"\n";
    const TYPED: &str = "EditText#title \"b\"\nButton#save \"Save\"\n";
    const MADE: &str =
        "Button#new \"New note\"\nTextView#heading \"All\"\nTextView#row \"a\"\nTextView#row \"b\"\n";

    fn make() -> [(&'static str, Gesture); 3] {
        [("new", Gesture::Tap), ("title", Gesture::SetText("b".to_owned())), ("save", Gesture::Tap)]
    }

    #[test]
    fn an_object_that_was_removed_is_made_again_not_searched() {
        let chosen = format!("{MADE}Button#delete \"Delete\"\n");
        let screens = [EMPTY, FIELD, TYPED, MADE, &chosen, EMPTY, FIELD, TYPED, MADE];
        let select = Selector { text: Some("b".to_owned()), ..Selector::default() };
        let mut steps = walk(
            &screens,
            &[&make()[..], &[("row", Gesture::LongPress), ("delete", Gesture::Tap)], &make()[..]].concat(),
        );
        steps[3].event = Event::on(&steps[3].before, select, Gesture::LongPress).unwrap();
        assert_eq!(sentences(&propose(&steps, &[])), ["add note 1-3 x2", "delete note 4-5 x1"]);
    }

    #[test]
    fn what_changed_nothing_is_not_proposed() {
        let steps = walk(&[EMPTY, FIELD, TYPED, EMPTY], &make());
        assert_eq!(sentences(&propose(&steps, &[])), Vec::<String>::new());
        assert_eq!(sentences(&propose(&[], &[])), Vec::<String>::new());
    }
}
