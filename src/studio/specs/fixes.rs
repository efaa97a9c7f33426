//! Fixes with a single click, offered only if there is exactly one right answer.

use super::document::{SpecDocument, SpecEdit};
use super::{numbered, rename_widget};
use taproof_spec::{
    Condition, Dmf, LintCode, LintFinding, NamedSelector, SpecSelector, TextPattern, derived_blocks,
};

/// A fix for a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The label of its button.
    pub label: String,
    /// The edit that applies the fix.
    pub edit: SpecEdit,
}

/// Returns the fix for a finding. `None` if it needs a person's judgement.
pub fn fix(document: &SpecDocument, finding: &LintFinding) -> Option<Fix> {
    if let Some(fix) = fix_block(document, finding) {
        return Some(fix);
    }
    let index = finding.dmf?;
    let mut dmf = document.spec.dmfs.get(index)?.clone();
    let at = finding.path.strip_prefix(&format!("dmfs[{index}]"))?.trim_start_matches('.').to_owned();
    let label = mend(document, finding.code, &at, index, &mut dmf)?;
    Some(Fix { label, edit: SpecEdit::SetDmf(index, Box::new(dmf), String::new()) })
}

fn fix_block(document: &SpecDocument, finding: &LintFinding) -> Option<Fix> {
    match finding.code {
        LintCode::CommitNotBlocked => {
            let block = derived_blocks(&document.spec)
                .into_iter()
                .find(|block| finding.message.contains(&block.reason))?;
            Some(Fix { label: "Write it down".to_owned(), edit: SpecEdit::AddBlock(block) })
        }
        LintCode::Template | LintCode::BlocksNothing | LintCode::SameBlock => {
            let index = number(&finding.path, "keyviews")?;
            Some(Fix { label: "Remove the entry".to_owned(), edit: SpecEdit::RemoveBlock(index) })
        }
        LintCode::TextInIdSlot => {
            let index = number(&finding.path, "keyviews")?;
            let mut block = document.spec.blocks.get(index)?.clone();
            let id = block.pattern.attributes.iter_mut().find(|(name, _)| name == "resource-id")?;
            id.0 = "text".to_owned();
            Some(Fix { label: "It is a text".to_owned(), edit: SpecEdit::SetBlock(index, block) })
        }
        _ => None,
    }
}

/// Applies the fix to the DMF. Returns the label of its button.
fn mend(document: &SpecDocument, code: LintCode, at: &str, index: usize, dmf: &mut Dmf) -> Option<String> {
    let last = dmf.steps.len();
    match code {
        LintCode::VerbDiffers => {
            dmf.name = format!("{} {}", dmf.kind.word(), dmf.data_type);
            Some(format!("Call it \u{201c}{}\u{201d}", dmf.name))
        }
        // Parsing has already taken the data type from the name, so any edit makes both agree when it is written.
        LintCode::SameName => {
            let mut others = document.spec.dmfs.clone();
            others.remove(index);
            *dmf = numbered(&others, dmf.clone());
            Some(format!("Call it \u{201c}{}\u{201d}", dmf.name))
        }
        LintCode::SwitchedOff => {
            dmf.weight = 10;
            Some("Set weight 10".to_owned())
        }
        LintCode::UnusedWidget | LintCode::EmptyPlaceholder => {
            let widget = number(at, "widgets").filter(|widget| *widget < dmf.widgets.len())?;
            if !super::widgets_used(dmf, dmf.widgets.get(widget)?).is_empty() {
                return None;
            }
            let gone = dmf.widgets.remove(widget);
            Some(format!("Remove {}", gone.name))
        }
        LintCode::SameWidgetName => {
            let widget = number(at, "widgets")?;
            let name = dmf.widgets.get(widget)?.name.clone();
            let taken = |name: &str| dmf.widgets.iter().any(|widget| widget.name == name);
            let free = (2..).map(|number| format!("{name}{number}")).find(|name| !taken(name))?;
            dmf.widgets.get_mut(widget)?.name.clone_from(&free);
            Some(format!("Call it {free}"))
        }
        LintCode::LayoutBeyondEnd => {
            dmf.widgets.get_mut(number(at, "widgets")?)?.layout = last;
            Some(format!("Look it up on screen {last}"))
        }
        LintCode::OffItsLayout => {
            let step = number(at, "events")?;
            let name = dmf.steps.get(step)?.widget.clone()?;
            dmf.widgets.iter_mut().find(|widget| widget.name == name)?.layout = step;
            Some(format!("Look it up on screen {step}"))
        }
        LintCode::PostOffLastLayout => {
            let condition = condition_at(dmf, at)?;
            condition.layout = Some(last);
            Some("Judge the last screen".to_owned())
        }
        LintCode::LayoutsDisagree => {
            let name = condition_at(dmf, at)?.widget.clone()?;
            dmf.widgets.iter_mut().find(|widget| widget.name == name)?.layout = last;
            condition_at(dmf, at)?.layout = Some(last);
            Some("Judge the last screen".to_owned())
        }
        LintCode::NeitherWidgetNorData | LintCode::Vacuous | LintCode::UnknownRelation => {
            let place = number(at, "preconditions").filter(|place| *place < dmf.preconditions.len());
            match (place, number(at, "post-conditions")) {
                (Some(place), _) => drop(dmf.preconditions.remove(place)),
                (None, Some(place)) if place < dmf.postconditions.len() => {
                    drop(dmf.postconditions.remove(place))
                }
                (None, _) => return None,
            }
            Some("Remove the condition".to_owned())
        }
        LintCode::UnknownOperator => {
            let place = number(at, "impacts").filter(|place| *place < dmf.impacts.len())?;
            dmf.impacts.remove(place);
            Some("Remove the change".to_owned())
        }
        LintCode::NeverRead => {
            let TextPattern::FromRead(name) = &dmf.widgets.get(number(at, "widgets")?)?.selector.text else {
                return None;
            };
            let (old, new) = (name.clone(), format!("{}_name", name.trim_end_matches("_widget")));
            rename_widget(dmf, &old, &new);
            Some(format!("Call it {new}, so that it is read"))
        }
        LintCode::TextLikeId => {
            let selector = selector_at(dmf, at)?;
            let id = match (&selector.text, at.ends_with(".content-desc")) {
                (_, true) => selector.content_desc.take(),
                (TextPattern::Is(_), false) => match std::mem::take(&mut selector.text) {
                    TextPattern::Is(text) => Some(text),
                    TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
                },
                _ => None,
            };
            selector.resource_id = Some(id?);
            Some("It is an id".to_owned())
        }
        LintCode::OddId => {
            let selector = selector_at(dmf, at)?;
            let blanks = selector.resource_id.as_ref().is_some_and(|id| id.contains(char::is_whitespace));
            if !blanks || selector.text != TextPattern::Any {
                return None;
            }
            selector.text = TextPattern::Is(selector.resource_id.take()?);
            Some("It is a text".to_owned())
        }
        _ => None,
    }
}

fn selector_at<'d>(dmf: &'d mut Dmf, at: &str) -> Option<&'d mut SpecSelector> {
    let widget: &mut NamedSelector = dmf.widgets.get_mut(number(at, "widgets")?)?;
    Some(&mut widget.selector)
}

fn condition_at<'d>(dmf: &'d mut Dmf, at: &str) -> Option<&'d mut Condition> {
    match number(at, "preconditions") {
        Some(place) => dmf.preconditions.get_mut(place),
        None => dmf.postconditions.get_mut(number(at, "post-conditions")?),
    }
}

/// Parses the index after `word` at the start of a path.
fn number(path: &str, word: &str) -> Option<usize> {
    let (number, _) = path.strip_prefix(word)?.strip_prefix('[')?.split_once(']')?;
    number.parse().ok()
}
