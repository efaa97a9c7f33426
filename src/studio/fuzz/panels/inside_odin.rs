//! ODIN's own view: the clusters of behaviours of each event, with the minority that stands out marked.

use std::collections::BTreeSet;

use egui::{Label, RichText, Ui};

use super::inside_parts::{numbers_ui, part_ui};
use crate::parts::controls::{Tone, badge, empty_state};
use crate::parts::theme::{caption, icon, strong, tokens};
use taproof_core::engine::OdinView;
use taproof_core::engine::odin::{ClusterView, EventView};

/// Draws ODIN's own view.
pub fn odin_ui(view: &OdinView, ui: &mut Ui) {
    numbers_ui(
        &[
            ("states", view.states as u64, "States of the model"),
            ("served", view.served as u64, "Of these, with inputs enough"),
            ("inputs", view.inputs as u64, "Inputs that are known to lead where they should"),
            ("layouts", view.layouts as u64, "Distinct layouts"),
            ("events appended", view.appended, "Events that were appended to inputs"),
            ("stood out", view.stood_out, "Outcomes of a tiny minority"),
            ("reported", view.reported, "Of these, replayed and reported"),
            ("changing views", view.volatile as u64, "Views whose words change by themselves"),
        ],
        ui,
    );
    part_ui("Clusters of behaviours", "by event, the most interesting first", ui);
    if view.events.is_empty() {
        empty_state(
            ui,
            icon::LIST,
            "No clusters yet",
            "They are made when enough inputs had the same event appended.",
        );
        return;
    }
    for event in &view.events {
        event_ui(event, ui);
    }
}

fn event_ui(event: &EventView, ui: &mut Ui) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.add(Label::new(strong(&event.event)).truncate());
        ui.label(caption(event.activity.rsplit('.').next().unwrap_or_default()));
    });
    let all: usize = event.clusters.iter().map(|cluster| cluster.size).sum::<usize>() + event.rest.1;
    let shared = shared_sentences(&event.clusters);
    for cluster in &event.clusters {
        cluster_ui(cluster, all, &shared, ui);
    }
    if !shared.is_empty() {
        let words = format!("All: {}", shared.iter().copied().collect::<Vec<_>>().join("; "));
        ui.add(Label::new(caption(&words)).truncate()).on_hover_text(words);
    }
    if event.rest.0 > 0 {
        ui.label(caption(format!("and {} more clusters with {} behaviours", event.rest.0, event.rest.1)));
    }
    if !event.rules.is_empty() {
        ui.add(Label::new(caption(format!("Rules: {}", event.rules.join(", ")))).truncate());
    }
}

/// The effects that all clusters have in common. They are shown once, so that each line begins with what distinguishes
/// its cluster.
fn shared_sentences(clusters: &[ClusterView]) -> BTreeSet<&str> {
    let Some((first, others @ [_, ..])) = clusters.split_first() else { return BTreeSet::new() };
    let of_first = first.sentences.iter().map(String::as_str);
    of_first
        .filter(|sentence| others.iter().all(|other| other.sentences.iter().any(|it| it == sentence)))
        .collect()
}

/// Draws a cluster: its size, its effects beyond the common ones, and whether it stands out or is believed.
fn cluster_ui(cluster: &ClusterView, all: usize, shared: &BTreeSet<&str>, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let fill = if cluster.minority { colors.bad_soft } else { colors.raised };
    let frame = egui::Frame::new().fill(fill).corner_radius(4).inner_margin(egui::Margin::symmetric(8, 3));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("{:>3} of {all}", cluster.size)).monospace());
            if cluster.minority {
                badge(ui, icon::LOOK, "minority", Tone::Bad)
                    .on_hover_text("So few do this that it stands out");
            } else if cluster.believed {
                badge(ui, icon::HELD, "believed", Tone::Good)
                    .on_hover_text("So many do this that it is taken for what should happen");
            }
            let own = cluster.sentences.iter().map(String::as_str).filter(|it| !shared.contains(it));
            let own: Vec<&str> = own.collect();
            let says = match (own.as_slice(), shared.is_empty()) {
                ([], true) => "nothing changes".to_owned(),
                ([], false) => "nothing else changes".to_owned(),
                (sentences, _) => sentences.join("; "),
            };
            ui.add(Label::new(&says).truncate()).on_hover_text(says);
        });
    });
}
