//! `taproof mcp`: a client with a script, and no model, records a function, tries it, finds bugs with it and has one explained.

use serde_json::{Value, json};
use taproof_testing::mcp::Client;
use taproof_testing::program::{refused, taproof};

#[test]
fn a_script_records_tries_fuzzes_and_explains_in_ten_calls() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(taproof(folder.path(), &["mcp", "--app", "files"]));
    let explained = client.record_try_fuzz_explain(2_000);
    assert!(explained.contains("### Steps") && explained.contains("taproof replay"), "{explained}");
    client.end();
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_cleared_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(taproof(folder.path(), &["mcp", "--app", "files"]));
    let fails = |client: &mut Client, tool: &str, arguments: Value| {
        let (failed, said) = client.call(tool, arguments);
        assert!(failed, "{said}");
        said
    };
    assert!(
        fails(&mut client, "perform", json!({ "action": "tap", "query": "id:none" }))
            .contains("names no widget")
    );
    assert!(
        fails(&mut client, "perform", json!({ "action": "tap", "query": "class:TextView" }))
            .contains("give a number")
    );
    assert!(
        fails(&mut client, "draft", json!({ "type": "add", "data_type": "folder" }))
            .contains("nothing is recorded")
    );
    assert!(fails(&mut client, "campaign", json!({})).contains("no campaign was started"));
    assert!(fails(&mut client, "explain", json!({ "finding": "7" })).contains("workspace"));
    let tools = client.ask("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().unwrap().len(), 12);
    client.end();
    let device = ["mcp", "--device", "none-1", "--package", "org.ex"];
    assert!(!taproof(folder.path(), &device).output().unwrap().status.success());
    refused(folder.path(), &[(&["mcp", "--app", "none"], "none")]);
}
