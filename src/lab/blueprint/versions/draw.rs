//! Draws what a version changes.

use taproof_screen::determinism::Rng;

use super::words::{Entry, IDS, WORDS};
use super::{IdStyle, Renaming, versioned};
use crate::schema::{Blueprint, DataType, FormWindow, Naming, Word};

/// The most fields of forms whose order is turned round.
const MOST_FIELDS: usize = 4;

impl Blueprint {
    /// A later version of the app; the app itself for version 1. Each version changes something of the one before it,
    /// as drawn from the seed.
    #[must_use]
    pub fn version(self, version: u32, seed: u64) -> Blueprint {
        if version < 2 {
            return self;
        }
        let root = Rng::from_seed(seed).fork("versions");
        let first = self.name;
        let mut made = self;
        for number in 2..=version {
            made = made.next_version(&root.fork_indexed("version", u64::from(number)));
        }
        made.changes.of = Some(first);
        made.name = Word::keep(versioned(first.0, version));
        made
    }

    fn next_version(mut self, root: &Rng) -> Blueprint {
        let ids = self.naming != Naming::Descriptions;
        let changes = &mut self.changes;
        if ids {
            let mut rng = root.fork("ids");
            rename(&IDS, (1, 5), &mut changes.ids, &mut rng);
            if changes.id_style == IdStyle::default() && rng.chance(1, 10) {
                changes.id_style = [IdStyle::PartFirst, IdStyle::Camel][rng.below(2)];
            }
        }
        rename(&WORDS, if ids { (1, 6) } else { (1, 4) }, &mut changes.words, &mut root.fork("words"));
        let mut rng = root.fork("places");
        changes.new_in_bar |= rng.chance(1, 4);
        changes.actions_reversed ^= rng.chance(1, 3);
        changes.menus_reversed ^= rng.chance(1, 3);
        // Of a long form, what is entered last would be under the keyboard.
        let is_short = |kind: &DataType| kind.fields.len() <= MOST_FIELDS;
        let in_one = |kind: &DataType| kind.form.window != FormWindow::Wizard && kind.fields.len() > 1;
        let reversible = self.types.iter().any(in_one) && self.types.iter().all(is_short);
        changes.fields_reversed ^= rng.chance(1, 3) && reversible;
        let searched = self.types.iter().any(|kind| kind.search.is_some());
        changes.search_in_menu |= rng.chance(1, 5) && searched;
        let mut rng = root.fork("between");
        changes.asks_how |= rng.chance(1, 4);
        changes.says_saved |= rng.chance(1, 5);
        for kind in &mut self.types {
            kind.delete.confirm |= rng.chance(1, 4);
        }
        self
    }
}

/// Renames some of those that still have their first name.
fn rename(table: &[Entry], (some, of): (usize, usize), renamed: &mut Vec<Renaming>, rng: &mut Rng) {
    let before = renamed.len();
    while renamed.len() == before {
        for (from, to) in table {
            let chosen = to[rng.below(to.len())];
            if rng.chance(some, of) && renamed.iter().all(|it| it.from.0 != *from) {
                renamed.push(Renaming { from: Word(from), to: Word(chosen) });
            }
        }
        if renamed.len() >= table.len() {
            return;
        }
    }
}
