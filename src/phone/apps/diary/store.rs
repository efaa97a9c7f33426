//! The data of the diary: activities, entries with notes and pictures, settings. Nothing here depends on screens.

use super::day::Day;
use crate::{Color, Picture};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

/// The id of an activity: its index in the list. It never changes, as activities are only marked as deleted.
pub(super) type ActivityId = usize;
/// The id of an entry.
pub(super) type EntryId = u32;

/// The colours that can be chosen.
pub(super) const PALETTE: [Color; 12] = [
    Color(0xC2185B),
    Color(0x00796B),
    Color(0xCFD8DC),
    Color(0x303F9F),
    Color(0xE64A19),
    Color(0xFBC02D),
    Color(0x5D4037),
    Color(0x388E3C),
    Color(0x0288D1),
    Color(0xFFA000),
    Color(0x7B1FA2),
    Color(0x455A64),
];

/// The activities of a fresh diary.
const PRESETS: [&str; 8] =
    ["Sleeping", "Cooking", "Cleaning", "Gardening", "Swimming", "Relaxing", "Officework", "Cinema"];

/// An activity that can be started.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    pub(super) name: String,
    pub(super) color: Color,
    pub(super) deleted: bool,
}

/// A period of time with one activity.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: EntryId,
    pub(super) activity: ActivityId,
    pub(super) start: DeviceInstant,
    /// The end of the period. `None` for the running entry, which can only be the last.
    pub(super) end: Option<DeviceInstant>,
    pub(super) note: String,
    /// The pictures, the newest first. Seeds are ascending, so a picture with a greater seed is newer.
    pub(super) pictures: Vec<Picture>,
}

impl Entry {
    /// The duration, until `now` for the running entry.
    pub(super) fn duration(&self, now: DeviceInstant) -> DeviceDuration {
        self.end.unwrap_or(now).since(self.start)
    }
}

/// The settings that the user has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) sort_by_name: bool,
    pub(super) large_tiles: bool,
    pub(super) show_start: bool,
    pub(super) diary_pictures: bool,
    pub(super) confirm_picture: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            sort_by_name: false,
            large_tiles: false,
            show_start: true,
            diary_pictures: true,
            confirm_picture: true,
        }
    }
}

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameRefusal {
    Blank,
    Taken,
}

/// Everything that survives the process.
#[derive(Clone, Debug)]
pub(super) struct Store {
    activities: Vec<Activity>,
    /// The entries, the oldest first.
    entries: Vec<Entry>,
    next_entry: EntryId,
    next_picture: u32,
    pub(super) settings: Settings,
}

impl Store {
    /// Creates a fresh diary.
    pub(super) fn new() -> Self {
        let preset = |(place, name): (usize, &&str)| Activity {
            name: (*name).to_owned(),
            color: PALETTE[place % PALETTE.len()],
            deleted: false,
        };
        Store {
            activities: PRESETS.iter().enumerate().map(preset).collect(),
            entries: Vec::new(),
            next_entry: 1,
            next_picture: 1,
            settings: Settings::default(),
        }
    }

    /// The activities that are not deleted, in the order of the tiles.
    pub(super) fn living(&self) -> Vec<(ActivityId, &Activity)> {
        let mut living: Vec<_> =
            self.activities.iter().enumerate().rev().filter(|(_, activity)| !activity.deleted).collect();
        if self.settings.sort_by_name {
            living.sort_by(|one, other| one.1.name.cmp(&other.1.name));
        }
        living
    }

    /// Returns the activity with this id, deleted or not.
    pub(super) fn activity(&self, id: ActivityId) -> Option<&Activity> {
        self.activities.get(id)
    }

    /// Checks a name for an activity, or for a new one if `of` is `None`. Returns why it is refused, or `None` if it is
    /// valid.
    pub(super) fn refusal(&self, of: Option<ActivityId>, name: &str) -> Option<NameRefusal> {
        let taken =
            |(id, other): (ActivityId, &Activity)| !other.deleted && Some(id) != of && other.name == name;
        if name.trim().is_empty() {
            Some(NameRefusal::Blank)
        } else if self.activities.iter().enumerate().any(taken) {
            Some(NameRefusal::Taken)
        } else {
            None
        }
    }

    /// The default colour of the next new activity.
    pub(super) fn next_color(&self) -> Color {
        PALETTE[self.activities.len() % PALETTE.len()]
    }

    /// Creates an activity and returns its id.
    pub(super) fn create(&mut self, name: String, color: Color) -> ActivityId {
        self.activities.push(Activity { name, color, deleted: false });
        self.activities.len() - 1
    }

    /// Changes name and colour of an activity. Returns whether the name is a different one.
    pub(super) fn change(&mut self, id: ActivityId, name: String, color: Color) -> bool {
        let Some(activity) = self.activities.get_mut(id) else { return false };
        let renamed = activity.name != name;
        activity.name = name;
        activity.color = color;
        renamed
    }

    /// Marks an activity as deleted. Its entries stay. A running one is stopped.
    pub(super) fn delete(&mut self, id: ActivityId, now: DeviceInstant) {
        if self.running().is_some_and(|entry| entry.activity == id) {
            self.stop(now);
        }
        if let Some(activity) = self.activities.get_mut(id) {
            activity.deleted = true;
        }
    }

    /// Undoes a deletion. `living_only` restricts the look-up to activities that are not deleted, as in all other
    /// look-ups.
    pub(super) fn undelete(&mut self, id: ActivityId, living_only: bool) {
        let found = self.activities.get_mut(id).filter(|activity| !living_only || !activity.deleted);
        if let Some(activity) = found {
            activity.deleted = false;
        }
    }

    /// The entries, the oldest first.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the entry with this id.
    pub(super) fn entry(&self, id: EntryId) -> Option<&Entry> {
        let place = self.entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
        self.entries.get(place)
    }

    fn entry_mut(&mut self, id: EntryId) -> Option<&mut Entry> {
        let place = self.entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
        self.entries.get_mut(place)
    }

    /// The running entry, if there is one.
    pub(super) fn running(&self) -> Option<&Entry> {
        self.entries.last().filter(|entry| entry.end.is_none())
    }

    /// Stops the running activity and starts another one. Does nothing if that is running already.
    pub(super) fn start(&mut self, id: ActivityId, now: DeviceInstant) {
        if self.running().is_some_and(|entry| entry.activity == id) {
            return;
        }
        self.stop(now);
        self.entries.push(Entry {
            id: self.next_entry,
            activity: id,
            start: now,
            end: None,
            note: String::new(),
            pictures: Vec::new(),
        });
        self.next_entry += 1;
    }

    /// Stops the running activity, if there is one.
    pub(super) fn stop(&mut self, now: DeviceInstant) {
        if let Some(entry) = self.entries.last_mut()
            && entry.end.is_none()
        {
            entry.end = Some(now);
        }
    }

    /// Changes the note of an entry. Returns the entry's activity.
    pub(super) fn write_note(&mut self, id: EntryId, note: String) -> Option<ActivityId> {
        let entry = self.entry_mut(id)?;
        entry.note = note;
        Some(entry.activity)
    }

    /// Deletes an entry with its note and pictures.
    pub(super) fn delete_entry(&mut self, id: EntryId) {
        self.entries.retain(|entry| entry.id != id);
    }

    /// Adds a new picture to an entry.
    pub(super) fn attach_picture(&mut self, id: EntryId) {
        let picture = Picture(self.next_picture);
        if let Some(entry) = self.entry_mut(id) {
            entry.pictures.insert(0, picture);
            self.next_picture += 1;
        }
    }

    /// Deletes the picture with this index in the list of an entry's pictures (newest first), or, `in_gallery`, in the
    /// list of all pictures.
    pub(super) fn delete_picture(&mut self, id: EntryId, position: usize, in_gallery: bool) {
        let listed = |entry: &Entry| in_gallery || entry.id == id;
        let mut listing: Vec<Picture> = self
            .entries
            .iter()
            .filter(|entry| listed(entry))
            .flat_map(|entry| entry.pictures.clone())
            .collect();
        listing.sort_by_key(|picture| std::cmp::Reverse(picture.0));
        if let Some(gone) = listing.get(position) {
            for entry in &mut self.entries {
                entry.pictures.retain(|picture| picture != gone);
            }
        }
    }

    /// The entries, the newest first, that began on `day` and whose note or activity contains the text, regardless of
    /// case.
    pub(super) fn search(&self, text: &str, day: Option<Day>) -> Vec<EntryId> {
        let text = text.trim().to_lowercase();
        let fits = |entry: &&Entry| {
            let named =
                || self.activity(entry.activity).is_some_and(|a| a.name.to_lowercase().contains(&text));
            day.is_none_or(|day| Day::of(entry.start) == day)
                && (text.is_empty() || entry.note.to_lowercase().contains(&text) || named())
        };
        self.entries.iter().rev().filter(fits).map(|entry| entry.id).collect()
    }

    /// The total duration of each activity, the longest first. With a `day`, only entries that began on it count.
    pub(super) fn totals(&self, day: Option<Day>, now: DeviceInstant) -> Vec<(ActivityId, DeviceDuration)> {
        let mut millis = vec![0; self.activities.len()];
        for entry in self.entries.iter().filter(|entry| day.is_none_or(|day| Day::of(entry.start) == day)) {
            millis[entry.activity] += entry.duration(now).millis();
        }
        let mut totals: Vec<_> = millis.into_iter().enumerate().filter(|(_, sum)| *sum > 0).collect();
        totals.sort_by_key(|(id, sum)| (std::cmp::Reverse(*sum), *id));
        totals.into_iter().map(|(id, sum)| (id, DeviceDuration::from_millis(sum))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: DeviceInstant = DeviceInstant(3 * 3_600_000);

    fn with_two_entries() -> Store {
        let mut store = Store::new();
        store.start(0, DeviceInstant(0));
        store.attach_picture(1);
        store.start(1, DeviceInstant(60_000));
        store.attach_picture(2);
        store
    }

    #[test]
    fn starting_ends_what_ran_before() {
        let store = with_two_entries();
        assert_eq!(store.entries()[0].end, Some(DeviceInstant(60_000)));
        assert_eq!(store.running().map(|entry| entry.activity), Some(1));
        assert_eq!(store.totals(None, DeviceInstant(180_000))[0], (1, DeviceDuration(120_000)));
    }

    #[test]
    fn a_name_is_given_once_and_never_blank() {
        let mut store = Store::new();
        assert_eq!(store.refusal(None, "Cooking"), Some(NameRefusal::Taken));
        assert_eq!(store.refusal(Some(1), "Cooking"), None, "it is its own name");
        assert_eq!(store.refusal(None, "cooking"), None, "another case is another name");
        assert_eq!(store.refusal(None, "  "), Some(NameRefusal::Blank));
        store.delete(1, NOON);
        assert_eq!(store.refusal(None, "Cooking"), None, "a deleted one gives its name free");
    }

    #[test]
    fn the_running_activity_stops_when_it_is_deleted_and_comes_back() {
        let mut store = with_two_entries();
        store.delete(1, NOON);
        assert!(store.running().is_none() && !store.living().iter().any(|(id, _)| *id == 1));
        let mut faulty = store.clone();
        store.undelete(1, false);
        faulty.undelete(1, true);
        assert!(store.living().iter().any(|(id, _)| *id == 1));
        assert!(!faulty.living().iter().any(|(id, _)| *id == 1));
    }

    #[test]
    fn a_position_means_the_entry_s_own_list() {
        let (mut sound, mut faulty) = (with_two_entries(), with_two_entries());
        sound.delete_picture(1, 0, false);
        assert_eq!((sound.entries()[0].pictures.len(), sound.entries()[1].pictures.len()), (0, 1));
        faulty.delete_picture(1, 0, true);
        assert_eq!((faulty.entries()[0].pictures.len(), faulty.entries()[1].pictures.len()), (1, 0));
    }

    #[test]
    fn search_looks_at_notes_names_and_days() {
        let mut store = with_two_entries();
        store.write_note(1, "Buy bread".to_owned());
        assert_eq!(store.search("bread", None), [1]);
        assert_eq!(store.search("COOK", None), [2]);
        assert_eq!(store.search("", Day::parse("2026-01-05")), [2, 1]);
        assert!(store.search("", Day::parse("2026-01-06")).is_empty());
    }
}
