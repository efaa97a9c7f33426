//! Which minority outcomes something explains (ours). An app's right answers to rare situations are rare, too: what
//! counts against a belief is another outcome on a page that looks the same, of a receiver that looks the same, and
//! after nothing that was not done before the believed outcome, too. Anything else may be the app's doing rather than
//! a wrong hidden state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::abstraction::AbstractTree;
use super::fingerprint::{Balance, brought_texts};
use super::{Behaviour, Cluster, Lens, Rules, VolatileViews};
use crate::determinism::HashBuffer;
use crate::model::WidgetFlags;

/// Receivers of an event after one input before what most of them do is the page's doing.
const RECEIVERS_OF_A_PAGE: usize = 3;

/// How behaviours look before the event.
pub(super) struct Looks {
    looks: Vec<Look>,
    /// A minority is at most this part of what is believed.
    minority: f64,
}

struct Look {
    input: usize,
    /// Everything on the page.
    page: u64,
    /// What kind of widget receives the event and in which state; not its words.
    receiver: u64,
    /// What the event brings along.
    words: u64,
    way: Arc<Vec<u64>>,
}

impl Looks {
    pub(super) fn new(behaviours: &[Behaviour], volatile: &VolatileViews, minority: f64) -> Self {
        Looks { looks: behaviours.iter().map(|behaviour| Look::of(behaviour, volatile)).collect(), minority }
    }

    /// The members of a cluster that nothing explains. `balance` tells what came of a behaviour.
    pub(super) fn unexplained(
        &self,
        cluster: &Cluster,
        beliefs: &[&Cluster],
        balance: &dyn Fn(usize) -> Option<Balance>,
    ) -> Vec<usize> {
        let believed: Vec<usize> = beliefs.iter().flat_map(|belief| belief.members.iter().copied()).collect();
        let mut kinds: BTreeMap<(u64, u64), Kind<'_>> = BTreeMap::new();
        let mut open = Vec::new();
        for place in &cluster.members {
            let look = &self.looks[*place];
            // Where there are several beliefs the words of the receiver may decide among them.
            let words = if beliefs.len() > 1 { look.words } else { 0 };
            let kind = kinds.entry((look.receiver, words)).or_insert_with(|| {
                let like = |(_, other): &(usize, &Look)| {
                    other.receiver == look.receiver && (words == 0 || other.words == words)
                };
                Kind::of(believed.iter().map(|other| (*other, &self.looks[*other])).filter(like))
            });
            let here = |member: &&usize| {
                let other = &self.looks[**member];
                (other.page, other.receiver) == (look.page, look.receiver)
            };
            let most = self.minority * kind.believed(look) as f64;
            let explained = cluster.members.iter().filter(here).count() as f64 > most
                || !kind.words.contains(&look.words)
                || self.page_does_so(cluster, look.input);
            if !explained && !kind.does_so(look, balance(*place), balance) {
                open.push(*place);
            }
        }
        open
    }

    /// Whether most receivers do the same after the input.
    fn page_does_so(&self, cluster: &Cluster, input: usize) -> bool {
        let all = self.looks.iter().filter(|look| look.input == input).count();
        let so = cluster.members.iter().filter(|member| self.looks[**member].input == input).count();
        all >= RECEIVERS_OF_A_PAGE && 2 * so > all
    }
}

/// Belief behaviours on receivers that look alike.
#[derive(Default)]
struct Kind<'l> {
    /// By page.
    looks: BTreeMap<u64, Vec<(usize, &'l Look)>>,
    words: BTreeSet<u64>,
}

impl<'l> Kind<'l> {
    fn of(looks: impl Iterator<Item = (usize, &'l Look)>) -> Self {
        let mut kind = Kind::default();
        for (place, look) in looks {
            kind.words.insert(look.words);
            kind.looks.entry(look.page).or_default().push((place, look));
        }
        kind
    }

    fn on_page(&self, page: u64) -> impl Iterator<Item = &(usize, &'l Look)> {
        self.looks.get(&page).into_iter().flatten()
    }

    /// Whether a belief on the same page does the same, only that its edit script says it in another way.
    fn does_so(
        &self,
        look: &Look,
        seen: Option<Balance>,
        balance: &dyn Fn(usize) -> Option<Balance>,
    ) -> bool {
        let Some(seen) = seen else { return false };
        self.on_page(look.page)
            .any(|(place, _)| balance(*place).is_some_and(|believed| believed.agrees(&seen)))
    }

    /// How many beliefs were seen on the same page, after all that was done and seen on the way there. Among these,
    /// too, the outcome must be a minority's.
    fn believed(&self, look: &Look) -> usize {
        let covers = |(_, other): &&(usize, &Look)| {
            look.way.iter().all(|feature| other.way.binary_search(feature).is_ok())
        };
        self.on_page(look.page).filter(covers).count()
    }
}

impl Look {
    fn of(behaviour: &Behaviour, volatile: &VolatileViews) -> Self {
        const STATES: WidgetFlags = WidgetFlags(
            WidgetFlags::CHECKED.0
                | WidgetFlags::SELECTED.0
                | WidgetFlags::ENABLED.0
                | WidgetFlags::FOCUSED.0,
        );
        let lens = Lens { rules: Rules::NONE, r1_keeps_ids: true, volatile, brought: &[] };
        let mut hasher = HashBuffer::default();
        for node in AbstractTree::of(&behaviour.before, &lens).nodes {
            hasher.u64(node.label);
            hasher.u64(node.parent.map_or(u64::MAX, u64::from));
        }
        let page = hasher.finish();
        hasher.clear();
        let layout = &behaviour.before.layout;
        let receiver = behaviour.receiver.filter(|idx| layout.get(*idx).is_some());
        if let Some(receiver) = receiver {
            for idx in layout.subtree(layout.row_of(receiver).unwrap_or(receiver)) {
                let widget = layout.widget(idx);
                hasher.text(&widget.class);
                hasher.text(widget.resource_id.as_deref().unwrap_or(""));
                hasher.u64(u64::from(widget.flags.0 & STATES.0));
            }
        }
        let receiver = hasher.finish();
        hasher.clear();
        brought_texts(behaviour).iter().for_each(|text| hasher.text(text));
        Look {
            input: behaviour.input,
            page,
            receiver,
            words: hasher.finish(),
            way: Arc::clone(&behaviour.way),
        }
    }
}
