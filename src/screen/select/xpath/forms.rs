//! Paths of certain forms: those that a selector of attributes can express as well, for tools that do not support XPath,
//! and those to a beginning of a text.

use super::XPath;
use super::syntax::{Attribute, Axis, Expr, Operator, Path, Start, Step, Test};
use crate::Selector;

impl XPath {
    /// The text as XPath writes it, which has no escapes: one with both kinds of quotes is put together.
    pub fn literal(text: &str) -> String {
        match (text.contains('"'), text.contains('\'')) {
            (false, _) => format!("\"{text}\""),
            (true, false) => format!("'{text}'"),
            (true, true) => {
                let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
                format!("concat({})", parts.join(", '\"', "))
            }
        }
    }

    /// Returns the selector without XPath that names the same widgets, if there is one: for `//*[@text='OK']`, the
    /// text.
    pub fn plain(&self) -> Option<Selector> {
        let Step { test, predicates, .. } = self.anywhere()?;
        let mut selector = Selector::default();
        match test {
            Test::Any => {}
            Test::Word(name) if name == "node" => {}
            // A dash may stand for the dollar sign of an inner class.
            Test::Name(name) if !name.contains('-') => selector.class = Some(name.clone()),
            Test::Name(_) | Test::Word(_) | Test::Node | Test::Attribute(_) => return None,
        }
        let all = predicates.iter().all(|predicate| add(&mut selector, predicate));
        (all && !selector.is_empty()).then_some(selector)
    }

    /// An XPath to all widgets whose text has this beginning.
    pub fn of_start(start: &str) -> String {
        format!("//*[starts-with(@text,{})]", XPath::literal(start))
    }

    /// The beginning in an XPath to all widgets whose text has it; `None` for any other XPath.
    pub fn start(&self) -> Option<&str> {
        let Step { test: Test::Any, predicates, .. } = self.anywhere()? else { return None };
        let [Expr::Call(call)] = predicates.as_slice() else { return None };
        match call.arguments.as_slice() {
            [Expr::Attribute(Attribute::Text), Expr::Literal(start)] if call.function.0 == "starts-with" => {
                Some(start)
            }
            _ => None,
        }
    }

    /// The step of a path that is `//` and one step whose predicates do not depend on the position.
    fn anywhere(&self) -> Option<&Step> {
        let Expr::Path(Path { start: Start::Document, steps }) = &self.expr else { return None };
        let [step @ Step { axis: Axis::Descendant, positional: false, .. }] = steps.as_slice() else {
            return None;
        };
        Some(step)
    }
}

/// Adds the requirement of a predicate to the selector. Returns false if a selector cannot express it.
fn add(selector: &mut Selector, predicate: &Expr) -> bool {
    let Expr::Chain(first, rest) = predicate else { return false };
    match (&**first, rest.as_slice()) {
        (Expr::Attribute(attribute), [(Operator::Equal(true), Expr::Literal(text))])
        | (Expr::Literal(text), [(Operator::Equal(true), Expr::Attribute(attribute))]) => {
            let part = match attribute {
                Attribute::Text => &mut selector.text,
                Attribute::ResourceId => &mut selector.resource_id,
                Attribute::Class => &mut selector.class,
                Attribute::ContentDesc => &mut selector.content_desc,
                _ => return false,
            };
            // Two different values match nothing, which a selector cannot express.
            part.replace(text.clone()).is_none_or(|before| before == *text)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_of_equal_attributes_is_plain() {
        let check = |path: &str, expected: Option<Selector>| {
            assert_eq!(XPath::parse(path).unwrap().plain(), expected, "{path}");
        };
        let text = |text: &str| Selector { text: Some(text.to_owned()), ..Selector::default() };
        check("//*[@text='OK']", Some(text("OK")));
        check("//node['OK'=@text]", Some(text("OK")));
        let class = Some("android.widget.Button".to_owned());
        let both = Selector { class, resource_id: Some("a:id/b".to_owned()), ..text("OK") };
        check("//android.widget.Button[@text='OK' and @resource-id='a:id/b']", Some(both.clone()));
        check("//android.widget.Button[@text='OK'][@resource-id='a:id/b']", Some(both));
        for other in [
            "//*",
            "/*[@text='OK']",
            "//*[@text='OK']/..",
            "//*[contains(@text,'OK')]",
            "//*[@text='OK'][1]",
            "//*[@text='OK' or @text='Cancel']",
            "//*[@text='OK' and @text='Cancel']",
            "//*[not(@text='OK')]",
            "//*[@enabled='true']",
            "(//*[@text='OK'])[1]",
            "//hierarchy",
            "//a.B-C",
        ] {
            check(other, None);
        }
    }

    #[test]
    fn beginnings_are_found_whatever_their_quotes() {
        assert_eq!(XPath::literal("5\" and 3'"), "concat(\"5\", '\"', \" and 3'\")");
        for start in ["Items", "Today's list", "The \"best\"", "\"it's\""] {
            assert_eq!(XPath::parse(&XPath::of_start(start)).unwrap().start(), Some(start));
        }
        for other in ["//*[starts-with(@text,'a') or starts-with(@text,'b')]", "//a[starts-with(@text,'a')]"]
        {
            assert_eq!(XPath::parse(other).unwrap().start(), None);
        }
    }
}
