//! `taproof mcp`: a client with a script, and no model, records a function, tries it, finds bugs with it and has one explained.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};
use taproof_testing::program::{refused, taproof};

struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    fn start(words: &[&str], folder: &Path) -> Client {
        let mut command = taproof(folder, &[&["mcp"], words].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, to, from, asked: 0 };
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "script", "version": "1" },
        });
        assert_eq!(client.ask("initialize", params)["serverInfo"]["name"], "taproof");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "it has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.asked {
                assert!(answer["error"].is_null(), "{answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Calls a tool: whether it failed, and what it said.
    fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let parts = result["content"].as_array().unwrap();
        let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        (result["isError"] == true, texts.join("\n"))
    }

    fn done(&mut self, tool: &str, arguments: Value) -> String {
        let (failed, said) = self.call(tool, arguments.clone());
        assert!(!failed, "{tool} {arguments}: {said}");
        said
    }

    fn end(mut self) {
        drop(self.to.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_script_records_tries_fuzzes_and_explains_in_ten_calls() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(&["--app", "files", "--bugs", "files-search-stale"], folder.path());
    client.done("record", json!({}));
    let page = client.done("perform", json!({ "action": "tap", "query": "id:sd_main_fab" }));
    assert!(page.contains("Folder"), "{page}");
    client.done("perform", json!({ "action": "tap", "query": "text:Folder" }));
    client.done("perform", json!({ "action": "set_text", "query": "class:EditText", "text": "Receipts" }));
    client.done("perform", json!({ "action": "tap", "query": "text:CREATE" }));
    let drafted = client.done("draft", json!({ "type": "Add", "data_type": "folder", "added": "Receipts" }));
    assert!(drafted.contains("\"type\": \"Add\""), "{drafted}");
    let tried = client.done("try_function", json!({ "name": "add folder", "runs": 2 }));
    assert!(tried.contains("held"), "{tried}");
    client.done("start_campaign", json!({ "events": 1500, "engine": "pbfdroid" }));
    let ended = client.done("campaign", json!({ "wait_seconds": 300 }));
    assert!(ended.starts_with("It is over."), "{ended}");
    let explained = client.done("explain", json!({ "finding": "1" }));
    assert!(explained.contains("### Steps") && explained.contains("taproof replay"), "{explained}");
    client.end();
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_cleared_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(&["--app", "files"], folder.path());
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
        fails(&mut client, "draft", json!({ "type": "Add", "data_type": "folder" }))
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
