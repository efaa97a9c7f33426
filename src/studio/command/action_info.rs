//! One thing that can be asked for by name: its words and keys, where it belongs, and which command it is.

use crate::command::Command;
use crate::state::{Place, StudioState};

/// One thing that can be asked for.
pub struct ActionInfo {
    /// Its word in the settings file; never changes.
    pub id: &'static str,
    /// What it is called: a verb first.
    pub label: &'static str,
    /// Its shortcuts, parted by ", "; the first is the one that tips name. Empty: none.
    pub keys: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// Which command it is now, or why it cannot be done now.
    pub order: fn(&StudioState) -> Order,
}

/// A command, or the reason why there is none now.
pub type Order = Result<Command, &'static str>;

/// Where an action belongs. The keys of a place work while it is shown; from the palette an action of
/// another place goes there first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Actions on the window itself, which work in every place.
    Window,
    /// Actions on the phone that is shown.
    Phone,
    /// Actions of one place: Record, Fuzz or Replay.
    In(Place),
}

impl Group {
    /// The actions of the place Record.
    pub const RECORD: Group = Group::In(Place::Record);
    /// The actions of the place Fuzz.
    pub const FUZZ: Group = Group::In(Place::Fuzz);
    /// The actions of the place Replay.
    pub const REPLAY: Group = Group::In(Place::Replay);
    /// All, in the order of the sheet of shortcuts.
    pub const ALL: [Group; 5] = [Group::Window, Group::Phone, Group::RECORD, Group::FUZZ, Group::REPLAY];

    /// Returns a row of the table of actions; what the parts mean is said at [`ActionInfo`].
    pub const fn action(
        self,
        id: &'static str,
        label: &'static str,
        keys: &'static str,
        order: fn(&StudioState) -> Order,
    ) -> ActionInfo {
        ActionInfo { id, label, keys, group: self, order }
    }

    /// The group's heading, as the sheet of shortcuts shows it.
    pub fn word(self) -> &'static str {
        match self {
            Group::Window => "Everywhere",
            Group::Phone => "Phone",
            Group::In(place) => place.word(),
        }
    }
}
