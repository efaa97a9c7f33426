//! A client of the Model Context Protocol that follows a script.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A client without a model.
pub struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    /// Starts `taproof mcp` by this command.
    pub fn start(mut command: Command) -> Client {
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

    /// Asks for something that must be answered.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
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
    pub fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let parts = result["content"].as_array().unwrap();
        let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        (result["isError"] == true, texts.join("\n"))
    }

    /// Calls a tool that must not fail.
    pub fn done(&mut self, tool: &str, arguments: Value) -> String {
        let (failed, said) = self.call(tool, arguments.clone());
        assert!(!failed, "{tool} {arguments}: {said}");
        said
    }

    /// Ends the program, which must end well.
    pub fn end(mut self) {
        drop(self.to.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Client {
    /// Records a function of Files, tries it, looks for bugs with it, and has the first explained, in ten calls.
    pub fn record_try_fuzz_explain(&mut self, events: u64) -> String {
        self.done("record", json!({}));
        let page = self.done("perform", json!({ "action": "tap", "query": "id:sd_main_fab" }));
        assert!(page.contains("Folder"), "{page}");
        self.done("perform", json!({ "action": "tap", "query": "text:Folder" }));
        self.done("perform", json!({ "action": "set_text", "query": "class:EditText", "text": "Receipts" }));
        self.done("perform", json!({ "action": "tap", "query": "text:Create" }));
        let drafted =
            self.done("draft", json!({ "type": "add", "data_type": "folder", "added": "Receipts" }));
        assert!(drafted.contains("post-conditions"), "{drafted}");
        let tried = self.done("try_function", json!({ "name": "add folder", "runs": 2 }));
        assert!(tried.contains("Held 2 of 2"), "{tried}");
        self.done("start_campaign", json!({ "events": events }));
        let ended = self.done("campaign", json!({ "wait_seconds": 600 }));
        assert!(ended.starts_with("It is over."), "{ended}");
        self.done("explain", json!({ "finding": "1" }))
    }
}
