//! The keys of a command: each is taken once, and one that nobody takes is said.

use super::yaml::{Node, Problem, Value};

/// Gives the text of a scalar with its `${...}` replaced, or [`UNKNOWN`] before the flow is played.
pub(super) type Say<'s> = &'s dyn Fn(&Node, &str) -> Result<String, Problem>;

/// Stands for a text that is only known when the flow is played.
pub(super) const UNKNOWN: &str = "\0";

/// The keys of a command or selector.
pub(super) struct Fields<'n, 's> {
    name: &'n str,
    node: &'n Node,
    entries: Vec<(&'n str, usize, &'n Node)>,
    say: Say<'s>,
}

impl<'n, 's> Fields<'n, 's> {
    /// The keys of a value; a text stands for the key `short`.
    pub fn of(
        name: &'n str,
        node: &'n Node,
        short: Option<&'static str>,
        say: Say<'s>,
    ) -> Result<Self, Problem> {
        let entries = match (&node.value, short) {
            (Value::Empty, _) => Vec::new(),
            (Value::Text(_) | Value::List(_), Some(short)) => vec![(short, node.line, node)],
            (Value::Map(entries), _) => {
                entries.iter().map(|(key, line, node)| (key.as_str(), *line, node)).collect()
            }
            (Value::Text(_) | Value::List(_), None) => {
                return Err(node.problem(format!("`{name}` takes keys, no text")));
            }
        };
        Ok(Fields { name, node, entries, say })
    }

    pub fn problem(&self, what: &str) -> Problem {
        self.node.problem(format!("`{}` {what}", self.name))
    }

    /// Takes the value of a key; `None` if the key is not there or has no value.
    pub fn node(&mut self, key: &str) -> Option<&'n Node> {
        let place = self.entries.iter().position(|(known, _, _)| *known == key)?;
        Some(self.entries.remove(place).2).filter(|node| node.value != Value::Empty)
    }

    pub fn text(&mut self, key: &str) -> Result<Option<String>, Problem> {
        let Some(node) = self.node(key) else { return Ok(None) };
        match &node.value {
            Value::Text(text) => (self.say)(node, text).map(Some),
            _ => Err(node.problem(format!("`{key}` is a text"))),
        }
    }

    pub fn required(&mut self, key: &str) -> Result<String, Problem> {
        self.text(key)?.ok_or_else(|| self.problem(&format!("needs `{key}`")))
    }

    /// A number; fractions are cut off. Maestro's users write `5_000`, too.
    pub fn number(&mut self, key: &str) -> Result<Option<i64>, Problem> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let number = match text.trim() {
            UNKNOWN => Some(0.0),
            text => text.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite()),
        };
        number
            .map(|number| Some(number as i64))
            .ok_or_else(|| self.problem(&format!("needs a number for `{key}`, not {text:?}")))
    }

    pub fn flag(&mut self, key: &str) -> Result<Option<bool>, Problem> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        match text.trim().to_lowercase().as_str() {
            "true" => Ok(Some(true)),
            "false" | UNKNOWN => Ok(Some(false)),
            _ => Err(self.problem(&format!("needs true or false for `{key}`, not {text:?}"))),
        }
    }

    /// Keys and texts below a key.
    pub fn pairs(&mut self, key: &'static str) -> Result<Vec<(String, String)>, Problem> {
        let Some(node) = self.node(key) else { return Ok(Vec::new()) };
        pairs(key, node, self.say)
    }

    /// The commands below a key.
    pub fn list(&mut self, key: &str) -> Result<Option<&'n [Node]>, Problem> {
        match self.node(key) {
            None => Ok(None),
            Some(Node { value: Value::List(items), .. }) => Ok(Some(items)),
            Some(node) => Err(node.problem(format!("`{key}` is a list"))),
        }
    }

    /// Leaves out keys that change nothing here.
    pub fn leave(&mut self, keys: &[&str]) {
        self.entries.retain(|(key, _, _)| !keys.contains(key));
    }

    /// Says which key was not taken.
    pub fn end(self) -> Result<(), Problem> {
        match self.entries.first() {
            None => Ok(()),
            Some((key, line, _)) => {
                let what = format!("`{}` has no key `{key}`", self.name);
                Err(Problem { line: *line, what })
            }
        }
    }
}

/// Keys and their texts.
pub(super) fn pairs(name: &str, node: &Node, say: Say<'_>) -> Result<Vec<(String, String)>, Problem> {
    let Value::Map(entries) = &node.value else {
        return Err(node.problem(format!("`{name}` has keys and values")));
    };
    let pair = |(key, _, node): &(String, usize, Node)| match &node.value {
        Value::Text(text) => Ok((key.clone(), say(node, text)?)),
        Value::Empty => Ok((key.clone(), String::new())),
        Value::List(_) | Value::Map(_) => Err(node.problem(format!("`{key}` is a text"))),
    };
    entries.iter().map(pair).collect()
}
