//! Tier 0: user-defined event sequences (`max.xpath.actions`; paper.md, section 9), one event per page. A sequence
//! begins when it is drawn and ends early when its activity was left or its widget is missing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::Rng;
use taproof_screen::{Layout, WidgetIdx};
use taproof_spec::{ScriptAction, SequenceRule, is_activity};

use super::rules::Matches;

/// The state of the sequences: what is left of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Script {
    /// How often each sequence may still begin.
    times: Vec<u32>,
    /// Index of the current sequence, and its remaining events.
    current: Option<(usize, VecDeque<usize>)>,
    /// Number of sequences that ended early.
    pub broken_off: u64,
}

impl Script {
    /// The initial state of these sequences.
    pub fn of(sequences: &[SequenceRule]) -> Self {
        Script { times: sequences.iter().map(|sequence| sequence.times).collect(), ..Script::default() }
    }

    /// Drops the current sequence, because the app was restarted.
    pub fn interrupt(&mut self) {
        self.broken_off += u64::from(self.current.take().is_some());
    }

    /// The event to perform on this page, with its widget if it has one. `None` if no sequence applies.
    pub fn next<'r>(
        &mut self,
        sequences: &'r [SequenceRule],
        layout: &Layout,
        matches: &mut Matches,
        rng: &mut Rng,
    ) -> Option<(&'r ScriptAction, Option<WidgetIdx>)> {
        if sequences.is_empty() {
            return None;
        }
        if self.current.is_none() {
            self.begin(sequences, layout, matches, rng);
        }
        let (number, left) = self.current.as_mut()?;
        let sequence = sequences.get(*number)?;
        let next = left.pop_front().and_then(|place| sequence.actions.get(place));
        if left.is_empty() {
            self.current = None;
        }
        let action = next?;
        let widget = match action {
            ScriptAction::On { xpath, .. } => xpath.select(layout).first().copied(),
            ScriptAction::Back | ScriptAction::Restart | ScriptAction::CleanRestart => None,
        };
        let missing = matches!(action, ScriptAction::On { .. }) && widget.is_none();
        if missing || !is_activity(&sequence.activity, layout.activity()) {
            self.broken_off += 1;
            self.current = None;
            return None;
        }
        Some((action, widget))
    }

    fn begin(&mut self, sequences: &[SequenceRule], layout: &Layout, matches: &mut Matches, rng: &mut Rng) {
        let drawn = sequences.iter().zip(&mut self.times).enumerate().find(|(_, (sequence, times))| {
            **times > 0
                && is_activity(&sequence.activity, layout.activity())
                && rng.chance(sequence.percent as usize, 100)
        });
        if let Some((number, (sequence, times))) = drawn {
            *times -= 1;
            matches.count("max.xpath.actions", number);
            self.current = Some((number, (0..sequence.actions.len()).collect()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Text, XPath, layout_from};
    use taproof_spec::{ActionKind, UserRules};

    fn sequence(times: u32, ids: &[&str]) -> SequenceRule {
        let on = |id: &&str| ScriptAction::On {
            xpath: XPath::parse(&format!("//*[@resource-id='org.ex:id/{id}']")).unwrap(),
            kind: ActionKind::Click,
            text: None,
        };
        let mut actions: Vec<ScriptAction> = ids.iter().map(on).collect();
        actions.push(ScriptAction::Back);
        SequenceRule { activity: "org.ex.Main".into(), percent: 100, times, actions }
    }

    fn run(sequences: &[SequenceRule], pages: &[&Layout]) -> (Vec<Option<bool>>, Script, Matches) {
        let rules = UserRules { sequences: sequences.to_vec(), ..UserRules::default() };
        let (mut script, mut matches) = (Script::of(sequences), Matches::of(&rules));
        let mut rng = Rng::from_seed(1);
        let mut next = |layout: &&Layout| {
            let action = script.next(sequences, layout, &mut matches, &mut rng);
            action.map(|(action, _)| *action == ScriptAction::Back)
        };
        let done = pages.iter().map(&mut next).collect();
        (done, script, matches)
    }

    #[test]
    fn one_event_a_page_as_often_as_asked_for() {
        let main = layout_from("FrameLayout\n  Button#a\n  Button#b\n");
        let (done, script, matches) = run(&[sequence(1, &["a", "b"])], &[&main; 5]);
        assert_eq!(done, [Some(false), Some(false), Some(true), None, None]);
        assert_eq!(script.broken_off, 0);
        assert!(matches.table().unwrap().rows.iter().any(|row| row.cells == ["max.xpath.actions", "1", "1"]));
    }

    #[test]
    fn a_sequence_ends_where_its_widget_or_its_activity_is_gone() {
        let main = layout_from("FrameLayout\n  Button#a\n");
        let other = main.clone().with_activity(Text::from("org.ex/.Other"));
        let (done, script, _) = run(&[sequence(2, &["a", "b"])], &[&main, &main, &main, &other, &main]);
        assert_eq!(done, [Some(false), None, Some(false), None, None]);
        assert_eq!(script.broken_off, 2);
    }
}
