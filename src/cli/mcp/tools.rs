//! The tools of an assistant: what each is called, what it takes, and what it does.

use serde_json::{Map, Value, json};

use super::Assistant;
use super::phone::{ACTIONS, TYPES};
use taproof_results::report::ExportKind;
use taproof_spec::DmfKind;

/// What a tool answers, or why it could not do what was asked.
pub(super) type Answer = Result<Vec<Part>, String>;

/// A part of an answer.
pub(super) enum Part {
    /// A text.
    Text(String),
    /// A picture as PNG.
    Picture(Vec<u8>),
}

/// A tool.
pub(super) struct ToolInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the assistant.
    pub does: &'static str,
    takes: &'static [Parameter],
    run: fn(&mut Assistant, &Given<'_>) -> Answer,
}

/// A parameter of a tool: its name, what it is, what it means, and whether it must be given.
struct Parameter(&'static str, Kind, &'static str, bool);

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Number,
    Switch,
    OneOf(fn() -> Vec<&'static str>),
}

fn actions() -> Vec<&'static str> {
    ACTIONS.to_vec()
}

fn types() -> Vec<&'static str> {
    TYPES.map(DmfKind::word).to_vec()
}

fn formats() -> Vec<&'static str> {
    ExportKind::ALL.iter().map(|kind| kind.word()).collect()
}

/// All tools, in the order in which they are likely to be used.
pub(super) const TOOLS: &[ToolInfo] = &[
    ToolInfo {
        name: "look",
        does: "Says what the app's screen shows: each widget with its number, class, id, text, description and place.",
        takes: &[
            Parameter(
                "query",
                Kind::Text,
                "only widgets that this names: a word, id:save, an XPath, or what uiautomator2 or Appium write",
                false,
            ),
            Parameter("picture", Kind::Switch, "whether a screenshot is wanted as well", false),
        ],
        run: |it, given| it.phone.look(given.text("query"), given.switch("picture")),
    },
    ToolInfo {
        name: "perform",
        does: "Performs one step on the app and says what the screen shows then.",
        takes: &[
            Parameter("action", Kind::OneOf(actions), "what is done", true),
            Parameter(
                "widget",
                Kind::Number,
                "the widget's number, as look says it; for gestures on a widget",
                false,
            ),
            Parameter(
                "query",
                Kind::Text,
                "names the widget instead of its number; it must name one alone",
                false,
            ),
            Parameter("text", Kind::Text, "the text for set_text and type", false),
        ],
        run: |it, given| it.phone.perform(given),
    },
    ToolInfo {
        name: "begin_again",
        does: "Starts the app as a test does: with its data cleared (unless the person keeps them) and its first steps done.",
        takes: &[],
        run: |it, _| it.phone.begin_again(),
    },
    ToolInfo {
        name: "record",
        does: "Begins to record a function: the steps performed from now on belong to it.",
        takes: &[],
        run: |it, _| it.phone.record(),
    },
    ToolInfo {
        name: "draft",
        does: "Drafts the property of the recorded function with pre- and postconditions, and keeps it in the workspace, where the \
               window shows it. Says what is doubtful.",
        takes: &[
            Parameter("type", Kind::OneOf(types), "what the function does to the data", true),
            Parameter("data_type", Kind::Text, "what it does it to, such as note or folder", true),
            Parameter("name", Kind::Text, "the name of the function; by default its verb and noun", false),
            Parameter("added", Kind::Text, "the text that it added", false),
            Parameter("removed", Kind::Text, "the text that it removed", false),
            Parameter("sought", Kind::Text, "the text that was searched or viewed", false),
        ],
        run: |it, given| {
            let drafted = it.phone.draft(given)?;
            it.program.keep(&it.phone.package(), drafted)
        },
    },
    ToolInfo {
        name: "try_function",
        does: "Runs a drafted function several times on cleared data and says whether its postconditions held.",
        takes: &[
            Parameter("name", Kind::Text, "the function", true),
            Parameter("runs", Kind::Number, "how often; 5 by default", false),
        ],
        run: |it, given| {
            it.phone.release();
            it.program.try_function(&it.phone.package(), given)
        },
    },
    ToolInfo {
        name: "start_campaign",
        does: "Starts a campaign that looks for bugs, with the functions drafted here or those that come with the app.",
        takes: &[
            Parameter("events", Kind::Number, "how many events; 2000 by default", false),
            Parameter("engine", Kind::Text, "engines, with commas; auto by default", false),
            Parameter("seed", Kind::Number, "the seed of all random choices; 1 by default", false),
        ],
        run: |it, given| {
            it.phone.release();
            it.start_campaign(given)
        },
    },
    ToolInfo {
        name: "campaign",
        does: "Says how far the campaign is, or what it has found when it is over.",
        takes: &[Parameter(
            "wait_seconds",
            Kind::Number,
            "waits at most this long for its end; 0 by default",
            false,
        )],
        run: |it, given| it.campaign(given.number("wait_seconds").unwrap_or(0)),
    },
    ToolInfo {
        name: "stop_campaign",
        does: "Asks the campaign to end. What it has found is kept.",
        takes: &[],
        run: |it, _| it.stop_campaign(),
    },
    ToolInfo {
        name: "bugs",
        does: "Lists the bugs that the campaigns of the workspace found, each once, with the findings that show it.",
        takes: &[],
        run: |it, _| it.program.bugs(),
    },
    ToolInfo {
        name: "explain",
        does: "Explains a finding with its evidence: the steps, what was expected and what was seen, and how to see it again.",
        takes: &[
            Parameter("finding", Kind::Text, "its number or id, as bugs says it", true),
            Parameter(
                "picture",
                Kind::Switch,
                "whether a picture of its last screen is wanted as well",
                false,
            ),
        ],
        run: |it, given| it.program.explain(&it.apps, given),
    },
    ToolInfo {
        name: "export",
        does: "Writes a finding as a file for other people. A file that is there is not replaced.",
        takes: &[
            Parameter("finding", Kind::Text, "its number or id", true),
            Parameter("format", Kind::OneOf(formats), "what is written", true),
            Parameter("file", Kind::Text, "the path of the file", true),
        ],
        run: |it, given| it.program.export(given),
    },
];

/// The arguments of a call, which fit the tool's parameters.
pub(super) struct Given<'g>(&'g Map<String, Value>);

impl Given<'_> {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    pub fn switch(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A text that must be given.
    pub fn needed(&self, name: &str) -> Result<&str, String> {
        self.text(name).ok_or_else(|| format!("give {name:?}"))
    }
}

impl ToolInfo {
    /// What it takes, as a JSON Schema.
    pub fn schema(&self) -> Map<String, Value> {
        let property = |Parameter(name, kind, means, _): &Parameter| {
            let mut property = match kind {
                Kind::Text => json!({ "type": "string" }),
                Kind::Number => json!({ "type": "integer", "minimum": 0 }),
                Kind::Switch => json!({ "type": "boolean" }),
                Kind::OneOf(words) => json!({ "type": "string", "enum": words() }),
            };
            property["description"] = json!(means);
            ((*name).to_owned(), property)
        };
        let properties: Map<String, Value> = self.takes.iter().map(property).collect();
        let required: Vec<&str> = self.takes.iter().filter(|it| it.3).map(|it| it.0).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Calls it, if the arguments fit.
    pub fn call(&self, assistant: &mut Assistant, given: &Map<String, Value>) -> Answer {
        self.check(given)?;
        (self.run)(assistant, &Given(given))
    }

    fn check(&self, given: &Map<String, Value>) -> Result<(), String> {
        for (name, value) in given {
            let Some(Parameter(_, kind, ..)) = self.takes.iter().find(|it| it.0 == name) else {
                let known: Vec<&str> = self.takes.iter().map(|it| it.0).collect();
                return Err(format!("{} takes no {name:?}; it takes {}", self.name, known.join(", ")));
            };
            let problem = match kind {
                Kind::Text if !value.is_string() => "is to be a text".to_owned(),
                Kind::Number if value.as_u64().is_none() => "is to be a whole number".to_owned(),
                Kind::Switch if !value.is_boolean() => "is to be true or false".to_owned(),
                Kind::OneOf(words) if !value.as_str().is_some_and(|word| words().contains(&word)) => {
                    format!("is to be one of {}", words().join(", "))
                }
                _ => continue,
            };
            return Err(format!("{name:?} {problem}"));
        }
        match self.takes.iter().find(|it| it.3 && !given.contains_key(it.0)) {
            Some(missing) => Err(format!("give {:?}: {}", missing.0, missing.2)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_do_not_fit_are_refused_with_what_would() {
        let tool = TOOLS.iter().find(|tool| tool.name == "perform").unwrap();
        let refused = |given: Value| tool.check(given.as_object().unwrap()).unwrap_err();
        assert!(refused(json!({ "action": "fly" })).starts_with("\"action\" is to be one of tap,"));
        assert!(refused(json!({})).starts_with("give \"action\""));
        assert!(
            refused(json!({ "action": "tap", "at": 1 })).contains("takes no \"at\"; it takes action, widget")
        );
        assert_eq!(refused(json!({ "action": "tap", "widget": "1" })), "\"widget\" is to be a whole number");
        assert!(tool.check(json!({ "action": "tap", "widget": 1 }).as_object().unwrap()).is_ok());
    }
}
