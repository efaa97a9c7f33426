//! Which minority outcomes have an explanation (not in the paper). An app's correct responses to rare situations are
//! rare as well. An outcome only contradicts a belief if the page and the receiver look the same, if nothing was done
//! before that was not done before the believed outcome, too, and if more than data and time distinguishes the two
//! (`lasting`). Any other difference may be intended rather than a wrong hidden state.

use std::collections::{BTreeMap, BTreeSet};

use super::abstraction::AbstractTree;
use super::fingerprint::{Balance, brought_texts};
use super::lasting::Lasting;
use super::{Behaviour, Cluster, Lens, Past, Rules, VolatileViews};
use taproof_screen::WidgetFlags;
use taproof_screen::determinism::HashBuffer;

/// Minimum number of receivers of an event after one input for what most of them do to be attributed to the page.
const RECEIVERS_OF_A_PAGE: usize = 3;

/// What a behaviour changed, however its edit script describes it.
pub(super) struct Change {
    pub(super) balance: Balance,
    pub(super) lasting: Lasting,
}

impl Change {
    /// Whether two behaviours did the same, as far as it does not follow from data or time.
    fn agrees(&self, other: &Change) -> bool {
        self.balance.agrees(&other.balance) || self.lasting.agrees(&other.lasting)
    }
}

/// How behaviours look before the event.
pub(super) struct Looks {
    looks: Vec<Look>,
    /// Maximum size of a minority, as a share of what is believed.
    minority: f64,
}

struct Look {
    input: usize,
    /// Hash of everything on the page.
    page: u64,
    /// Hash of the kind of widget that receives the event, and of its state, without its words.
    receiver: u64,
    /// Hash of the texts that the event contributes.
    words: u64,
    /// What was done before to what the event is done to.
    deeds: BTreeSet<u64>,
    history: Past,
}

impl Looks {
    pub(super) fn new(behaviours: &[Behaviour], volatile: &VolatileViews, minority: f64) -> Self {
        Looks { looks: behaviours.iter().map(|behaviour| Look::of(behaviour, volatile)).collect(), minority }
    }

    /// The members of a cluster that nothing explains. `change` computes what a behaviour changed; `None` if it left the
    /// app.
    pub(super) fn unexplained(
        &self,
        cluster: &Cluster,
        beliefs: &[&Cluster],
        change: &dyn Fn(usize) -> Option<Change>,
    ) -> Vec<usize> {
        let believed: Vec<usize> = beliefs.iter().flat_map(|belief| belief.members.iter().copied()).collect();
        let mut kinds: BTreeMap<(u64, u64), LookGroup<'_>> = BTreeMap::new();
        let mut open = Vec::new();
        for place in &cluster.members {
            let look = &self.looks[*place];
            // With several beliefs, the words of the receiver may decide among them.
            let words = if beliefs.len() > 1 { look.words } else { 0 };
            let kind = kinds.entry((look.receiver, words)).or_insert_with(|| {
                let like = |(_, other): &(usize, &Look)| {
                    other.receiver == look.receiver && (words == 0 || other.words == words)
                };
                LookGroup::of(believed.iter().map(|other| (*other, &self.looks[*other])).filter(like))
            });
            let here = |member: &&usize| {
                let other = &self.looks[**member];
                (other.page, other.receiver) == (look.page, look.receiver)
            };
            let most = self.minority * kind.believed(look) as f64;
            let explained = cluster.members.iter().filter(here).count() as f64 > most
                || !kind.words.contains(&look.words)
                || self.page_does_so(cluster, look.input);
            if !explained && !kind.does_so(look, change(*place), change) {
                open.push(*place);
            }
        }
        open
    }

    /// Whether two behaviours began on the same page with receivers of the same words.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.looks[one], &self.looks[other]);
        (one.page, one.words) == (other.page, other.words)
    }

    /// Whether most receivers have this outcome after the input.
    fn page_does_so(&self, cluster: &Cluster, input: usize) -> bool {
        let all = self.looks.iter().filter(|look| look.input == input).count();
        let so = cluster.members.iter().filter(|member| self.looks[**member].input == input).count();
        all >= RECEIVERS_OF_A_PAGE && 2 * so > all
    }
}

/// Believed behaviours on receivers that look the same.
#[derive(Default)]
struct LookGroup<'l> {
    /// Index and look of each behaviour, by the hash of its page.
    looks: BTreeMap<u64, Vec<(usize, &'l Look)>>,
    words: BTreeSet<u64>,
}

impl<'l> LookGroup<'l> {
    fn of(looks: impl Iterator<Item = (usize, &'l Look)>) -> Self {
        let mut kind = LookGroup::default();
        for (place, look) in looks {
            kind.words.insert(look.words);
            kind.looks.entry(look.page).or_default().push((place, look));
        }
        kind
    }

    fn on_page(&self, page: u64) -> impl Iterator<Item = &(usize, &'l Look)> {
        self.looks.get(&page).into_iter().flatten()
    }

    /// Whether a believed behaviour on the same page did the same.
    fn does_so(&self, look: &Look, seen: Option<Change>, change: &dyn Fn(usize) -> Option<Change>) -> bool {
        let Some(seen) = seen else { return false };
        self.on_page(look.page).any(|(place, _)| change(*place).is_some_and(|known| known.agrees(&seen)))
    }

    /// Number of believed behaviours on the same page whose history contains that of this behaviour, also as to what was
    /// done to the very thing. Among these, the outcome must be a minority's as well.
    fn believed(&self, look: &Look) -> usize {
        let covers = |(_, other): &&(usize, &Look)| {
            look.history.is_within(&other.history) && look.deeds.is_subset(&other.deeds)
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
        let lens = Lens { rules: Rules::NONE, volatile, brought: &[] };
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
        let brought = brought_texts(behaviour);
        brought.iter().for_each(|text| hasher.text(text));
        Look {
            input: behaviour.input,
            page,
            receiver,
            words: hasher.finish(),
            deeds: behaviour.history.deeds(&brought),
            history: behaviour.history.clone(),
        }
    }
}
