//! What stands around a selector in code: annotations, the beginning of a declaration, and what it is compared with.

use super::Problem;
use super::code::{Argument, Expr, Parser, is_plain};

/// Words before a value or a declaration.
const WORDS: [&str; 16] = [
    "assert", "const", "elif", "export", "final", "if", "let", "private", "public", "return", "unless",
    "until", "val", "var", "when", "while",
];

impl Parser<'_> {
    /// Skips `return`, `val save =`, `save:`, and what a method begins with that returns one value, such as
    /// `get save() { return`.
    pub(super) fn skip_head(&mut self) {
        loop {
            while WORDS.iter().any(|word| self.accept_word(word)) || self.accept_word("not") {}
            let begin = self.at;
            if !self.loops() && !self.key() && !self.declaration() {
                self.at = begin;
                return;
            }
        }
    }

    /// Skips a word that is not called, as `until` is in `wait.until(…)`.
    fn accept_word(&mut self, word: &str) -> bool {
        let begin = self.at;
        let never_called = ["if", "return", "while"].contains(&word);
        let accepted = self.accept_name(word) && (never_called || !self.rest().starts_with(['(', '.', '=']));
        if !accepted {
            self.at = begin;
        }
        accepted
    }

    /// Skips `for row in`.
    fn loops(&mut self) -> bool {
        let begin = self.at;
        let loops = self.accept_name("for") && self.skip_name() && self.accept_name("in");
        if !loops {
            self.at = begin;
        }
        loops
    }

    /// Skips a key of an object.
    fn key(&mut self) -> bool {
        let begin = self.at;
        let name = self.peek_name().len();
        match self.begins_text() {
            true => drop(self.text()),
            false => self.at += name,
        }
        let is_key = self.at > begin && !self.rest().starts_with("::") && self.accept(":");
        if !is_key {
            self.at = begin;
        }
        is_key
    }

    /// Skips names, perhaps with parameters and a type, up to what says that a value follows.
    fn declaration(&mut self) -> bool {
        let words = self.skip_names();
        let called = self.skip_parameters();
        if called && self.accept(":") {
            self.skip_names();
        }
        if !words && !called {
            return false;
        }
        if self.accept("=>") {
            return true;
        }
        let rest = self.rest();
        if rest.starts_with('=') && !rest.starts_with("==") {
            self.at += 1;
            return true;
        }
        // Python has no bracket there.
        self.accept("{");
        called && self.peek_name() == "return"
    }

    /// Skips the beginning of a function that is one value: `lambda driver:`, `driver ->` or `() =>`.
    pub(super) fn skip_lambda(&mut self) -> bool {
        let begin = self.at;
        let begins = match self.accept_name("lambda") {
            true => {
                self.skip_parameters_to(":");
                self.accept(":")
            }
            false => {
                let name = self.peek_name().len();
                self.at += name;
                (name > 0 || self.skip_parameters()) && (self.accept("->") || self.accept("=>"))
            }
        };
        if !begins {
            self.at = begin;
        }
        begins
    }

    /// Skips names, perhaps several, up to a sign.
    fn skip_parameters_to(&mut self, end: &str) {
        while !self.rest().starts_with(end) && !self.peek_name().is_empty() {
            self.at += self.peek_name().len();
            self.accept(",");
        }
    }

    fn skip_name(&mut self) -> bool {
        let length = self.peek_name().len();
        self.at += length;
        length > 0
    }

    /// Skips names with their types, up to `return`. Returns whether there are any.
    fn skip_names(&mut self) -> bool {
        let begin = self.at;
        loop {
            while self.accept(".") || self.accept(":") || self.accept("[]") || self.accept("#") {}
            let name = self.peek_name();
            if name.is_empty() || name == "return" {
                return self.at > begin;
            }
            self.at += name.len();
            self.skip_types();
        }
    }

    /// Skips parameters in brackets: names and types alone.
    fn skip_parameters(&mut self) -> bool {
        let Some((inner, _)) = self.rest().strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return false;
        };
        let is_plain = inner.chars().all(|letter| {
            letter.is_alphanumeric() || letter.is_whitespace() || "_$,:.<>?[]".contains(letter)
        });
        if is_plain {
            self.at += inner.len() + 2;
        }
        is_plain
    }

    /// What the annotations of a field find on Android; `None` if there is no annotation.
    pub(super) fn annotations(&mut self) -> Result<Option<Expr>, Problem> {
        let mut all = Vec::new();
        while self.rest().starts_with('@') && !self.begins_text() {
            all.push((self.at, self.operand()?));
        }
        let named = |(_, annotation): &&(usize, Expr), wanted: fn(&str) -> bool| matches!(annotation, Expr::Chain(links) if links.first().is_some_and(|link| wanted(&link.word())));
        let of = |wanted: fn(&str) -> bool| all.iter().filter(move |one| named(one, wanted));
        let android = of(|word| word.starts_with("@android"));
        let finds = of(|word| word.starts_with("@find"));
        let mut chosen =
            if android.clone().next().is_some() { android.collect::<Vec<_>>() } else { finds.collect() };
        if chosen.len() > 1 {
            let text = "there are several annotations; write the one that is meant".to_owned();
            return Err(Problem { at: chosen[1].0, text });
        }
        let first = chosen.pop().or(all.first());
        Ok(first.map(|(_, annotation)| annotation.clone()))
    }

    /// Skips what stands behind a value and does not change it: what it is replaced by if there is none, what it is
    /// compared with, and the signs that end a statement.
    pub(super) fn skip_end(&mut self) -> Result<(), Problem> {
        self.skip_replacement()?;
        self.skip_comparison()?;
        while [";", "}", ":", "{"].iter().any(|sign| self.accept(sign)) {}
        Ok(())
    }

    /// Skips what stands for a value if there is none.
    pub(super) fn skip_replacement(&mut self) -> Result<(), Problem> {
        let begin = self.at;
        if self.accept_name("or") && ["[]", "None"].iter().any(|nothing| self.accept(nothing)) {
            return Ok(());
        }
        self.at = begin;
        if !(self.accept("?:") || self.accept_name("rescue")) {
            return Ok(());
        }
        if self.accept_name("return") {
            // `return@row` leaves a block of Kotlin.
            let label = self.peek_name();
            self.at += label.len();
            return Ok(());
        }
        self.expr().map(drop)
    }

    /// Skips a block of Kotlin that does something and leads nowhere else.
    pub(super) fn skip_block(&mut self) -> bool {
        let rest = self.rest();
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        for (at, letter) in rest.char_indices() {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = quoted,
                '"' => quoted = !quoted,
                '{' if !quoted => depth += 1,
                '}' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && !quoted {
                self.at += if letter == '}' { at + 1 } else { 0 };
                return letter == '}';
            }
        }
        false
    }

    /// Skips what a value is compared with, which must not look for another widget.
    pub(super) fn skip_comparison(&mut self) -> Result<(), Problem> {
        if ["==", "!=", ">=", "<=", ">", "<"].iter().any(|sign| self.accept(sign)) {
            let other = self.expr()?;
            if matches!(&other, Expr::Chain(links) if !is_plain(links)) {
                return Err(self.problem("two values are compared here; write the one that is meant"));
            }
        }
        Ok(())
    }

    /// A block of code with one value, such as that of `wait.until { … }`.
    pub(super) fn block(&mut self) -> Result<Argument, Problem> {
        self.accept("{");
        let value = self.expr()?;
        if self.accept_name("rescue") {
            self.expr()?;
        }
        match self.accept("}") {
            true => Ok(Argument { name: None, value }),
            false => Err(self
                .problem("a block with several statements is not understood; write the one that is meant")),
        }
    }
}

/// Whether a method waits until its block has a value.
pub(super) fn is_wait(word: &str) -> bool {
    ["exists", "until", "wait", "waittrue", "waituntil"].contains(&word)
}
