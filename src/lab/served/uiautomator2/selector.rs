//! Selectors as clients send them, a mask of criteria and a chain of children and siblings, and finding the widgets
//! that match them on a layout.
//!
//! Android has two implementations: `BySelector` for plain selectors, and `UiSelector` for those with an index, an
//! instance or a chain and for all counts. They differ in whether `contains` and `startsWith` are case-sensitive.

use std::collections::BTreeSet;

use serde_json::Value;

use super::criteria::{Criterion, missing};
use super::error::RpcError;
use taproof_screen::{Layout, WidgetIdx};

/// Limit on the number of links in a chain.
const LONGEST_CHAIN: usize = 32;

const INDEX: u64 = 0x80_0000;
const INSTANCE: u64 = 0x100_0000;

/// The scope of the next link of a chain.
#[derive(Clone, Copy)]
enum Relation {
    /// The descendants of the widget.
    Child,
    /// The descendants of the widget's parent.
    Sibling,
}

/// One selector without its chain.
#[derive(Default)]
struct Link {
    criteria: Vec<Criterion>,
    index: Option<u32>,
    instance: Option<u32>,
}

/// A selector with its chain.
pub(super) struct Selector {
    base: Link,
    chain: Vec<(Relation, Link)>,
}

impl Selector {
    /// Parses a selector sent by a client.
    pub fn parse(json: &Value) -> Result<Self, RpcError> {
        let mut selector = Selector { base: Link::parse(json)?, chain: Vec::new() };
        selector.read_chain(json)?;
        Ok(selector)
    }

    fn read_chain(&mut self, json: &Value) -> Result<(), RpcError> {
        let list = |name: &str| json.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (relation, link) in list("childOrSibling").iter().zip(list("childOrSiblingSelector")) {
            let relation = match relation.as_str().unwrap_or("").to_ascii_lowercase().as_str() {
                "child" => Relation::Child,
                "sibling" => Relation::Sibling,
                _ => continue,
            };
            self.chain.push((relation, Link::parse(link)?));
            if self.chain.len() > LONGEST_CHAIN {
                return Err(RpcError::params("the chain of children and siblings is too long"));
            }
            self.read_chain(link)?;
        }
        Ok(())
    }

    /// Whether Android uses `BySelector` for it.
    pub fn is_plain(&self) -> bool {
        self.chain.is_empty() && self.base.index.is_none() && self.base.instance.is_none()
    }

    /// The widgets that it selects, in the order of the layout. Texts in part are compared without regard to case.
    pub fn resolve(&self, layout: &Layout) -> Vec<WidgetIdx> {
        let mut scopes = vec![(0, layout.widgets().len() as u32)];
        let mut found = self.base.find(layout, &scopes, self.chain.is_empty());
        for (place, (relation, link)) in self.chain.iter().enumerate() {
            let around = |idx: &WidgetIdx| match relation {
                Relation::Child => Some(*idx),
                Relation::Sibling => layout.widget(*idx).parent,
            };
            let mut seen = BTreeSet::new();
            let scope_roots = found.iter().filter_map(around).filter(|idx| seen.insert(*idx));
            scopes = scope_roots.map(|idx| (idx.0 + 1, layout.end(idx).0)).collect();
            found = link.find(layout, &scopes, place + 1 == self.chain.len());
        }
        found
    }
}

impl Link {
    fn parse(json: &Value) -> Result<Self, RpcError> {
        let Some(fields) = json.as_object() else { return Err(RpcError::params("a selector is no object")) };
        let mask = fields.get("mask").and_then(Value::as_u64).unwrap_or(0);
        let mut link = Link { criteria: Criterion::all_of(mask, fields)?, ..Link::default() };
        let place = |name: &str| -> Result<Option<u32>, RpcError> {
            let number = fields.get(name).and_then(Value::as_u64).ok_or_else(|| missing(name))?;
            Ok(Some(u32::try_from(number).unwrap_or(u32::MAX)))
        };
        if mask & INDEX != 0 {
            link.index = place("index")?;
        }
        if mask & INSTANCE != 0 {
            link.instance = place("instance")?;
        }
        Ok(link)
    }

    /// The matching widgets in these scopes (first index and the one after the last). The last link of a chain also
    /// matches widgets inside other matches; the links before it match only the outermost ones.
    fn find(&self, layout: &Layout, scopes: &[(u32, u32)], last: bool) -> Vec<WidgetIdx> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for (first, end) in scopes {
            let mut next = *first;
            while next < *end {
                let idx = WidgetIdx(next);
                let (matches, behind) = (self.matches(layout, idx), layout.end(idx).0);
                if matches && seen.insert(idx) {
                    found.push(idx);
                }
                let skip = !is_shown(layout, idx) || (matches && !last && self.instance.is_none());
                next = if skip { behind } else { next + 1 };
            }
        }
        match self.instance {
            Some(place) => found.get(place as usize).copied().into_iter().collect(),
            None => found,
        }
    }

    fn matches(&self, layout: &Layout, idx: WidgetIdx) -> bool {
        let widget = layout.widget(idx);
        is_shown(layout, idx)
            && self.index.is_none_or(|index| ordinal(layout, idx) == Some(index as usize))
            && self.criteria.iter().all(|criterion| criterion.holds(widget))
    }
}

/// Whether any pixel of the widget is visible; roots always count as visible, as on a phone.
pub(super) fn is_shown(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    widget.parent.is_none() || !widget.bounds.is_empty()
}

/// The place of a widget among its siblings.
fn ordinal(layout: &Layout, idx: WidgetIdx) -> Option<usize> {
    match layout.widget(idx).parent {
        Some(parent) => layout.children(parent).position(|child| child == idx),
        None => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::criteria::{FLAGS, TEXTS};
    use super::*;
    use taproof_screen::{PxRect, WidgetFlags, layout_from};

    const PAGE: &str = "FrameLayout#root\n  ListView#list\n    LinearLayout#row1\n      TextView#name \"Hello\" (first)\n      TextView#size \"4 kB\"\n    LinearLayout#row2\n      TextView#name \"hello world\" (second)\n      TextView#size \"12 kB\"\n      CheckBox#box\n  Button#ok \"OK\"\n";

    /// A selector as the Python client writes it: the mask follows from the fields.
    fn client(fields: &Value) -> Value {
        let mut selector = json!({"mask": 0, "childOrSibling": [], "childOrSiblingSelector": []});
        for (key, value) in fields.as_object().unwrap() {
            let text = TEXTS.iter().find(|(_, name, ..)| name == key).map(|(bit, ..)| *bit);
            let flag = FLAGS.iter().find(|(_, name, ..)| name == key).map(|(bit, ..)| *bit);
            let place = [("index", INDEX), ("instance", INSTANCE)]
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, bit)| *bit);
            match text.or(flag).or(place) {
                Some(bit) => {
                    selector["mask"] = json!(selector["mask"].as_u64().unwrap() | bit);
                    selector[key.as_str()] = value.clone();
                }
                None => {
                    selector["childOrSibling"]
                        .as_array_mut()
                        .unwrap()
                        .push(json!(key.trim_end_matches(char::is_numeric)));
                    selector["childOrSiblingSelector"].as_array_mut().unwrap().push(client(value));
                }
            }
        }
        selector
    }

    fn named(layout: &Layout, found: &[WidgetIdx]) -> String {
        let place = |idx: &WidgetIdx| format!("{}{}", layout.widget(*idx).short_id().unwrap_or(""), idx.0);
        found.iter().map(place).collect::<Vec<_>>().join(" ")
    }

    fn check(fields: &Value, found: &str) {
        let layout = layout_from(PAGE);
        let boxed = layout.widgets().iter().position(|widget| widget.class.ends_with("CheckBox")).unwrap();
        let layout = layout.with_changed(&[WidgetIdx(boxed as u32)], |widget| {
            widget.flags = widget.flags.with(WidgetFlags::CHECKABLE, true).with(WidgetFlags::CHECKED, true);
        });
        let selector = Selector::parse(&client(fields)).unwrap();
        assert_eq!(named(&layout, &selector.resolve(&layout)), found, "{fields}");
    }

    #[test]
    fn texts_and_flags() {
        check(&json!({"text": "Hello"}), "name3");
        check(&json!({"text": "hell"}), "");
        check(&json!({"textContains": "ello"}), "name3 name6");
        check(&json!({"textContains": "hello"}), "name3 name6");
        check(&json!({"textContains": "hello", "instance": 0}), "name3");
        check(&json!({"textStartsWith": "hello"}), "name3 name6");
        check(&json!({"textMatches": "(?i)hello.*"}), "name3 name6");
        check(&json!({"textMatches": "[0-9]+ kB"}), "size4 size7");
        check(&json!({"textMatches": "ello"}), "");
        check(&json!({"className": "android.widget.Button"}), "ok9");
        check(&json!({"classNameMatches": ".*\\.(Button|CheckBox)"}), "box8 ok9");
        check(&json!({"description": "second"}), "name6");
        check(&json!({"descriptionContains": "s", "className": "android.widget.TextView"}), "name3 name6");
        check(&json!({"descriptionStartsWith": "fi"}), "name3");
        check(&json!({"descriptionMatches": "f.*t"}), "name3");
        check(&json!({"packageName": "org.ex", "text": "OK"}), "ok9");
        check(&json!({"packageNameMatches": "org\\..*", "text": "OK"}), "ok9");
        check(&json!({"resourceId": "org.ex:id/name"}), "name3 name6");
        check(&json!({"resourceIdMatches": ".*:id/row\\d"}), "row12 row25");
        check(&json!({"clickable": true}), "ok9");
        check(&json!({"checked": true}), "box8");
        check(&json!({"checkable": true, "checked": false}), "");
        check(&json!({"enabled": false}), "");
        check(&json!({"resourceId": "org.ex:id/name", "index": 0}), "name3 name6");
        check(&json!({"resourceId": "org.ex:id/size", "index": 0}), "");
        check(&json!({"resourceId": "org.ex:id/name", "instance": 1}), "name6");
        check(&json!({"resourceId": "org.ex:id/name", "instance": 2}), "");
        check(&json!({}), "root0 list1 row12 name3 size4 row25 name6 size7 box8 ok9");
    }

    #[test]
    fn children_and_siblings() {
        let row = |number: u8| format!("org.ex:id/row{number}");
        check(
            &json!({"resourceId": row(2), "child": {"className": "android.widget.TextView"}}),
            "name6 size7",
        );
        check(&json!({"resourceId": "org.ex:id/list", "child": {"textContains": "KB"}}), "size4 size7");
        check(
            &json!({"resourceId": "org.ex:id/list", "child": {"textContains": "kB", "instance": 1}}),
            "size7",
        );
        check(&json!({"text": "Hello", "sibling": {"resourceId": "org.ex:id/size"}}), "size4");
        check(&json!({"text": "hello world", "sibling": {"className": "android.widget.CheckBox"}}), "box8");
        check(&json!({"text": "Hello", "child": {"text": "Hello"}}), "");
        check(&json!({"resourceId": "org.ex:id/root", "sibling": {"text": "OK"}}), "");
        check(
            &json!({"className": "android.widget.ListView", "child": {"resourceId": row(1)}, "child2": {"text": "4 kB"}}),
            "size4",
        );
        check(
            &json!({"text": "Hello", "sibling": {"resourceId": "org.ex:id/size"}, "sibling2": {"text": "Hello"}}),
            "name3",
        );
        let texts = json!({"className": "android.widget.TextView", "sibling": {"className": "android.widget.TextView"}});
        check(&texts, "name3 size4 name6 size7");
        let nested =
            json!({"className": "android.widget.LinearLayout", "instance": 1, "child": {"index": 1}});
        check(&nested, "size7");
    }

    #[test]
    fn the_outermost_leads_on_and_the_hidden_is_nothing() {
        let layout = layout_from("FrameLayout\n  FrameLayout\n    TextView \"a\"\n  TextView \"b\"\n");
        let frames = json!({"className": "android.widget.FrameLayout", "child": {"className": "android.widget.TextView"}});
        let selector = Selector::parse(&client(&frames)).unwrap();
        assert_eq!(selector.resolve(&layout), [WidgetIdx(2), WidgetIdx(3)]);
        let hidden = layout.with_changed(&[WidgetIdx(1)], |widget| widget.bounds = PxRect::default());
        assert_eq!(selector.resolve(&hidden), [WidgetIdx(3)]);
    }

    #[test]
    fn bad_selectors_and_hostile_patterns_are_errors() {
        let layout = layout_from(PAGE);
        let parse = |json: &Value| Selector::parse(json).map(|selector| selector.resolve(&layout).len());
        for bad in [
            json!(7),
            json!({"mask": 1}),
            json!({"mask": 1, "text": 7}),
            json!({"mask": 1, "text": null}),
            json!({"mask": 0x400, "checkable": "yes"}),
            json!({"mask": INDEX, "index": -1}),
        ] {
            assert!(matches!(parse(&bad), Err(RpcError::Params { .. })), "{bad}");
        }
        let pattern = |text: &str| parse(&json!({"mask": 4, "textMatches": text}));
        for bad in
            ["(", "a)|(b", "(?=a)", "(a)\\1", "a{1000}{1000}{1000}", &"a".repeat(5000), &"(".repeat(3000)]
        {
            assert!(matches!(pattern(bad), Err(RpcError::Pattern { .. })), "{bad:.20}");
        }
        assert_eq!(pattern("(a+)+$|(x*)*y"), Ok(0), "no pattern takes long");
        assert_eq!(parse(&json!({"mask": INSTANCE, "instance": u64::MAX})), Ok(0));
        let mut chain = json!({"mask": 0, "childOrSibling": [], "childOrSiblingSelector": []});
        for _ in 0..LONGEST_CHAIN + 1 {
            chain["childOrSibling"].as_array_mut().unwrap().push(json!("child"));
            chain["childOrSiblingSelector"].as_array_mut().unwrap().push(json!({"mask": 0}));
        }
        assert!(parse(&chain).is_err());
        assert!(
            parse(&json!({"mask": 0, "childOrSibling": ["uncle", 7], "childOrSiblingSelector": [{}]}))
                .is_ok()
        );
    }
}
