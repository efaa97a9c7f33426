//! Texts for fields, beside those that engines generate.

use serde::{Deserialize, Serialize};

use super::{TestRules, maybe_selector, selector_of_text};
use taproof_screen::determinism::Rng;
use taproof_screen::{Layout, Selector, WidgetIdx};

/// Texts that are typed into fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldTexts {
    /// The fields; all that no other list names if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "maybe_selector")]
    pub field: Option<Selector>,
    /// One of these is drawn.
    pub texts: Vec<String>,
    /// How often, in percent of the texts that are typed there. The others are generated.
    #[serde(default = "percent")]
    pub percent: u32,
}

fn percent() -> u32 {
    70
}

impl FieldTexts {
    /// The lists in the lines of a text file.
    pub(super) fn of_lines(lines: &str) -> Result<Vec<FieldTexts>, String> {
        let list = |field: Option<Selector>| FieldTexts { field, texts: Vec::new(), percent: percent() };
        let mut lists = vec![list(None)];
        for (number, line) in lines.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            if let Some(written) = line.strip_prefix('[') {
                let field = written.strip_suffix(']').map(selector_of_text);
                let problem = |why: String| format!("line {}: {line:?} is no [SELECTOR]: {why}", number + 1);
                let field = field.ok_or_else(|| problem("it does not end with ]".to_owned()))?;
                lists.push(list(Some(field.map_err(problem)?)));
            } else if let Some(list) = lists.last_mut() {
                let text = line.strip_prefix('\\').filter(|text| text.starts_with('[')).unwrap_or(line);
                list.texts.push(text.to_owned());
            }
        }
        lists.retain(|list| list.field.is_some() || !list.texts.is_empty());
        Ok(lists)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match (self.texts.is_empty(), self.percent) {
            (true, _) => Err("a list of texts has no texts".to_owned()),
            (false, 1..=100) => Ok(()),
            (false, other) => Err(format!("{other} is no percentage of texts: write 1 to 100")),
        }
    }
}

impl TestRules {
    /// The tester's text for a field, now and then; `None` for one that the engine generates. Nothing is drawn for a
    /// field that has no list.
    pub fn text_for(&self, layout: &Layout, field: WidgetIdx, rng: &mut Rng) -> Option<String> {
        let names = |list: &&FieldTexts| {
            list.field.as_ref().is_some_and(|selector| selector.matches(layout).contains(&field))
        };
        let of_field = self.texts.iter().find(names);
        let list = of_field.or_else(|| self.texts.iter().find(|list| list.field.is_none()))?;
        if !rng.chance(list.percent as usize, 100) {
            return None;
        }
        rng.pick(&list.texts).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_field_gets_its_own_texts_and_others_those_for_all() {
        let layout = layout_from("FrameLayout\n  EditText#mail\n  EditText#name\n");
        let list = |field: Option<&str>, texts: &[&str]| FieldTexts {
            field: field.map(|id| Selector { resource_id: Some(id.to_owned()), ..Selector::default() }),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            percent: 70,
        };
        let mail = list(Some("org.ex:id/mail"), &["a@b.c", "d@e.f"]);
        let drawn = |texts: Vec<FieldTexts>, field: u32| {
            let (rules, mut rng) = (TestRules { texts, ..TestRules::default() }, Rng::from_seed(1));
            let all: Vec<_> =
                (0..1000).map(|_| rules.text_for(&layout, WidgetIdx(field), &mut rng)).collect();
            let own = all.iter().flatten().count();
            (all.into_iter().flatten().collect::<BTreeSet<String>>(), own)
        };
        let (texts, own) = drawn(vec![list(None, &["x"]), mail.clone()], 1);
        assert_eq!(texts, BTreeSet::from(["a@b.c".to_owned(), "d@e.f".to_owned()]));
        assert!((650..750).contains(&own), "{own}");
        assert_eq!(drawn(vec![list(None, &["x"]), mail.clone()], 2).0, BTreeSet::from(["x".to_owned()]));
        assert_eq!(drawn(vec![mail], 2).1, 0);
        // Without a list, what is drawn afterwards is what it was.
        let mut rng = Rng::from_seed(1);
        assert_eq!(TestRules::default().text_for(&layout, WidgetIdx(1), &mut rng), None);
        assert_eq!(rng.below(1000), Rng::from_seed(1).below(1000));
    }

    #[test]
    fn a_file_of_texts_has_a_part_for_each_kind_of_field() {
        let lists = FieldTexts::of_lines("a\n\n\\[b]\r\n[//*[@text='x']]\nc\n").unwrap();
        assert_eq!(lists[0].texts, ["a", "[b]"]);
        assert!(lists[0].field.is_none() && lists[1].texts == ["c"] && lists[1].field.is_some());
        for (text, problem) in [
            ("", "there is no text"),
            ("a\n[//*[\nb\n", "line 2"),
            ("a\n[//*\n", "does not end with ]"),
            ("[//*]\n", "no texts"),
        ] {
            let error = TestRules::of_texts("my.txt", text).unwrap_err().to_string();
            assert!(error.starts_with("my.txt: ") && error.contains(problem), "{error}");
        }
    }
}
