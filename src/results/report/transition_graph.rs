//! The transition graph of a recorded trace, as a file of Graphviz.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use taproof_campaign::SavedTrace;
use taproof_screen::{LayoutKey, ScreenPrint, last_part, one_line};

/// Writes the graph in the language DOT: a node for each structure of a screen, named by its activity and its first text,
/// and an edge for each pair of screens, with the steps that led from one to the other.
pub fn transition_graph(trace: &SavedTrace) -> String {
    let screens = || std::iter::once(&trace.start).chain(trace.steps.iter().map(|step| &step.after));
    let mut nodes: BTreeMap<LayoutKey, usize> = BTreeMap::new();
    let mut dot = format!("digraph {} {{\n  node [shape=box];\n", quoted(&trace.title));
    for print in screens() {
        let number = nodes.len() + 1;
        if let Entry::Vacant(new) = nodes.entry(print.structure) {
            new.insert(number);
            dot += &format!("  s{number} [label={}];\n", quoted(&name(number, print)));
        }
    }
    let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for ((number, step), before) in (1..).zip(&trace.steps).zip(screens()) {
        let ends = (nodes[&before.structure], nodes[&step.after.structure]);
        edges.entry(ends).or_default().push(format!("{number}. {}", one_line(&step.sentence)));
    }
    for ((from, to), steps) in edges {
        dot += &format!("  s{from} -> s{to} [label={}];\n", quoted(&steps.join("\n")));
    }
    dot + "}\n"
}

fn name(number: usize, print: &ScreenPrint) -> String {
    let class = last_part(&print.activity);
    let text = print.texts.first().map(|text| format!("\n{}", one_line(text))).unwrap_or_default();
    format!("{number} {class}{text}")
}

/// A text as DOT writes it, its lines in the middle.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::SavedStep;
    use taproof_engine::device::Build;
    use taproof_screen::{Event, Key, StepRole, layout_from};
    use taproof_spec::{Spec, TestRules};

    #[test]
    fn screens_are_nodes_and_the_steps_between_them_edges() {
        let print = |text: &str| {
            let layout = layout_from(text).with_activity("org.ex/.Main".into());
            ScreenPrint::of(&layout)
        };
        let (list, form) = ("Button#new \"Say \\\"hi\\\"\"\n", "EditText#name \"a\"\nButton#save \"Save\"\n");
        let step = |sentence: &str, after: &str| SavedStep {
            sentence: sentence.to_owned(),
            event: Event::Key(Key::Back),
            role: StepRole::Explored,
            after: print(after),
        };
        let trace = SavedTrace {
            title: "My \"trace\"".to_owned(),
            app: "org.ex".to_owned(),
            build: Build::Sound,
            initialiser: None,
            start: print(list),
            steps: vec![step("Tap New", form), step("Tap Save", list), step("Tap New", form)],
            frames: Vec::new(),
            spans: Vec::new(),
            spec: Spec::default(),
            policy: Default::default(),
            rules: TestRules::default(),
            expectations: Vec::new(),
        };
        let graph = transition_graph(&trace);
        let lines: Vec<&str> = graph.lines().collect();
        assert_eq!(lines[0], "digraph \"My \\\"trace\\\"\" {");
        assert!(lines[2].starts_with("  s1 [label=\"1 Main\\nSay "), "{graph}");
        assert_eq!(lines[3], "  s2 [label=\"2 Main\\na\"];");
        assert_eq!(lines[4], "  s1 -> s2 [label=\"1. Tap New\\n3. Tap New\"];");
        assert_eq!(lines[5..], ["  s2 -> s1 [label=\"2. Tap Save\"];", "}"]);
    }
}
