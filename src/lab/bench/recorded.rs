//! Specifications as the recorder drafts them: each function of the one that follows from the app is performed on the sound
//! build and recorded once. What a person says of a recording is known: its kind, its data type, whether a search is in
//! vain, and of a property, which the recorder cannot know, what the end must show or must not. The rest is the recorder's proposal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_campaign::discover::kept_draft;
use taproof_engine::device::{DeviceError, DeviceSource};
use taproof_screen::Layout;
use taproof_spec::{
    ConditionChoice, Dmf, DmfKind, DraftRequest, ObjectChoice, PickedWidget, Relation, Spec, SpecSelector,
    TextPattern, typed_text,
};

use crate::performed::{Recording, recordings};

/// Events within which every function is performed once, or left out.
const EVENTS: u64 = 20_000;

/// How many functions of the specifications were recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Those of which the recorder made a draft without errors.
    pub recorded: usize,
    /// All functions of the specifications that follow from the apps.
    pub of: usize,
}

/// The functions of a specification as they are drafted from one recording each, accepted as they are. Functions that
/// could not be performed, or whose draft has an error, are left out.
///
/// # Errors
///
/// [`DeviceError`] if the phone fails.
pub(crate) fn recorded_spec(
    truth: &Spec,
    package: &str,
    phones: &mut dyn DeviceSource,
) -> Result<Spec, DeviceError> {
    let recordings = recordings(truth, package, phones, EVENTS)?;
    // Whoever recorded all of them has seen all of that.
    let steps = recordings.iter().flatten().flat_map(|recording| &recording.steps);
    let seen: Vec<Arc<Layout>> = steps.map(|step| Arc::clone(&step.after)).collect();
    let mut spec = Spec::default();
    for (dmf, recording) in truth.dmfs.iter().zip(recordings) {
        spec.dmfs.extend(recording.and_then(|recording| drafted(dmf, recording, &seen)));
    }
    Ok(spec)
}

/// The draft of a function, as the recorder saves it; `None` if it refuses to.
fn drafted(dmf: &Dmf, recording: Recording, seen: &[Arc<Layout>]) -> Option<Dmf> {
    let lead = recording.lead.iter().map(|step| Arc::clone(&step.after));
    let mut request = DraftRequest {
        name: Some(dmf.name.clone()),
        seen: seen.iter().cloned().chain(lead).collect(),
        ..DraftRequest::new(dmf.kind, dmf.data_type.as_str())
    };
    say_expected(dmf, &recording, &mut request);
    request.lead = Some(recording.lead);
    kept_draft(&recording.steps, &request)
}

/// Says what a person says beyond kind and type: of a search, that it is in vain; of a property, the known object that it is
/// about, and what the end must show or must not.
fn say_expected(dmf: &Dmf, recording: &Recording, request: &mut DraftRequest) {
    let expected = dmf.postconditions.iter().filter_map(|condition| {
        let shown = match condition.relation {
            Relation::In => true,
            Relation::NotIn => false,
            _ => return None,
        };
        Some((&dmf.widget(condition.widget.as_deref()?)?.selector, shown))
    });
    match dmf.kind {
        DmfKind::Search => request.sought.shown = expected.map(|(_, shown)| shown).next(),
        DmfKind::Property => {
            let typed =
                |text: &String| recording.steps.iter().any(|step| typed_text(&step.event) == Some(text));
            request.sought.text = recording.texts.iter().find(|text| !typed(text)).cloned();
            for (selector, shown) in expected {
                if let TextPattern::FromRead(read) = &selector.text {
                    let Some(choice) = recording.object(dmf, selector, read, shown) else { continue };
                    let is_known = choice.text.as_ref().is_some_and(|text| !typed(text));
                    *(if is_known { &mut request.sought } else { &mut request.added }) = choice;
                } else {
                    let picked = recording.pick(selector, None, shown);
                    let choice = picked.map(|picked| ConditionChoice { picked, shown, state: None });
                    request.postconditions.extend(choice);
                }
            }
        }
        DmfKind::Create | DmfKind::Read | DmfKind::Update | DmfKind::Delete => {}
    }
}

impl Recording {
    /// The object that the end must show in a widget of this selector, or must not: a text that was drawn, or else one that a
    /// widget of the function shows on the way.
    fn object(&self, dmf: &Dmf, selector: &SpecSelector, read: &str, shown: bool) -> Option<ObjectChoice> {
        let of_drawn = |text: &String| {
            let expected = self.pick(selector, Some(text), shown)?;
            Some(ObjectChoice {
                text: Some(text.clone()),
                read: None,
                expected: Some(expected),
                shown: Some(shown),
            })
        };
        let of_read = || {
            // Where a step was left out, screens have other numbers.
            let named = dmf.widget(read).filter(|_| dmf.steps.len() == self.steps.len())?;
            let read = self.on(&named.selector, None, named.layout)?;
            let text = self.layout(read.layout)?.widget(read.widget).text.to_string();
            let expected = self.pick(selector, Some(&text), shown)?;
            Some(ObjectChoice { text: None, read: Some(read), expected: Some(expected), shown: Some(shown) })
        };
        self.texts.iter().rev().find_map(of_drawn).or_else(of_read)
    }

    /// The widget of a selector at the end. If the end must not show it: the one on the last screen before that does, or else
    /// another in its place, if a screen before shows the text at all.
    fn pick(&self, selector: &SpecSelector, text: Option<&String>, shown: bool) -> Option<PickedWidget> {
        let end = self.steps.len();
        let there = self.on(selector, text, end);
        if shown || there.is_some() {
            return there.filter(|_| shown);
        }
        let before = (0..end).rev().find_map(|number| self.on(selector, text, number));
        let said = |text: &String| {
            self.steps.iter().any(|step| step.before.widgets().iter().any(|widget| *widget.text == **text))
        };
        before.or_else(|| text.filter(|text| said(text)).and_then(|_| self.on(selector, None, end)))
    }

    fn on(&self, selector: &SpecSelector, text: Option<&String>, number: usize) -> Option<PickedWidget> {
        let plain = SpecSelector { row: None, instance: None, ..selector.clone() };
        let text = match &selector.text {
            TextPattern::Is(text) => Some(text),
            TextPattern::Any | TextPattern::Existing(_) | TextPattern::FromRead(_) => text,
        };
        let found = plain.with_text(text.cloned()).ok()?.matches(self.layout(number)?);
        Some(PickedWidget::new(number, found.first().copied()?))
    }

    fn layout(&self, number: usize) -> Option<&Arc<Layout>> {
        match self.steps.get(number) {
            Some(step) => Some(&step.before),
            None => self.steps.last().map(|step| &step.after),
        }
    }
}
