//! The fingerprints of short campaigns. They stand here so that debug and release builds, today's machine and tomorrow's, are held
//! to the same bytes; a change of app, specification or engine changes them.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, ConfirmPlan, NullSink, run};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig, single_engines};
use taproof_phone::BundledPhones;
use taproof_phone::apps::{shipped_specs, specified_apps};
use taproof_results::store::{SpecSource, read_specs};

fn fingerprint(engine: EngineConfig, app: &str, events: u64) -> String {
    let sources: Vec<SpecSource> =
        shipped_specs(app).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    let plan = CampaignPlan {
        spec: Arc::new(read_specs(&sources).unwrap()),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(&format!("org.taproof.{app}"), engine, events)
    };
    let mut phones = BundledPhones::new(&plan.app, &plan.build);
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut NullSink);
    format!("{:016x}", report.stats.fingerprint())
}

#[test]
fn of_property_based_fuzzing_in_each_app() {
    let fingerprints: Vec<(&str, String)> = specified_apps()
        .map(|app| {
            let config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
            (app.short_name(), fingerprint(config, app.short_name(), 1500))
        })
        .collect();
    let expected =
        [("files", "14a2b45136ce287e"), ("notes", "00021900e8bbbb26"), ("diary", "2a0bd05bbae5400b")];
    assert_eq!(fingerprints, expected.map(|(app, hash)| (app, hash.to_owned())));
}

#[test]
fn of_each_engine() {
    let fingerprints: Vec<(&str, String)> = single_engines()
        .map(|engine| (engine.label, fingerprint((engine.config)(), "files", 1500)))
        .collect();
    let expected = [
        ("PBFDroid", "14a2b45136ce287e"),
        ("Genie", "b3e372868098d7d0"),
        ("ODIN", "c7ebe000b7292b09"),
        ("Fastbot2", "9a326036e567d26b"),
        ("TimeMachine", "4feba1efd002f193"),
        ("Monkey", "034212addb4edb7e"),
        ("Keep", "4016c47db5a7d4d0"),
    ];
    assert_eq!(fingerprints, expected.map(|(engine, hash)| (engine, hash.to_owned())));
}
