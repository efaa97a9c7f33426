//! Paths that a selector of attributes can express as well, for tools that do not support XPath.

use super::{Attribute, Path, Predicate, Start, Step, Test, Value, XPath};
use crate::Selector;

impl XPath {
    /// Returns the selector without XPath that names the same widgets, if there is one: for `//*[@text='OK']`, the
    /// text.
    pub fn plain(&self) -> Option<Selector> {
        let Path { start: Start::Document, steps } = &self.path else { return None };
        let [Step { deep: true, test, predicates }] = steps.as_slice() else { return None };
        let mut selector = Selector::default();
        match test {
            Test::Any => {}
            Test::Name(name) if name == "node" => {}
            // A dash may stand for the dollar sign of an inner class.
            Test::Name(name) if name != "hierarchy" && !name.contains('-') => {
                selector.class = Some(name.clone());
            }
            Test::Name(_) | Test::Parent | Test::Itself => return None,
        }
        let all = predicates.iter().all(|predicate| add(&mut selector, predicate));
        (all && !selector.is_empty()).then_some(selector)
    }
}

/// Adds the requirement of a predicate to the selector. Returns false if a selector cannot express it.
fn add(selector: &mut Selector, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::All(parts) => parts.iter().all(|part| add(selector, part)),
        Predicate::Equals(Value::Attribute(attribute), Value::Literal(text))
        | Predicate::Equals(Value::Literal(text), Value::Attribute(attribute)) => {
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
}
