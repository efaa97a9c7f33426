//! Regular expressions as `grep` and `logcat -e` take them. Each line costs a bounded number of steps.

use std::cell::Cell;

/// A line that needs more steps counts as one that does not fit.
const MOST_STEPS: u32 = 200_000;
/// So does one whose search goes deeper.
const DEEPEST_SEARCH: u32 = 500;
/// Longer expressions, deeper groups and more turns of a group are refused or cut.
const LONGEST: usize = 400;
const DEEPEST: u32 = 20;
const MOST_TURNS: u32 = 200;

/// An expression.
pub(super) struct Regex {
    /// A text that stands for itself, or else what may fit.
    fixed: Option<String>,
    ways: Vec<Vec<Piece>>,
    any_case: bool,
}

struct Piece {
    node: Node,
    least: u32,
    most: u32,
}

enum Node {
    Char(char),
    Any,
    Set { negated: bool, ranges: Vec<(char, char)> },
    Start,
    End,
    Group(Vec<Vec<Piece>>),
}

/// How an expression is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    /// `\(`, `\|`, `\+` have a meaning, without the backslash they have none.
    Basic,
    Extended,
    /// No character has a meaning.
    Fixed,
}

impl Regex {
    /// Reads an expression; `None` where it is none.
    pub fn new(text: &str, flavor: Flavor, any_case: bool) -> Option<Regex> {
        let folded = if any_case { text.to_lowercase() } else { text.to_owned() };
        if flavor == Flavor::Fixed {
            return Some(Regex { fixed: Some(folded), ways: Vec::new(), any_case });
        }
        let chars: Vec<char> = folded.chars().collect();
        if chars.len() > LONGEST {
            return None;
        }
        let mut reader = Reader { chars, at: 0, flavor, depth: 0 };
        let ways = reader.ways()?;
        (reader.at == reader.chars.len()).then_some(Regex { fixed: None, ways, any_case })
    }

    /// Whether something in the line fits.
    pub fn finds(&self, line: &str) -> bool {
        let folded = if self.any_case { line.to_lowercase() } else { line.to_owned() };
        if let Some(fixed) = &self.fixed {
            return folded.contains(fixed.as_str());
        }
        let text: Vec<char> = folded.chars().collect();
        let search = Search { text: &text, steps: Cell::new(0), depth: Cell::new(0) };
        (0..=text.len()).any(|start| search.any(&self.ways, start, &mut |_| true))
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    flavor: Flavor,
    depth: u32,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Whether this operator stands here, as the flavour writes it; then it is read.
    fn operator(&mut self, operator: char) -> bool {
        let escaped = self.peek() == Some('\\') && self.chars.get(self.at + 1) == Some(&operator);
        match self.flavor {
            Flavor::Basic if escaped => self.at += 2,
            Flavor::Extended if self.peek() == Some(operator) => self.at += 1,
            _ => return false,
        }
        true
    }

    fn ways(&mut self) -> Option<Vec<Vec<Piece>>> {
        let mut ways = vec![Vec::new()];
        loop {
            if self.operator('|') {
                ways.push(Vec::new());
                continue;
            }
            let before = self.at;
            if self.peek().is_none() || (self.depth > 0 && self.operator(')')) {
                self.at = before;
                return Some(ways);
            }
            let way = ways.last_mut()?;
            let first = way.is_empty();
            let node = self.node(first)?;
            let (least, most) = self.repetition();
            way.push(Piece { node, least, most });
        }
    }

    fn node(&mut self, first: bool) -> Option<Node> {
        if self.operator('(') {
            self.depth += 1;
            let ways = if self.depth > DEEPEST { None } else { self.ways() }?;
            let closed = self.operator(')');
            self.depth -= 1;
            return closed.then_some(Node::Group(ways));
        }
        let c = self.peek()?;
        self.at += 1;
        Some(match c {
            '.' => Node::Any,
            '^' if first || self.flavor == Flavor::Extended => Node::Start,
            '$' if self.at == self.chars.len() || self.flavor == Flavor::Extended => Node::End,
            '[' => return self.set(),
            '\\' => {
                let c = self.peek()?;
                self.at += 1;
                class_of(c).unwrap_or(Node::Char(c))
            }
            c => Node::Char(c),
        })
    }

    fn set(&mut self) -> Option<Node> {
        let negated = self.peek() == Some('^');
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                ']' if !ranges.is_empty() => return Some(Node::Set { negated, ranges }),
                '[' if self.peek() == Some(':') => {
                    let rest: String = self.chars.get(self.at..)?.iter().take(12).collect();
                    let (name, _) = rest.strip_prefix(':')?.split_once(":]")?;
                    self.at += name.chars().count() + 3;
                    ranges.extend(named_set(name)?);
                }
                from => {
                    let to = self.chars.get(self.at + 1).copied().filter(|c| *c != ']');
                    match to.filter(|_| self.peek() == Some('-')) {
                        Some(to) => {
                            self.at += 2;
                            ranges.push((from, to));
                        }
                        None => ranges.push((from, from)),
                    }
                }
            }
        }
    }

    fn repetition(&mut self) -> (u32, u32) {
        if self.peek() == Some('*') {
            self.at += 1;
            return (0, u32::MAX);
        }
        if self.operator('+') {
            return (1, u32::MAX);
        }
        if self.operator('?') {
            return (0, 1);
        }
        let before = self.at;
        if self.operator('{') {
            let rest: String = self.chars.get(self.at..).unwrap_or_default().iter().take(16).collect();
            if let Some((inner, _)) = rest.split_once('}') {
                let inner = inner.trim_end_matches('\\');
                let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
                let (least, most) =
                    (least.parse(), if most.is_empty() { Ok(u32::MAX) } else { most.parse() });
                if let (Ok(least), Ok(most)) = (least, most) {
                    self.at += rest.find('}').unwrap_or(0) + 1;
                    return (least, most);
                }
            }
            self.at = before;
        }
        (1, 1)
    }
}

fn class_of(c: char) -> Option<Node> {
    let (name, negated) = match c {
        'd' | 'D' => ("digit", c == 'D'),
        'w' | 'W' => ("word", c == 'W'),
        's' | 'S' => ("space", c == 'S'),
        _ => return None,
    };
    Some(Node::Set { negated, ranges: named_set(name)? })
}

fn named_set(name: &str) -> Option<Vec<(char, char)>> {
    let ranges: &[(char, char)] = match name {
        "digit" => &[('0', '9')],
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "word" => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        "space" | "blank" => &[(' ', ' '), ('\t', '\r')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    };
    Some(ranges.to_vec())
}

struct Search<'a> {
    text: &'a [char],
    steps: Cell<u32>,
    depth: Cell<u32>,
}

impl Search<'_> {
    fn any(&self, ways: &[Vec<Piece>], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        ways.iter().any(|way| self.all(way, at, then))
    }

    fn all(&self, pieces: &[Piece], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MOST_STEPS || self.depth.get() > DEEPEST_SEARCH {
            return false;
        }
        self.depth.set(self.depth.get() + 1);
        let fits = self.deeper(pieces, at, then);
        self.depth.set(self.depth.get() - 1);
        fits
    }

    fn deeper(&self, pieces: &[Piece], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        let Some((piece, rest)) = pieces.split_first() else { return then(at) };
        match &piece.node {
            Node::Group(ways) => self.turns(ways, (piece.least, piece.most.min(MOST_TURNS)), at, &mut |at| {
                self.all(rest, at, then)
            }),
            Node::Start => at == 0 && self.all(rest, at, then),
            Node::End => at == self.text.len() && self.all(rest, at, then),
            node => {
                let behind = self.text.get(at..).unwrap_or_default();
                let most = usize::try_from(piece.most).unwrap_or(usize::MAX);
                let fit = behind.iter().take(most).take_while(|c| holds(node, **c)).count();
                let least = usize::try_from(piece.least).unwrap_or(usize::MAX);
                (least..=fit).rev().any(|count| self.all(rest, at + count, then))
            }
        }
    }

    fn turns(
        &self,
        ways: &[Vec<Piece>],
        (least, most): (u32, u32),
        at: usize,
        then: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let again = most > 0
            && self.any(ways, at, &mut |next| {
                (next > at || least > 0) && self.turns(ways, (least.saturating_sub(1), most - 1), next, then)
            });
        again || (least == 0 && then(at))
    }
}

fn holds(node: &Node, c: char) -> bool {
    match node {
        Node::Char(wanted) => *wanted == c,
        Node::Any => true,
        Node::Set { negated, ranges } => {
            ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
        }
        Node::Start | Node::End | Node::Group(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_find_what_they_should() {
        let found = |regex: &str, flavor, line: &str| Regex::new(regex, flavor, false).map(|r| r.finds(line));
        for (regex, line) in [
            ("a.c", "xabcx"),
            ("^a*$", "aaa"),
            ("x\\|y", "only y"),
            ("[0-9][0-9]*%", "at 42%"),
            ("a\\{2\\}b", "caab"),
            ("1.2+", "1.2+"),
            ("[[:digit:]]", "a1"),
            ("\\(ab\\)*c", "ababc"),
        ] {
            assert_eq!(found(regex, Flavor::Basic, line), Some(true), "{regex}");
        }
        for (regex, line) in [
            ("(ab|c)+d$", "xabcd"),
            ("m(Current|Focused)F?", "mCurrentFocus"),
            ("a{2,}", "aa"),
            ("\\d+", "7"),
        ] {
            assert_eq!(found(regex, Flavor::Extended, line), Some(true), "{regex}");
        }
        for (regex, line) in [("^b", "ab"), ("a$", "ab"), ("[^a]", "a"), ("(ab)+c", "abd")] {
            assert_eq!(found(regex, Flavor::Extended, line), Some(false), "{regex}");
        }
        assert_eq!(found("a.b(", Flavor::Fixed, "xa.b("), Some(true));
        assert_eq!(found("(", Flavor::Extended, "("), None);
        assert!(Regex::new("ABC", Flavor::Basic, true).unwrap().finds("xabcx"));
    }

    #[test]
    fn a_hostile_expression_ends() {
        let regex = Regex::new("(a*)*(a*)*(a|b)*c", Flavor::Extended, false).unwrap();
        assert!(!regex.finds(&"a".repeat(3000)));
        let regex = Regex::new("(((a){1,200}){1,200}){1,200}b", Flavor::Extended, false).unwrap();
        assert!(!regex.finds(&"a".repeat(100_000)));
    }
}
