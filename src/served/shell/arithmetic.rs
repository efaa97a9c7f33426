//! Integer arithmetic of the shell, `$((…))`.

use std::iter::Peekable;
use std::str::Chars;

/// Limit on the nesting depth of an expression.
const DEEPEST: u32 = 40;

/// Evaluates an expression, or returns an error message. `value_of` returns the value of a variable.
pub(super) fn evaluate(text: &str, value_of: &dyn Fn(&str) -> i64) -> Result<i64, String> {
    let mut sum = Sum { rest: text.chars().peekable(), value_of, depth: 0 };
    let value = sum.level(0)?;
    sum.blanks();
    match sum.rest.next() {
        None => Ok(value),
        Some(c) => Err(format!("{text}: unexpected '{c}'")),
    }
}

struct Sum<'a> {
    rest: Peekable<Chars<'a>>,
    value_of: &'a dyn Fn(&str) -> i64,
    depth: u32,
}

/// Binary operators by precedence, loosest first. An operator precedes its prefixes, and the last level stands for
/// operands.
const LEVELS: [&[&str]; 7] =
    [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"], &[]];

impl Sum<'_> {
    fn blanks(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.blanks();
        let known = LEVELS.get(level)?;
        let found = known.iter().copied().find(|operator| {
            let mut ahead = self.rest.clone();
            operator.chars().all(|c| ahead.next() == Some(c))
        })?;
        for _ in found.chars() {
            self.rest.next();
        }
        Some(found)
    }

    fn level(&mut self, level: usize) -> Result<i64, String> {
        if level + 1 == LEVELS.len() {
            return self.value();
        }
        let mut left = self.level(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.level(level + 1)?;
            left = match operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).ok_or("zero divisor")?,
                _ => left.checked_rem(right).ok_or("zero divisor")?,
            };
        }
        Ok(left)
    }

    fn value(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("expression too deep".to_owned());
        }
        self.blanks();
        let value = match self.rest.next() {
            Some('-') => self.value()?.wrapping_neg(),
            Some('+') => self.value()?,
            Some('!') => i64::from(self.value()? == 0),
            Some('(') => {
                let inner = self.level(0)?;
                self.blanks();
                match self.rest.next() {
                    Some(')') => inner,
                    _ => return Err("missing )".to_owned()),
                }
            }
            Some(c) if c.is_ascii_alphanumeric() || c == '_' => {
                let mut word = c.to_string();
                while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    word.push(c);
                }
                self.number(&word)?
            }
            Some(c) => return Err(format!("unexpected '{c}'")),
            None => 0,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&self, word: &str) -> Result<i64, String> {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok((self.value_of)(word));
        }
        let parsed = match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16),
            None => word.parse(),
        };
        parsed.map_err(|_| format!("{word}: bad number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_come_out() {
        let value_of = |name: &str| if name == "x" { 7 } else { 0 };
        for (text, expected) in [
            ("1 + 2*3", Ok(7)),
            ("(1+2)*3 - -x", Ok(16)),
            ("x/2 == 3 && 0x10 > 2", Ok(1)),
            ("!1 || y", Ok(0)),
            ("", Ok(0)),
            ("1/0", Err("zero divisor".to_owned())),
            ("9223372036854775807+1", Ok(i64::MIN)),
        ] {
            assert_eq!(evaluate(text, &value_of), expected, "{text}");
        }
        assert!(evaluate(&"(".repeat(1000), &value_of).is_err());
        assert!(evaluate("1 2", &value_of).is_err());
    }
}
