//! The states of an app that is larger than the bundled ones.

use std::sync::Arc;

use taproof_engine::{StateGraph, StateId};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, Key, Layout, LayoutKey};

/// So many states that look like these, each reached from an earlier one, with as many ways between them again.
pub fn many_states(layouts: &[Arc<Layout>], count: u64) -> StateGraph {
    let (mut graph, mut rng) = (StateGraph::default(), Rng::from_seed(1));
    let own: Vec<Arc<Layout>> =
        (0..count).map(|at| Arc::new((*layouts[at as usize % layouts.len()]).clone())).collect();
    let back = Event::Key(Key::Back);
    let mut see = |key: u64, event| graph.observe(LayoutKey(key), &own[key as usize], event);
    see(0, None);
    for key in 1..count {
        // Some pages are left often, most hardly ever.
        let from = rng.below(rng.clone().below(key as usize) + 1) as u64;
        see(from, None);
        see(key, Some(&back));
        see(rng.below(key as usize) as u64, Some(&back));
    }
    graph.go_back_to(StateId(0));
    graph
}
