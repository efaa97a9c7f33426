//! `test` and `[`.

use super::{Call, Done};

pub fn test(call: &mut Call<'_, '_>) -> Done {
    let closing = (call.name == "[").then_some("]");
    let mut words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    if let Some(closing) = closing
        && words.pop() != Some(closing)
    {
        return call.fail(&format!("/system/bin/sh: {}: missing {closing}", call.name), 2);
    }
    let mut condition = Condition { call, words, at: 0 };
    let outcome = if condition.words.is_empty() { Ok(false) } else { condition.any() };
    let left_over = condition.words.get(condition.at).map(|word| (*word).to_owned());
    match (outcome, left_over) {
        (Ok(holds), None) => Ok(u8::from(!holds)),
        (Ok(_), Some(word)) => {
            call.fail(&format!("/system/bin/sh: {}: {word}: unexpected operator/operand", call.name), 2)
        }
        (Err(problem), _) => call.fail(&format!("/system/bin/sh: {}: {problem}", call.name), 2),
    }
}

/// A condition while it is parsed. Its nesting is limited by the number of words, which is limited by the line's
/// length.
struct Condition<'a, 'c, 's> {
    call: &'a Call<'c, 's>,
    words: Vec<&'c str>,
    at: usize,
}

/// Limit on the number of words.
const MOST_WORDS: usize = 1000;

impl<'c> Condition<'_, 'c, '_> {
    fn next(&mut self) -> Result<&'c str, String> {
        if self.at > MOST_WORDS {
            return Err("too many arguments".to_owned());
        }
        let word = self.words.get(self.at).copied().ok_or("argument expected")?;
        self.at += 1;
        Ok(word)
    }

    fn skip(&mut self, word: &str) -> bool {
        let there = self.words.get(self.at) == Some(&word);
        self.at += usize::from(there);
        there
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut holds = self.all()?;
        while self.skip("-o") {
            holds |= self.all()?;
        }
        Ok(holds)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut holds = self.one()?;
        while self.skip("-a") {
            holds &= self.one()?;
        }
        Ok(holds)
    }

    fn one(&mut self) -> Result<bool, String> {
        let first = self.next()?;
        let operator = self.words.get(self.at).copied();
        if let Some(operator) = operator.filter(|operator| is_binary(operator)) {
            self.at += 1;
            let second = self.next()?;
            return compare(first, operator, second);
        }
        match first {
            "!" if operator.is_some() => Ok(!self.one()?),
            "(" if operator.is_some() => {
                let inner = self.any()?;
                if self.next()? == ")" { Ok(inner) } else { Err("missing )".to_owned()) }
            }
            "-n" if operator.is_some() => Ok(!self.next()?.is_empty()),
            "-z" if operator.is_some() => Ok(self.next()?.is_empty()),
            "-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h" if operator.is_some() => {
                let path = self.next()?;
                Ok(self.file(first, path))
            }
            "-t" if operator.is_some() => {
                self.next()?;
                Ok(self.call.shell.terminal)
            }
            text => Ok(!text.is_empty()),
        }
    }

    fn file(&self, what: &str, path: &str) -> bool {
        let path = self.call.path(path);
        let link = matches!(what, "-L" | "-h");
        let Ok(stat) = self.call.state().stat_file(&path, !link) else { return false };
        match what {
            "-f" => !stat.is_folder(),
            "-d" => stat.is_folder(),
            "-x" => stat.mode & 0o111 != 0,
            "-s" => stat.size > 0,
            "-L" | "-h" => stat.is_link(),
            _ => true,
        }
    }
}

fn is_binary(word: &str) -> bool {
    let known = ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
    known.contains(&word)
}

fn compare(left: &str, operator: &str, right: &str) -> Result<bool, String> {
    let number = |text: &str| match text.trim() {
        "" => Ok(0),
        text => text.parse::<i64>().map_err(|_| format!("{text}: bad number")),
    };
    Ok(match operator {
        "=" | "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "-eq" => number(left)? == number(right)?,
        "-ne" => number(left)? != number(right)?,
        "-lt" => number(left)? < number(right)?,
        "-le" => number(left)? <= number(right)?,
        "-gt" => number(left)? > number(right)?,
        _ => number(left)? >= number(right)?,
    })
}
