//! What the functions of a specification did in a campaign, in a line, and what could be recorded to test more.

use std::collections::BTreeMap;

use crate::fuzz::campaigns::CampaignState;
use taproof_engine::{EngineConfig, PropertyCounts};
use taproof_screen::{thousands, with_article};
use taproof_spec::{DmfKind, Spec};

/// What the functions did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionsLine {
    /// How often they ran, and with what result.
    pub ran: String,
    /// What else could be recorded.
    pub advice: Option<String>,
    /// How many runs did not come to their end.
    pub could_not_run: u64,
    /// Index of the engine that ran them.
    pub engine: usize,
}

impl CampaignState {
    /// What the functions did so far. `None` if no engine of the campaign runs functions.
    pub fn functions_line(&self) -> Option<FunctionsLine> {
        let dmfs = &self.plan.spec.dmfs;
        let runs_any = |engine: &EngineConfig| dmfs.iter().any(|dmf| engine.settings().runs(dmf));
        let engine = self.plan.engines.iter().position(runs_any)?;
        let functions = self.functions();
        let stopped = functions.iter().flat_map(|counts| counts.not_executed.values());
        Some(FunctionsLine {
            ran: ran_words(&functions),
            advice: advice(&self.plan.spec),
            could_not_run: stopped.sum(),
            engine,
        })
    }
}

fn ran_words(properties: &[PropertyCounts]) -> String {
    let ran = properties.iter().filter(|counts| counts.executed > 0).count();
    let sum = |number: fn(&PropertyCounts) -> u64| properties.iter().map(number).sum::<u64>();
    let (executed, held, broken) =
        (sum(|counts| counts.executed), sum(|counts| counts.held), sum(|counts| counts.violated));
    let who = match properties {
        [only] => only.name.clone(),
        _ if ran < properties.len() => format!("{ran} of {} functions", properties.len()),
        all => format!("All {} functions", all.len()),
    };
    let times = |count: u64| match count {
        1 => "once".to_owned(),
        count => format!("{} times", thousands(count)),
    };
    match (executed, broken) {
        (0, _) => "No function has run yet.".to_owned(),
        (_, 0) if held == executed => format!("{who} ran {} and held each time.", times(executed)),
        (_, 0) => format!("{who} ran {} and held {}.", times(executed), times(held)),
        _ => format!("{who} ran {} and broke {}.", times(executed), times(broken)),
    }
}

/// What could be recorded of data that the functions make and then leave alone.
fn advice(spec: &Spec) -> Option<String> {
    let mut of_type: BTreeMap<&str, Vec<DmfKind>> = BTreeMap::new();
    for dmf in spec.dmfs.iter().filter(|dmf| dmf.runs()) {
        of_type.entry(&dmf.data_type).or_default().push(dmf.kind);
    }
    let made = of_type.into_iter().find_map(|(data, kinds)| {
        let lacks = [(DmfKind::Update, "changed"), (DmfKind::Delete, "deleted")]
            .into_iter()
            .filter(|(kind, _)| !kinds.contains(kind))
            .map(|(_, word)| word)
            .collect::<Vec<_>>();
        (kinds.contains(&DmfKind::Create) && !lacks.is_empty()).then_some((data, lacks))
    });
    made.map(|(data, lacks)| {
        format!("Record how {} is {} to test more.", with_article(data), lacks.join(" or "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::Dmf;

    fn counts(name: &str, executed: u64, held: u64, violated: u64) -> PropertyCounts {
        PropertyCounts { name: name.to_owned(), executed, held, violated, ..PropertyCounts::default() }
    }

    #[test]
    fn what_the_functions_did_is_said_in_a_sentence() {
        let add = |executed, held, violated| counts("add folder", executed, held, violated);
        assert_eq!(ran_words(&[add(0, 0, 0)]), "No function has run yet.");
        assert_eq!(ran_words(&[add(1, 1, 0)]), "add folder ran once and held each time.");
        assert_eq!(ran_words(&[add(1882, 1882, 0)]), "add folder ran 1,882 times and held each time.");
        assert_eq!(ran_words(&[add(5, 4, 0)]), "add folder ran 5 times and held 4 times.");
        let [other, idle] = [counts("edit folder", 3, 1, 2), counts("delete folder", 0, 0, 0)];
        assert_eq!(
            ran_words(&[add(5, 5, 0), other.clone()]),
            "All 2 functions ran 8 times and broke 2 times."
        );
        assert_eq!(
            ran_words(&[add(5, 5, 0), other, idle]),
            "2 of 3 functions ran 8 times and broke 2 times."
        );
    }

    #[test]
    fn what_is_made_and_never_changed_is_worth_a_recording() {
        let dmf = |kind| Dmf::empty("some folder", kind, "folder");
        let mut spec = Spec { dmfs: vec![dmf(DmfKind::Create)], ..Spec::default() };
        let say = "Record how a folder is changed or deleted to test more.";
        assert_eq!(advice(&spec).as_deref(), Some(say));
        spec.dmfs.push(dmf(DmfKind::Update));
        assert_eq!(advice(&spec).as_deref(), Some("Record how a folder is deleted to test more."));
        spec.dmfs.push(dmf(DmfKind::Delete));
        assert_eq!(advice(&spec), None);
        assert_eq!(advice(&Spec { dmfs: vec![dmf(DmfKind::Read)], ..Spec::default() }), None);
    }
}
