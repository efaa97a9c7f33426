//! Results that were made up for tests.

use crate::plan::{EngineRun, Fault, Plan, Subject, Target, Witness};
use crate::result::{CellResult, Found};
use crate::results::{CellRow, Results};
use crate::tests::plan;

/// The result of a campaign that finds its fault, called `f`, after so many events.
pub(crate) fn found_at(event: Option<u64>) -> CellResult {
    let found = event.map(|event| Found {
        event,
        letter: "P".to_owned(),
        faults: vec!["f".to_owned()],
        ambiguous: false,
        steps: 8,
        confirmed: true,
        suspicion: false,
        title: "a <b>note</b> & more".to_owned(),
    });
    let cards = found.iter().map(|_| vec![0]).collect();
    CellResult { events: 1_000, findings: found.into_iter().collect(), cards, ..CellResult::default() }
}

/// Results of PBFDroid with two seeds: for each fault its operator, and when each seed found it.
pub(crate) fn results(faults: &[(&str, [Option<u64>; 2])]) -> Results {
    let mut engines = plan(&["notes"]).engines;
    let engines: Vec<EngineRun> =
        engines.drain(1..).map(|engine| EngineRun { events: 1_000, ..engine }).collect();
    let target = |(place, (operator, _)): (usize, &(&str, _))| Target {
        app: "<script>notes</script>".to_owned(),
        subject: Subject::Fault(Fault {
            id: format!("{operator}-{place}"),
            operator: (*operator).to_owned(),
            letters: "P".to_owned(),
            witness: Some(Witness { events: 4, script: "add \"<i>\"".to_owned() }),
        }),
    };
    let row = |(target, (_, found)): (usize, &(&str, [Option<u64>; 2]))| {
        let row = |(seed, found): (u64, &Option<u64>)| CellRow {
            target,
            engine: engines[0].name.clone(),
            seed,
            result: found_at(*found),
        };
        (1..).zip(found).map(row).collect::<Vec<_>>()
    };
    let plan = Plan { engines: engines.clone(), cells: None, ..plan(&["notes"]) };
    Results {
        taproof: "0.1.0".to_owned(),
        purpose: plan.purpose(),
        targets: faults.iter().enumerate().map(target).collect(),
        cells: faults.iter().enumerate().flat_map(row).collect(),
        recorded: None,
        discovered: None,
        plan,
    }
}
