//! POSIX regular expressions, as `grep` and `logcat -e` accept them, on the engine of the `regex` crate: an expression
//! is translated, so it is always matched in linear time.
//!
//! Both syntaxes have `.`, `*`, `^`, `$` and bracket expressions with their classes (`[[:digit:]]`), the shorthands
//! `\d`, `\w` and `\s`, and the word boundaries `\b`, `\<` and `\>`. The basic syntax writes `\(`, `\)`, `\|`, `\{`,
//! `\}`, `\+` and `\?` where the extended one has no backslash. Back-references (`\1`) cannot be matched in linear
//! time: an expression with one is refused as invalid.

use regex::{Regex, RegexBuilder};

/// Limit on the total length of a command's expressions in bytes.
const LONGEST: usize = 16 << 10;
/// Limit on the size of a compiled expression in bytes.
const LARGEST_PROGRAM: usize = 2 << 20;
/// The most memory that matching a compiled expression takes, in bytes: its program and the engine's cache.
pub(super) const REGEX_BYTES: usize = 2 * LARGEST_PROGRAM;

/// The syntax of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Operators have a backslash: `\(a\|b\)\+`.
    Basic,
    /// Operators have no backslash: `(a|b)+`.
    Extended,
    /// Every character stands for itself.
    Fixed,
}

/// Compiles a matcher for any of these expressions. The error is the first expression that is invalid or too large.
pub(super) fn compile<'p>(patterns: &[&'p str], syntax: Syntax, any_case: bool) -> Result<Regex, &'p str> {
    let mut room = LONGEST;
    let mut alternatives = Vec::new();
    for pattern in patterns {
        room = room.checked_sub(pattern.len() + 1).ok_or(*pattern)?;
        alternatives.push(format!("(?:{})", translate(pattern, syntax).ok_or(*pattern)?));
    }
    build(&alternatives.join("|"), any_case).map_err(|_| {
        let mut each = patterns.iter().zip(&alternatives);
        let bad = each.find(|(_, alternative)| build(alternative, any_case).is_err());
        // If each is valid alone, they are too large together.
        bad.map(|(pattern, _)| *pattern).or(patterns.last().copied()).unwrap_or_default()
    })
}

fn build(translated: &str, any_case: bool) -> Result<Regex, regex::Error> {
    RegexBuilder::new(translated)
        .case_insensitive(any_case)
        .dot_matches_new_line(true)
        .size_limit(LARGEST_PROGRAM)
        .dfa_size_limit(LARGEST_PROGRAM)
        .build()
}

/// Translates an expression to the syntax of the `regex` crate; `None` if it is invalid.
fn translate(pattern: &str, syntax: Syntax) -> Option<String> {
    if syntax == Syntax::Fixed {
        return Some(regex::escape(pattern));
    }
    let mut translator = Translator {
        rest: pattern,
        basic: syntax == Syntax::Basic,
        out: String::new(),
        groups: Vec::new(),
        first: true,
        atom: None,
        repeated: false,
    };
    while !translator.rest.is_empty() {
        translator.step()?;
    }
    translator.groups.is_empty().then_some(translator.out)
}

struct Translator<'p> {
    /// The input that is left.
    rest: &'p str,
    basic: bool,
    out: String,
    /// The offsets in `out` at which the open groups begin.
    groups: Vec<usize>,
    /// Whether nothing of the current alternative has been read yet.
    first: bool,
    /// The offset in `out` of the expression to which a repetition applies; without it `*` stands for itself.
    atom: Option<usize>,
    /// Whether that expression already has a repetition.
    repeated: bool,
}

impl Translator<'_> {
    /// Consumes an operator, as the syntax writes it. Returns false if it is not next.
    fn operator(&mut self, operator: char) -> bool {
        let begins = if self.basic { self.rest.strip_prefix('\\') } else { Some(self.rest) };
        let behind = begins.and_then(|rest| rest.strip_prefix(operator));
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn step(&mut self) -> Option<()> {
        if self.operator('|') {
            self.begin("|");
        } else if self.operator('(') {
            self.groups.push(self.out.len());
            self.begin("(?:");
        } else if !self.groups.is_empty() && self.operator(')') {
            self.out.push(')');
            self.end(self.groups.last().copied());
            self.groups.pop();
        } else if let Some(atom) = self.atom
            && let Some(repetition) = self.repetition()
        {
            // Groups what is already repeated: bare, `+?` would be a lazy repetition.
            if self.repeated {
                self.out.insert_str(atom, "(?:");
                self.out.push(')');
            }
            self.out.push_str(&repetition);
            self.repeated = true;
        } else {
            let start = self.out.len();
            let repeatable = self.single()?;
            self.end(repeatable.then_some(start));
        }
        Some(())
    }

    /// Begins a group or an alternative.
    fn begin(&mut self, opening: &str) {
        self.out.push_str(opening);
        (self.first, self.atom) = (true, None);
    }

    /// Ends an expression to which a repetition may apply.
    fn end(&mut self, atom: Option<usize>) {
        (self.first, self.atom, self.repeated) = (false, atom, false);
    }

    fn repetition(&mut self) -> Option<String> {
        if let Some(rest) = self.rest.strip_prefix('*') {
            self.rest = rest;
            return Some("*".to_owned());
        }
        if let Some(operator) = ['+', '?'].into_iter().find(|operator| self.operator(*operator)) {
            return Some(operator.to_string());
        }
        let (open, close) = if self.basic { ("\\{", "\\}") } else { ("{", "}") };
        let (bounds, rest) = self.rest.strip_prefix(open)?.split_once(close)?;
        let (least, most) = bounds.split_once(',').unwrap_or((bounds, bounds));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if least.is_empty() || !digits(least) || !digits(most) {
            return None;
        }
        self.rest = rest;
        Some(format!("{{{bounds}}}"))
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    fn literal(&mut self, c: char) {
        self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    /// Parses an expression for a single character, or an anchor. Returns whether it can be repeated.
    fn single(&mut self) -> Option<bool> {
        match self.next()? {
            c @ ('^' | '$') if !self.basic || self.is_anchor(c) => {
                self.out.push(c);
                return Some(false);
            }
            '.' => self.out.push('.'),
            '[' => self.bracket()?,
            '\\' => return self.escaped(),
            c => self.literal(c),
        }
        Some(true)
    }

    /// Whether the character that was read is an anchor in the basic syntax, which it is only at the beginning or the
    /// end of an alternative.
    fn is_anchor(&self, c: char) -> bool {
        match c {
            '^' => self.first,
            _ => self.rest.is_empty() || self.rest.starts_with("\\)") || self.rest.starts_with("\\|"),
        }
    }

    fn escaped(&mut self) -> Option<bool> {
        // In ASCII, as on a phone: the classes of the crate include all digits and letters of Unicode.
        let class = match self.next()? {
            '1'..='9' => return None,
            c @ ('b' | 'B' | '<' | '>') => {
                self.out.extend(['\\', c]);
                return Some(false);
            }
            'd' => "[[:digit:]]",
            'D' => "[[:^digit:]]",
            'w' => "[[:word:]]",
            'W' => "[[:^word:]]",
            's' => "[[:space:]]",
            'S' => "[[:^space:]]",
            c => {
                self.literal(c);
                return Some(true);
            }
        };
        self.out.push_str(class);
        Some(true)
    }

    /// Parses a bracket expression after its `[`. A backslash has no meaning in it, and a `]` at its beginning is a
    /// member.
    fn bracket(&mut self) -> Option<()> {
        const CLASSES: [&str; 13] = [
            "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
            "upper", "word", "xdigit",
        ];
        self.out.push('[');
        if let Some(rest) = self.rest.strip_prefix('^') {
            self.rest = rest;
            self.out.push('^');
        }
        let mut empty = true;
        loop {
            if let Some(rest) = self.rest.strip_prefix("[:") {
                let (name, rest) = rest.split_once(":]")?;
                let known = CLASSES.into_iter().find(|known| *known == name)?;
                self.out.push_str(&format!("[:{known}:]"));
                self.rest = rest;
            } else {
                let c = self.next()?;
                if c == ']' && !empty {
                    self.out.push(']');
                    return Some(());
                }
                self.literal(c);
                let to = self.rest.strip_prefix('-').and_then(|rest| rest.chars().next());
                if let Some(to) = to.filter(|to| *to != ']') {
                    self.rest = self.rest.get(1 + to.len_utf8()..)?;
                    self.out.push('-');
                    self.literal(to);
                }
            }
            empty = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, syntax: Syntax, line: &str) -> Option<bool> {
        compile(&[pattern], syntax, false).ok().map(|regex| regex.is_match(line))
    }

    #[test]
    fn expressions_find_what_they_should() {
        for (regex, line) in [
            ("a.c", "xabcx"),
            ("^a*$", "aaa"),
            ("x\\|y", "only y"),
            ("[0-9][0-9]*%", "at 42%"),
            ("a\\{2\\}b", "caab"),
            ("1.2+", "1.2+"),
            ("[[:digit:]]", "a1"),
            ("\\(ab\\)*c", "ababc"),
            ("", "anything"),
            ("*a", "*a"),
            ("^*a", "*a"),
            ("\\(^a\\|b$\\)", "a c"),
            ("a^b$c", "a^b$c"),
            ("(a|b)", "(a|b)"),
            ("a{2}", "a{2}"),
            ("a\\+b\\?", "aa"),
            ("a\\.b", "a.b"),
            ("a\\)", "a)"),
        ] {
            assert_eq!(found(regex, Syntax::Basic, line), Some(true), "{regex}");
        }
        for (regex, line) in [
            ("(ab|c)+d$", "xabcd"),
            ("m(Current|Focused)F?", "mCurrentFocus"),
            ("a{2,}", "aa"),
            ("\\d+", "7"),
            ("^(a+?)?$", ""),
            ("^a+?$", ""),
            ("(|b)c", "c"),
            ("a{x}", "a{x}"),
            ("\\(a\\)", "(a)"),
            ("\\<b", "a b"),
        ] {
            assert_eq!(found(regex, Syntax::Extended, line), Some(true), "{regex}");
        }
        for (regex, line) in
            [("^b", "ab"), ("a$", "ab"), ("[^a]", "a"), ("(ab)+c", "abd"), ("\\w", "é"), ("\\d", "٣")]
        {
            assert_eq!(found(regex, Syntax::Extended, line), Some(false), "{regex}");
        }
        assert_eq!(found("a.b(", Syntax::Fixed, "xa.b("), Some(true));
        assert_eq!(found("a.b(", Syntax::Fixed, "xaab("), Some(false));
        assert!(compile(&["ABC"], Syntax::Basic, true).unwrap().is_match("xabcx"));
        let either = compile(&["^x", "y$"], Syntax::Basic, false).unwrap();
        assert!(either.is_match("xa") && either.is_match("ay") && !either.is_match("axya"));
    }

    #[test]
    fn brackets_are_those_of_posix() {
        for (regex, line, fits) in [
            ("[]a]", "]", true),
            ("[^]a]", "]", false),
            ("[a-]", "-", true),
            ("[\\d]", "d", true),
            ("[\\d]", "7", false),
            ("[[]", "[", true),
            ("[a&&b]", "&", true),
            ("[a^]", "^", true),
            ("[[:upper:][:digit:]_]", "_", true),
            ("[[:space:]]", "a\tb", true),
        ] {
            for syntax in [Syntax::Basic, Syntax::Extended] {
                assert_eq!(found(regex, syntax, line), Some(fits), "{regex} {line}");
            }
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for regex in ["(", "a)(", "[a", "[]", "[[:nope:]]", "[z-a]", "a\\", "a{5,2}", "(a)\\1"] {
            assert_eq!(found(regex, Syntax::Extended, ""), None, "{regex}");
        }
        for regex in ["\\(", "[a", "a\\", "\\(a\\)\\1"] {
            assert_eq!(found(regex, Syntax::Basic, ""), None, "{regex}");
        }
        assert_eq!(compile(&["a", "[z-a]", "b"], Syntax::Basic, false).err(), Some("[z-a]"));
        let long = "a".repeat(LONGEST + 1);
        assert!(compile(&[&long], Syntax::Fixed, false).is_err());
    }

    #[test]
    fn a_hostile_expression_ends() {
        let regex = compile(&["(a*)*(a*)*(a|b)*c"], Syntax::Extended, false).unwrap();
        assert!(!regex.is_match(&"a".repeat(3000)));
        assert!(!regex.is_match(&"a".repeat(100_000)));
        assert_eq!(found("(((a){1,200}){1,200}){1,200}b", Syntax::Extended, "aab"), None, "it is too large");
        assert_eq!(found(&"(".repeat(LONGEST), Syntax::Extended, ""), None);
        let nested = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
        assert_eq!(found(&nested, Syntax::Extended, "a"), None);
        assert!(found(&format!("a{}", "*".repeat(5000)), Syntax::Extended, "a") != Some(false));
    }
}
