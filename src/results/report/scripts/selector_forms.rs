//! Selectors as other tools write them, for the clipboard.

use super::maestro;
use taproof_screen::{Layout, Selector, WidgetIdx, XPath, words};

words! {
    /// A notation for selectors.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SelectorForm {
        /// The resource id alone, which may name several widgets.
        Id = "id",
        /// An XPath over class names.
        XPath = "XPath",
        /// A selector of the Python library uiautomator2.
        Uiautomator2 = "uiautomator2",
        /// A `UiSelector` of Appium's UiAutomator2 driver.
        Appium = "Appium",
        /// A selector of a Maestro flow, in YAML.
        Maestro = "Maestro",
        /// The widget of a PBFDroid specification, in JSON.
        Pbfdroid = "PBFDroid",
    }
    /// The name that is shown to people.
    pub fn word;
    /// All notations, in the order of their declaration.
    pub const ALL;
}

impl SelectorForm {
    /// The selectors of a widget in the notations in which it has one.
    pub fn all_of(layout: &Layout, idx: WidgetIdx) -> Vec<(SelectorForm, String)> {
        SelectorForm::ALL.into_iter().filter_map(|form| Some((form, form.text(layout, idx)?))).collect()
    }

    /// The selector of a widget that names no other widget of the layout, in this notation. `None` for an id that the
    /// widget does not have, and for a widget that is not there.
    pub fn text(self, layout: &Layout, idx: WidgetIdx) -> Option<String> {
        layout.get(idx)?;
        let selector = selector_of(layout, idx);
        Some(match self {
            SelectorForm::Id => layout.widget(idx).resource_id.as_ref()?.to_string(),
            SelectorForm::XPath => xpath(&selector),
            SelectorForm::Uiautomator2 => uiautomator2(&selector),
            SelectorForm::Appium => ui_selector(&selector),
            SelectorForm::Maestro => maestro::selector(layout, idx, &selector).join("\n"),
            SelectorForm::Pbfdroid => pbfdroid(&selector),
        })
    }
}

/// The attributes that name this widget alone: the id before the description, before the text, before several of them and
/// the class. Where none do, the widget's place among those that they name.
fn selector_of(layout: &Layout, idx: WidgetIdx) -> Selector {
    let widget = layout.widget(idx);
    let some = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let any = Selector::default;
    let id = || widget.resource_id.as_deref().and_then(some);
    let (text, content_desc, class) =
        (|| some(&widget.text), || some(&widget.content_desc), || some(&widget.class));
    let choices = [
        Selector { resource_id: id(), ..any() },
        Selector { content_desc: content_desc(), ..any() },
        Selector { text: text(), ..any() },
        Selector { resource_id: id(), text: text(), ..any() },
        Selector { resource_id: id(), content_desc: content_desc(), ..any() },
        Selector { class: class(), content_desc: content_desc(), ..any() },
        Selector { class: class(), text: text(), ..any() },
        Selector { class: class(), ..any() },
    ];
    if let Some(alone) = choices.iter().find(|choice| choice.matches(layout) == [idx]) {
        return alone.clone();
    }
    let mut place = if id().is_some() { choices[0].clone() } else { choices[7].clone() };
    place.instance = place.matches(layout).iter().position(|other| *other == idx).map(|at| at as u32);
    place
}

/// Calls `add` with each attribute of the selector, by the name that it has in dumps.
fn attributes<'s>(selector: &'s Selector, mut add: impl FnMut(&'static str, &'s str)) {
    let parts = [
        ("resource-id", &selector.resource_id),
        ("text", &selector.text),
        ("content-desc", &selector.content_desc),
        ("class", &selector.class),
    ];
    for (name, value) in parts {
        if let Some(value) = value {
            add(name, value);
        }
    }
}

fn xpath(selector: &Selector) -> String {
    let mut predicates = String::new();
    attributes(selector, |name, value| {
        if name != "class" {
            predicates += &format!("[@{name}={}]", XPath::literal(value));
        }
    });
    // The name of an element cannot contain the dollar sign of an inner class.
    let named = selector.class.as_deref().filter(|class| !class.contains('$'));
    if let (Some(class), None) = (&selector.class, named) {
        predicates += &format!("[@class={}]", XPath::literal(class));
    }
    let path = format!("//{}{predicates}", named.unwrap_or("*"));
    match selector.instance {
        Some(instance) => format!("({path})[{}]", instance + 1),
        None => path,
    }
}

/// The name that a `UiSelector` has for an attribute.
fn of_ui_selector(attribute: &str) -> &str {
    match attribute {
        "resource-id" => "resourceId",
        "content-desc" => "description",
        "class" => "className",
        other => other,
    }
}

fn uiautomator2(selector: &Selector) -> String {
    let mut parts = Vec::new();
    attributes(selector, |name, value| {
        parts.push(format!("{}={}", of_ui_selector(name), quoted(value)));
    });
    parts.extend(selector.instance.map(|instance| format!("instance={instance}")));
    format!("d({})", parts.join(", "))
}

fn ui_selector(selector: &Selector) -> String {
    let mut text = "new UiSelector()".to_owned();
    attributes(selector, |name, value| {
        text += &format!(".{}({})", of_ui_selector(name), quoted(value));
    });
    if let Some(instance) = selector.instance {
        text += &format!(".instance({instance})");
    }
    text
}

fn pbfdroid(selector: &Selector) -> String {
    let value = |value: &Option<String>| quoted(value.as_deref().unwrap_or_default());
    let instance = selector.instance.map(|instance| instance.to_string());
    let keys = [
        ("resource-id", &selector.resource_id),
        ("text", &selector.text),
        ("class", &selector.class),
        ("content-desc", &selector.content_desc),
        ("instance", &instance),
    ];
    let parts: Vec<String> = keys
        .iter()
        .filter(|(name, part)| *name != "instance" || part.is_some())
        .map(|(name, part)| format!("\"{name}\": {}", value(part)))
        .collect();
    format!("{{{}}}", parts.join(", "))
}

/// A string literal of JSON, which is also one of Python, Java and YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    const SCREEN: &str = "FrameLayout\n  Button#save \"Save (1)\" (Keep)\n  ListView#list\n    TextView#row \"Tea\"\n    \
                          TextView#row \"Milk\"\n    TextView#row \"Milk\"\n  EditText\n  EditText\n";

    #[test]
    fn a_widget_is_named_in_every_notation() {
        let layout = layout_from(SCREEN);
        let check = |idx: u32, expected: [&str; 5]| {
            let forms = &SelectorForm::ALL[1..];
            let texts: Vec<String> =
                forms.iter().map(|form| form.text(&layout, WidgetIdx(idx)).unwrap()).collect();
            assert_eq!(texts, expected);
        };
        check(
            1,
            [
                "//*[@resource-id=\"org.ex:id/save\"]",
                "d(resourceId=\"org.ex:id/save\")",
                "new UiSelector().resourceId(\"org.ex:id/save\")",
                "id: \"org\\\\.ex:id/save\"",
                "{\"resource-id\": \"org.ex:id/save\", \"text\": \"\", \"class\": \"\", \"content-desc\": \"\"}",
            ],
        );
        check(
            3,
            [
                "//*[@text=\"Tea\"]",
                "d(text=\"Tea\")",
                "new UiSelector().text(\"Tea\")",
                "text: \"Tea\"",
                "{\"resource-id\": \"\", \"text\": \"Tea\", \"class\": \"\", \"content-desc\": \"\"}",
            ],
        );
        check(
            5,
            [
                "(//*[@resource-id=\"org.ex:id/row\"])[3]",
                "d(resourceId=\"org.ex:id/row\", instance=2)",
                "new UiSelector().resourceId(\"org.ex:id/row\").instance(2)",
                "id: \"org\\\\.ex:id/row\"\nindex: 2",
                "{\"resource-id\": \"org.ex:id/row\", \"text\": \"\", \"class\": \"\", \"content-desc\": \"\", \
                 \"instance\": \"2\"}",
            ],
        );
        assert_eq!(SelectorForm::Id.text(&layout, WidgetIdx(5)).as_deref(), Some("org.ex:id/row"));
        assert_eq!(SelectorForm::Id.text(&layout, WidgetIdx(6)), None);
        assert!(SelectorForm::Maestro.text(&layout, WidgetIdx(7)).unwrap().starts_with("point: \""));
    }

    #[test]
    fn what_is_copied_can_be_searched_for() {
        let layout = layout_from(SCREEN);
        for idx in (1..8).map(WidgetIdx) {
            for form in [SelectorForm::XPath, SelectorForm::Uiautomator2, SelectorForm::Appium] {
                let text = form.text(&layout, idx).unwrap();
                assert_eq!(Selector::search(&text).unwrap().matches(&layout), [idx], "{text}");
            }
        }
    }
}
