//! What the texts of a trace mean beside the data of their moment.

use taproof_campaign::Finding;
use taproof_screen::{DrawnText, TextClass};
use taproof_spec::{DataModel, Dmf, Input, Spec};

/// Walks the minimal trace of a finding with the data that the app should hold, and says of each text that was drawn
/// for a run of a DMF whether it is what it was drawn as.
pub fn texts_of_minimal_trace(finding: &Finding, spec: &Spec) -> Vec<(String, bool)> {
    let mut told = Vec::new();
    for span in &finding.minimal.trace.spans {
        let data = finding.data.at(span.first_step).cloned().unwrap_or_default();
        let types = types_of(&spec.dmfs[span.dmf]);
        for drawn in &span.inputs {
            let class = drawn.class.expect("a campaign notes the class of each text");
            let words = format!("{}: {:?} as {}", span.name, drawn.text, class.word());
            told.push((words, types.iter().any(|data_type| means(drawn, class, data_type, &data))));
        }
    }
    told
}

/// The data types that a text of a DMF can be about.
fn types_of(dmf: &Dmf) -> Vec<&str> {
    let named = dmf.steps.iter().filter_map(|step| match &step.input {
        Input::Existing(data_type) => Some(data_type.as_str()),
        Input::Fresh(fresh) => fresh.data_type.as_deref(),
        Input::None | Input::Literal(_) => None,
    });
    named.chain([dmf.data_type.as_str()]).collect()
}

fn means(drawn: &DrawnText, class: TextClass, data_type: &str, data: &DataModel) -> bool {
    let text = drawn.text.as_str();
    let any = |related: &dyn Fn(&str) -> bool| data.objects(data_type).iter().any(|object| related(object));
    let is_gone = data.removed(data_type).any(|gone| gone == text);
    let is_there = data.holds(data_type, text);
    match class {
        TextClass::Existing => is_there,
        TextClass::OtherCase => !is_there && any(&|object| object.eq_ignore_ascii_case(text)),
        TextClass::Extending => !is_there && any(&|object| object.contains(text) || text.contains(object)),
        TextClass::Removed => is_gone && !is_there,
        TextClass::Plain | TextClass::Digits => {
            let text = text.to_lowercase();
            let related = |object: &str| {
                let object = object.to_lowercase();
                object.contains(&text) || text.contains(&object)
            };
            !any(&related) && !is_gone
        }
        TextClass::Symbols
        | TextClass::BlankEdges
        | TextClass::Long
        | TextClass::Unicode
        | TextClass::Hostile => !is_there,
    }
}
