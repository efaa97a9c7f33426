//! Commands over what campaigns left behind: listing, comparing, beginning with them and with
//! what was learned.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use taproof_engine::ENGINES;
use taproof_results::store::read_model;
use taproof_testing::program::{code, errors, json, refused, run};

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// A campaign on Diary; its summary.
fn fuzz(folder: &Path, extra: &[&str]) -> Value {
    let words = ["fuzz", "--app", "diary", "--no-pictures", "--json"];
    let output = run(folder, &[&words[..], extra].concat());
    assert!(code(&output) <= 1, "{}", errors(&output));
    json(&output)
}

#[test]
fn engines_are_listed_and_their_settings_explained() {
    let folder = tempfile::tempdir().unwrap();
    let odin = printed(&run(folder.path(), &["engines", "odin"]));
    assert!(
        odin.contains("\n  odin.walks=3\n      Number of walks of one test, each from where the one before ended; 1 in the paper.\n      1 with odin.preset=paper.\n"),
        "{odin}"
    );
    assert!(odin.contains("odin.merging=\"grouped\"") && odin.contains("One of grouped, "), "{odin}");
    let all = json(&run(folder.path(), &["engines", "--json"]));
    let named: Vec<&str> =
        all["engines"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(named, ENGINES.iter().map(|info| info.name).collect::<Vec<_>>());
    refused(
        folder.path(),
        &[(&["engines", "odn"], "no engine is called \"odn\"; there are pbfdroid, genie")],
    );
}

#[test]
fn campaigns_and_findings_are_listed_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    refused(folder, &[(&["campaigns"], "no workspace"), (&["findings"], "no workspace")]);
    drop(taproof_results::store::Workspace::open(&folder.join("results")).unwrap());
    let empty = run(folder, &["campaigns"]);
    assert_eq!((code(&empty), printed(&empty).starts_with("no campaigns in ")), (0, true));
    assert_eq!(json(&run(folder, &["campaigns", "--json"])), json!({ "version": 1, "campaigns": [] }));
    assert!(printed(&run(folder, &["findings"])).starts_with("no such findings in "));

    let first = fuzz(folder, &["--engine", "pbfdroid,monkey", "--events", "600"]);
    fuzz(folder, &["--engine", "pbfdroid", "--events", "600", "--explore", "fastbot2"]);
    fuzz(folder, &["--engine", "monkey", "--events", "300", "--build", "sound"]);
    let campaigns = json(&run(folder, &["campaigns", "--json"]));
    let ids: Vec<&Value> = campaigns["campaigns"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, [3, 2, 1]);
    let oldest = &campaigns["campaigns"][2];
    assert_eq!((&oldest["engines"], &oldest["end"]), (&json!(["pbfdroid", "monkey"]), &json!("budget")));
    assert_eq!(oldest["findings"], first["findings"].as_array().unwrap().len());
    assert_eq!(printed(&run(folder, &["campaigns"])).lines().count(), 4);

    // Two campaigns found the same bug: it is told once for each. Within one, the engines stand together.
    let all = json(&run(folder, &["findings", "--json"]));
    let causes = all["causes"].as_array().unwrap();
    let of_first = json(&run(folder, &["findings", "1", "--json"]));
    let told = of_first["causes"].as_array().unwrap();
    assert!(!told.is_empty() && told.len() < causes.len());
    let mut seen: Vec<&Value> = told.iter().map(|cause| &cause["attributed_bugs"]).collect();
    seen.dedup();
    assert_eq!(seen.len(), told.len(), "each cause once: {of_first}");
    let monkeys = json(&run(folder, &["findings", "1", "--engine", "monkey", "--json"]));
    assert!(monkeys["causes"].as_array().unwrap().iter().all(|cause| cause["engines"] == json!(["monkey"])));
    let properties = json(&run(folder, &["findings", "--oracle", "property", "--json"]));
    let oracles =
        properties["causes"].as_array().unwrap().iter().map(|cause| &cause["findings"][0]["oracle"]);
    assert!(oracles.clone().count() > 0 && oracles.into_iter().all(|oracle| oracle == "property"));
    assert!(printed(&run(folder, &["findings", "1"])).starts_with("campaign 1: org.taproof.diary (faulty)"));

    let compared = json(&run(folder, &["compare", "1", "2", "--json"]));
    assert_eq!(compared["unlike"].as_array().unwrap().len(), 1, "{compared}");
    assert!(compared["unlike"][0].as_str().unwrap().contains("pbfdroid.explore=fastbot2"));
    assert_eq!(compared["engines"][0]["runs"][0]["did"]["fingerprint"], first["engines"][0]["fingerprint"]);
    assert_eq!(
        (&compared["engines"][1]["engine"], &compared["engines"][1]["runs"][1]),
        (&json!("monkey"), &Value::Null)
    );
    let told = printed(&run(folder, &["compare", "1", "3"]));
    for word in ["different builds: faulty and sound", "different budgets", "events to diary-", "\nmonkey\n"]
    {
        assert!(told.contains(word), "no {word:?} in {told}");
    }
    refused(
        folder,
        &[
            (&["findings", "9"], "campaign 9"),
            (&["findings", "--engine", "warp"], "warp"),
            (&["findings", "--oracle", "warp"], "warp"),
            (&["compare", "1", "9"], "campaign 9"),
        ],
    );
}

#[test]
fn a_campaign_that_was_killed_is_compared_by_its_last_sample() {
    let folder = tempfile::tempdir().unwrap();
    fuzz(folder.path(), &["--engine", "monkey", "--events", "1200"]);
    let results = folder.path().join("results/results.sqlite");
    let connection = rusqlite::Connection::open(results).unwrap();
    connection.execute("UPDATE campaigns SET end = 'interrupted', summary = NULL", []).unwrap();
    let told = printed(&run(folder.path(), &["compare", "1", "1"]));
    assert!(told.contains("not alike: campaign 1 has not come to its end: interrupted"), "{told}");
    assert!(told.contains("1,200"), "{told}");
}

#[test]
#[ignore = "takes long"]
fn traces_are_part_of_the_plan_of_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let found = fuzz(folder, &["--events", "600"]);
    let id = found["findings"][0]["id"].as_str().unwrap();
    assert_eq!(code(&run(folder, &["replay", id, "--keep", "way.json"])), 0);
    let with = |engine: &str, from: &[&str]| {
        let words = [&["--engine", engine, "--events", "400", "--seed", "5"], from].concat();
        fuzz(folder, &words)["fingerprint"].clone()
    };
    for engine in ["genie", "odin", "fastbot2", "timemachine"] {
        let alone = with(engine, &[]);
        let given = with(engine, &["--from", "way.json"]);
        assert_ne!(given, alone, "{engine} makes something of it");
        assert_eq!(given, with(engine, &["--from", id]), "{engine}: the finding is the trace");
    }
    for engine in ["pbfdroid", "monkey"] {
        assert_eq!(with(engine, &["--from", "way.json"]), with(engine, &[]));
        let words = ["fuzz", "--app", "diary", "--engine", engine, "--events", "9", "--from", "way.json"];
        let output = run(folder, &words);
        assert!(errors(&output).contains("does not begin with recorded traces"), "{}", errors(&output));
    }
    let workspace = taproof_results::store::Workspace::open(&folder.join("results")).unwrap();
    let newest = workspace.campaigns().unwrap()[0].id;
    let plan = workspace.load_campaign(newest).unwrap().plan;
    assert_eq!(plan.plan.seed_traces[0].trace.len(), plan.traces[0].seed_trace().unwrap().trace.len());
    assert!(plan.plan.command_words().join(" ").contains("--from way.json"));
    refused(
        folder,
        &[
            (&["fuzz", "--app", "notes", "--from", "way.json"], "is of org.taproof.diary"),
            (&["fuzz", "--app", "diary", "--from", "nope.json"], "nope.json"),
            (&["fuzz", "--app", "diary", "--from", "no-such-finding"], "no-such-finding"),
        ],
    );
}

#[test]
fn what_fastbot2_learns_is_kept_and_used_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let learn =
        |extra: &[&str]| fuzz(folder, &[&["--engine", "fastbot2", "--events", "500"], extra].concat());
    let model = |name: &str| read_model(&folder.join(name)).unwrap();
    let own = "results/models/org.taproof.diary.model";
    let first = learn(&[]);
    let known = model(own).transitions();
    assert!(known > 0);
    assert_eq!(learn(&[])["fingerprint"], first["fingerprint"], "nothing is used that was not asked for");
    assert_eq!(model(own).transitions(), 2 * known, "but it is added");
    let reused = learn(&["--reuse"]);
    assert_ne!(reused["fingerprint"], first["fingerprint"]);
    assert!(model(own).transitions() > 2 * known && model(own).transitions() < 4 * known, "no count twice");

    assert_eq!(learn(&["--model", "a.model"])["fingerprint"], first["fingerprint"], "there is none yet");
    assert_eq!(model("a.model").transitions(), known);
    let again = learn(&["--model", "a.model"]);
    assert_ne!(again["fingerprint"], first["fingerprint"]);
    let workspace = taproof_results::store::Workspace::open(&folder.join("results")).unwrap();
    let newest = workspace.campaigns().unwrap()[0].id;
    let words = workspace.load_campaign(newest).unwrap().plan.plan.command_words().join(" ");
    assert!(words.contains("--set fastbot2.model=a.model") && words.len() < 200, "{words}");

    std::fs::write(folder.join("bad.model"), b"no model").unwrap();
    let fuzz = ["fuzz", "--engine", "fastbot2", "--events", "9", "--app"];
    let with = |rest: &[&'static str]| [&fuzz[..], rest].concat();
    refused(
        folder,
        &[
            (&with(&["diary", "--model", "bad.model"]), "bad.model"),
            (&with(&["notes", "--model", "a.model"]), "not of org.taproof.notes"),
            (&["fuzz", "--app", "diary", "--model", "a.model"], "--model is for the engine fastbot2"),
        ],
    );
}

#[test]
fn rules_are_read_counted_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rules = folder.join("rules");
    std::fs::create_dir(&rules).unwrap();
    let fuzz_with = ["--engine", "fastbot2", "--events", "300", "--rules", "rules"];
    let words = [&["fuzz", "--app", "diary"], &fuzz_with[..]].concat();
    refused(folder, &[(&words, "no rule file")]);
    let activity = "org.taproof.diary.MainActivity";
    let one = json!([
        { "activity": activity, "bounds": "[0,0][1,1]" },
        { "activity": "org.taproof.diary.NoSuchActivity", "bounds": "[0,0][1,1]" },
    ]);
    std::fs::write(rules.join("max.widget.black"), one.to_string()).unwrap();
    let summary = fuzz(folder, &fuzz_with);
    let table = &summary["engines"][0]["stats"]["tables"][0];
    let told = table["rows"].as_array().unwrap();
    assert_eq!((&table["title"], told.len()), (&json!("Rules"), 2), "{summary}");
    assert_eq!(told[1]["cells"], json!(["max.widget.black", "2", "0"]));
    let printed = printed(&run(folder, &words));
    assert!(printed.contains("fastbot2:   max.widget.black  2     0\n"), "{printed}");
    std::fs::write(rules.join("max.widget.black"), "[{\"activity\": \"a.B\"}]").unwrap();
    refused(folder, &[(&words, "max.widget.black, rule 1: it has neither xpath nor bounds")]);
    std::fs::write(rules.join("max.widget.black"), "[").unwrap();
    refused(folder, &[(&words, "not JSON")]);
}

#[test]
fn a_specification_is_written_for_the_original_pbfdroid() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let spec = format!("{}/specs/files/dmf_files.json", env!("CARGO_MANIFEST_DIR"));
    let written = run(folder, &["spec", "fmt", "--for", "pbfdroid", &spec]);
    assert_eq!(code(&written), 0, "{}", errors(&written));
    let said = errors(&written);
    assert!(said.contains("edit1 folder: step 3 taps the action key of Google's keyboard"), "{said}");
    assert!(said.contains("only the functions on folder"), "{said}");
    let text = printed(&written);
    assert!(!text.contains("taproof_") && !text.contains("\"action_key\""), "{text}");
    std::fs::write(folder.join("folder.json"), &text).unwrap();
    let again = run(folder, &["spec", "fmt", "folder.json"]);
    assert_eq!(printed(&again), text, "the form is canonical");
    let files = run(folder, &["spec", "fmt", "--for", "pbfdroid", "--type", "file", &spec]);
    assert!(printed(&files).contains("\"datatype\": \"file\"") && !printed(&files).contains("\"folder\""));
    refused(
        folder,
        &[
            (&["spec", "fmt", "--for", "pbfdroid", "--type", "note", &spec], "the types are: folder, file"),
            (&["spec", "fmt", "--for", "pbfdroid", "--write", &spec], "cannot be used with"),
        ],
    );
}

#[test]
fn the_events_of_a_campaign_are_searched() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fuzz(folder, &["--engine", "monkey,keep", "--events", "2400"]);
    let events = |extra: &[&str]| -> Vec<Value> {
        let found = run(folder, &[&["campaigns", "events", "1", "--json"][..], extra].concat());
        assert_eq!(code(&found), 0, "{}", errors(&found));
        json(&found)["events"].as_array().unwrap().clone()
    };
    let all = events(&[]);
    let of = |name: &str| all.iter().filter(|event| event["engine"] == name).collect::<Vec<_>>();
    assert_eq!(of("monkey").len(), 1200);
    let numbers: Vec<u64> = of("monkey").iter().map(|event| event["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=1200).collect::<Vec<_>>());
    let first = of("monkey")[0];
    assert_eq!((&first["activity"], &first["test"]), (&json!("org.taproof.diary/.MainActivity"), &json!(1)));
    assert!(!first["event"].as_str().unwrap().is_empty() && first["millis"].is_u64(), "{first}");
    assert!(of("keep").iter().any(|event| event["role"] == "detour"));
    // By words, by activity, by engine and number.
    let back = events(&["--match", "PRESS back"]);
    assert!(!back.is_empty() && back.len() < all.len());
    assert!(back.iter().all(|event| event["event"].as_str().unwrap().to_lowercase().contains("press back")));
    let edited = events(&["--activity", "*Edit*"]);
    assert!(!edited.is_empty());
    let on = |event: &Value, key: &str| event[key].as_str().is_some_and(|activity| activity.contains("Edit"));
    assert!(edited.iter().all(|event| on(event, "activity") || on(event, "led_to")));
    let few = events(&["--engine", "keep", "--from", "7", "--most", "3"]);
    assert_eq!(few.iter().map(|event| event["number"].as_u64().unwrap()).collect::<Vec<_>>(), [7, 8, 9]);
    let line = printed(&run(folder, &["campaigns", "events", "1", "--most", "1"]));
    assert!(
        line.starts_with("monkey       1  test 1 ") && line.contains("[org.taproof.diary/.Main"),
        "{line}"
    );
    let none = run(folder, &["campaigns", "events", "1", "--match", "no such words"]);
    assert_eq!(printed(&none), "no such event\n");
    refused(
        folder,
        &[
            (&["campaigns", "events", "1", "--engine", "odin"], "it has monkey, keep"),
            (&["campaigns", "events", "9"], "9"),
        ],
    );
}

#[test]
fn widgets_that_were_never_touched_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let summary = fuzz(folder, &["--engine", "monkey", "--events", "30"]);
    let untouched = summary["untouched"].as_array().unwrap().len();
    let names = printed(&run(folder, &["campaigns", "untouched"]));
    assert_eq!(names.lines().count(), untouched);
    assert!(untouched > 0 && names.lines().all(|line| line.starts_with("org.taproof.diary/")), "{names}");
    // What thirty events left untouched, a hundred times as many touch in part.
    let longer = fuzz(folder, &["--engine", "monkey", "--events", "3000"]);
    let names_after = printed(&run(folder, &["campaigns", "untouched", "2"]));
    assert_eq!(names_after.lines().count(), longer["untouched"].as_array().unwrap().len());
    assert!(names.lines().any(|line| !names_after.contains(line)), "{names_after}");
    let none = run(folder, &["campaigns", "untouched", "--activity", "NoSuchActivity"]);
    assert_eq!(printed(&none), "no such widget\n");
    refused(folder, &[(&["campaigns", "untouched", "9"], "9")]);
}

#[test]
fn activities_that_were_never_reached_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["--engine", "monkey", "--events", "30", "--deny-activity", "SettingsActivity"];
    let summary = fuzz(folder, &words);
    let (all, missing) =
        (summary["declared_activities"].as_u64().unwrap(), summary["unreached"].as_array().unwrap());
    assert_eq!(all, missing.len() as u64 + summary["activities"].as_u64().unwrap(), "{missing:?}");
    assert!(
        missing
            .iter()
            .all(|activity| activity.as_str().unwrap().starts_with("org.taproof.diary/org.taproof."))
    );
    let words = [
        "fuzz",
        "--app",
        "diary",
        "--engine",
        "monkey",
        "--events",
        "30",
        "--no-pictures",
        "--html",
        "a.html",
    ];
    let said = printed(&run(folder, &words));
    assert!(
        said.contains(&format!("of the {all} activities in the manifest were never reached: ")),
        "{said}"
    );
    assert!(text(folder, "a.html").contains("Never reached"));
}

#[test]
fn steps_say_when_and_where_they_were_done() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let summary = fuzz(folder, &["--engine", "pbfdroid", "--events", "600", "--html", "report.html"]);
    let step = &summary["bugs"][0]["steps"][0];
    assert!(step["activity"].as_str().unwrap().starts_with("org.taproof.diary/."), "{step}");
    assert!(step["millis"].is_u64() && !step["page"].as_str().unwrap().is_empty(), "{step}");
    let report = text(folder, "report.html");
    assert!(report.contains(" s, org.taproof.diary/.MainActivity") && report.contains("bundled phone"));
    let again = json(&run(folder, &["replay", "1", "--json"]));
    let steps = again["steps"].as_array().unwrap();
    assert_eq!(steps[0]["millis"], 0);
    let times: Vec<u64> = steps.iter().map(|step| step["millis"].as_u64().unwrap()).collect();
    assert!(
        times.is_sorted() && steps.iter().all(|step| !step["device"].as_str().unwrap().is_empty()),
        "{steps:?}"
    );
    let said = printed(&run(folder, &["replay", "1"]));
    assert!(
        said.lines().nth(1).unwrap().starts_with("on ") && said.contains("org.taproof.diary/.MainActivity]"),
        "{said}"
    );
}
