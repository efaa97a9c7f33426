//! The folders and files of a new phone.

use super::storage::{EntryId, INTERNAL, Kind, SD_CARD, Storage};
use crate::Date;

/// An entry of the initial tree: its name, then its contents.
enum Item {
    Dir(&'static str, &'static [Item]),
    Text(&'static str, &'static str),
    Image(&'static str, u32, u64),
    Audio(&'static str, u32, u64),
    Other(&'static str, u64),
}

use Item::{Audio, Dir, Image, Other, Text};

const INTERNAL_TREE: &[Item] = &[
    Dir(
        "Documents",
        &[
            Dir("Invoices", &[Other("2025-11 rent.pdf", 48_211), Other("2025-12 rent.pdf", 48_390)]),
            Dir(
                "Letters",
                &[
                    Text("landlord.txt", "Dear Ms Vogel,\n\nthe heating in the kitchen is cold again.\n"),
                    Text("grandma.txt", "Dear Grandma,\n\nthank you for the scarf, it is very warm.\n"),
                ],
            ),
            Text("shopping.txt", "bread\nmilk\napples\n"),
            Text("books to read.txt", "The Left Hand of Darkness\nStoner\nA Gentleman in Moscow\n"),
        ],
    ),
    Dir(
        "Download",
        &[
            Other("timetable.pdf", 1_204_113),
            Other("fonts.zip", 5_730_021),
            Text("licence.txt", "You may use this for anything.\n"),
        ],
    ),
    Dir(
        "Music",
        &[
            Dir(
                "Field recordings",
                &[Audio("harbour.mp3", 214, 5_140_480), Audio("night train.mp3", 187, 4_492_800)],
            ),
            Dir("Playlists", &[]),
            Audio("doorbell.mp3", 3, 73_728),
        ],
    ),
    Dir(
        "Pictures",
        &[
            Dir(
                "Holidays",
                &[
                    Image("beach.jpg", 11, 2_310_144),
                    Image("lighthouse.jpg", 12, 1_985_201),
                    Image("dunes.jpg", 13, 2_104_667),
                ],
            ),
            Dir("Screenshots", &[Image("home screen.png", 21, 310_552)]),
            Image("cat.jpg", 31, 1_470_080),
        ],
    ),
    Dir("Ringtones", &[Audio("marimba.ogg", 12, 204_800)]),
    Text("read me.txt", "Welcome to your phone.\nHold a row to select it.\n"),
];

const CARD_TREE: &[Item] = &[
    Dir(
        "Backup",
        &[
            Dir("January", &[Other("contacts.vcf", 12_655), Other("messages.xml", 884_201)]),
            Text("log.txt", "backup finished without errors\n"),
        ],
    ),
    Dir(
        "DCIM",
        &[
            Dir("Camera", &[Image("IMG_0001.jpg", 41, 3_018_752), Image("IMG_0002.jpg", 42, 2_889_410)]),
            Dir("Thumbnails", &[]),
        ],
    ),
    Dir("Maps", &[Other("city.obf", 48_234_496)]),
];

/// The storages of a new phone.
pub fn storage() -> Storage {
    let mut clock = Date { year: 2025, month: 11, day: 3, hour: 8, minute: 15, second: 0, millis: 0 };
    let mut storage = Storage::empty(clock);
    plant(&mut storage, INTERNAL, INTERNAL_TREE, &mut clock);
    plant(&mut storage, SD_CARD, CARD_TREE, &mut clock);
    storage
}

fn plant(storage: &mut Storage, folder: EntryId, items: &[Item], clock: &mut Date) {
    for item in items {
        tick(clock);
        let (name, kind, inside) = match item {
            Dir(name, inside) => (name, Kind::Folder, *inside),
            Text(name, text) => (name, Kind::Text((*text).to_owned()), &[][..]),
            Image(name, seed, bytes) => (name, Kind::Image(*seed, *bytes), &[][..]),
            Audio(name, seconds, bytes) => (name, Kind::Audio(*seconds, *bytes), &[][..]),
            Other(name, bytes) => (name, Kind::Other(*bytes), &[][..]),
        };
        let id = storage.insert(Some(folder), name, kind, *clock);
        plant(storage, id, inside, clock);
    }
}

/// Advances the clock by more than a day, so that sorting by date has a visible effect.
fn tick(clock: &mut Date) {
    clock.day += 1;
    clock.minute = (clock.minute + 17) % 60;
    if clock.day > 28 {
        clock.day = 1;
        clock.month += 1;
    }
    if clock.month > 12 {
        clock.month = 1;
        clock.year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_hidden_at_first_and_all_names_are_allowed() {
        let storage = storage();
        for (id, entry) in storage.all() {
            assert!(!entry.hidden);
            if let Some(parent) = entry.parent {
                assert_eq!(storage.check_name(parent, &entry.name, Some(id)), Ok(()));
            }
            assert!(entry.modified < Date { year: 2026, month: 1, day: 5, ..entry.modified });
        }
        assert!(storage.all().count() > 40);
    }
}
