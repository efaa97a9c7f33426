//! What the fingers on one touch screen do, event by event.
//!
//! There are three kinds of kernel drivers. Type B keeps each finger in a slot and reports only changes; type A reports
//! all fingers in each packet, with or without ids; the oldest support a single finger. The kind is detected from the
//! events.

use std::collections::BTreeMap;

use super::event_line::{Code, PALM};

/// Limit on the number of tracked fingers.
const MOST_FINGERS: i32 = 64;

/// A change of a finger. Each finger has a unique number from down to up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FingerChange {
    Down {
        finger: u64,
        x: i32,
        y: i32,
    },
    Move {
        finger: u64,
        x: i32,
        y: i32,
    },
    Up {
        finger: u64,
    },
    /// The finger is no longer tracked: events were lost, or it was a palm.
    Lost {
        finger: u64,
    },
}

/// The fingers on one touch screen, in the panel's coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fingers {
    next: u64,
    /// Whether events were lost: everything until the end of the packet is ignored.
    dropping: bool,
    multi_touch: bool,
    type_a: bool,
    slots: BTreeMap<i32, Slot>,
    slot: i32,
    contact: Contact,
    contacts: Vec<Contact>,
    reports: usize,
    open_a: Vec<OpenContact>,
    single: Slot,
    released: bool,
}

/// One finger of type B, or the only one of an old screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Slot {
    /// The last coordinates. They are not repeated for a new finger at the same place.
    x: Option<i32>,
    y: Option<i32>,
    touching: bool,
    /// Whether another finger replaces this one in the same packet.
    replaced: bool,
    palm: bool,
    moved: bool,
    finger: Option<u64>,
}

/// One finger in a packet of type A.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Contact {
    id: Option<i32>,
    x: Option<i32>,
    y: Option<i32>,
    lifted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenContact {
    finger: u64,
    id: Option<i32>,
    x: i32,
    y: i32,
}

impl Fingers {
    /// Takes the next event. At the end of a packet returns the changes.
    pub fn push(&mut self, code: &Code, value: i32) -> Vec<FingerChange> {
        match code {
            Code::Dropped => self.dropping = true,
            Code::Report => return self.end_packet(),
            _ if self.dropping => {}
            Code::Slot => {
                self.multi_touch = true;
                self.slot = value;
            }
            Code::TrackingId => self.tracking_id(value),
            Code::MtX => {
                self.contact.x = Some(value);
                self.on_slot(|slot| slot.move_to(Some(value), None));
            }
            Code::MtY => {
                self.contact.y = Some(value);
                self.on_slot(|slot| slot.move_to(None, Some(value)));
            }
            Code::ToolType => self.on_slot(|slot| slot.palm = value == PALM),
            Code::TouchMajor => self.contact.lifted = value == 0,
            Code::MtReport => self.end_contact(),
            Code::X => self.single.move_to(Some(value), None),
            Code::Y => self.single.move_to(None, Some(value)),
            Code::Touch => {
                self.single.touching = value != 0;
                self.released |= value == 0;
            }
            Code::Key(_) => {}
        }
        Vec::new()
    }

    fn on_slot(&mut self, change: impl FnOnce(&mut Slot)) {
        self.multi_touch = true;
        if (0..MOST_FINGERS).contains(&self.slot) {
            change(self.slots.entry(self.slot).or_default());
        }
    }

    fn tracking_id(&mut self, value: i32) {
        self.contact.id = Some(value);
        self.on_slot(|slot| {
            slot.replaced |= slot.touching && value >= 0 && slot.finger.is_some();
            slot.touching = value >= 0;
            slot.palm = false;
        });
    }

    fn end_contact(&mut self) {
        self.type_a = true;
        self.reports += 1;
        let contact = std::mem::take(&mut self.contact);
        let lifted = contact.lifted || contact.id.is_some_and(|id| id < 0);
        if !lifted
            && contact.x.is_some()
            && contact.y.is_some()
            && self.contacts.len() < MOST_FINGERS as usize
        {
            self.contacts.push(contact);
        }
    }

    fn end_packet(&mut self) -> Vec<FingerChange> {
        self.contact = Contact::default();
        let contacts = std::mem::take(&mut self.contacts);
        let reports = std::mem::take(&mut self.reports);
        let released = std::mem::take(&mut self.released);
        if std::mem::take(&mut self.dropping) {
            return self.lose_all();
        }
        let mut changes = Vec::new();
        let next = &mut self.next;
        if self.type_a {
            if reports > 0 || released {
                self.end_packet_a(contacts, &mut changes);
            }
        } else if self.multi_touch {
            self.slots.values_mut().for_each(|slot| slot.end_packet(next, &mut changes));
        } else {
            self.single.end_packet(next, &mut changes);
        }
        changes
    }

    /// Matches the fingers of a packet with the previous ones: by id, and among equal ids the nearest.
    fn end_packet_a(&mut self, contacts: Vec<Contact>, changes: &mut Vec<FingerChange>) {
        let mut before = std::mem::take(&mut self.open_a);
        for contact in contacts {
            let (Some(x), Some(y)) = (contact.x, contact.y) else { continue };
            let distance = |open: &OpenContact| {
                let along = |a: i32, b: i32| i64::from(a).abs_diff(i64::from(b));
                along(open.x, x).saturating_add(along(open.y, y))
            };
            let same = before
                .iter()
                .enumerate()
                .filter(|(_, open)| open.id == contact.id)
                .min_by_key(|(_, open)| distance(open))
                .map(|(at, _)| at);
            let finger = match same {
                Some(at) => {
                    let open = before.remove(at);
                    if (open.x, open.y) != (x, y) {
                        changes.push(FingerChange::Move { finger: open.finger, x, y });
                    }
                    open.finger
                }
                None => {
                    let finger = new_finger(&mut self.next);
                    changes.push(FingerChange::Down { finger, x, y });
                    finger
                }
            };
            self.open_a.push(OpenContact { finger, id: contact.id, x, y });
        }
        changes.extend(before.iter().map(|open| FingerChange::Up { finger: open.finger }));
    }

    fn lose_all(&mut self) -> Vec<FingerChange> {
        let slots = std::mem::take(&mut self.slots);
        let single = std::mem::take(&mut self.single);
        let in_slots = slots.values().chain([&single]).filter_map(|slot| slot.finger);
        let in_packets = std::mem::take(&mut self.open_a);
        in_slots
            .chain(in_packets.iter().map(|open| open.finger))
            .map(|finger| FingerChange::Lost { finger })
            .collect()
    }
}

impl Slot {
    fn move_to(&mut self, x: Option<i32>, y: Option<i32>) {
        let (new_x, new_y) = (x.or(self.x), y.or(self.y));
        self.moved |= (new_x, new_y) != (self.x, self.y);
        (self.x, self.y) = (new_x, new_y);
    }

    fn end_packet(&mut self, next: &mut u64, changes: &mut Vec<FingerChange>) {
        let moved = std::mem::take(&mut self.moved);
        let replaced = std::mem::take(&mut self.replaced);
        if !self.touching || replaced {
            changes.extend(self.finger.take().map(|finger| FingerChange::Up { finger }));
        } else if self.palm {
            changes.extend(self.finger.take().map(|finger| FingerChange::Lost { finger }));
        }
        let (Some(x), Some(y)) = (self.x, self.y) else { return };
        match self.finger {
            Some(finger) if moved => changes.push(FingerChange::Move { finger, x, y }),
            None if self.touching && !self.palm => {
                let finger = new_finger(next);
                self.finger = Some(finger);
                changes.push(FingerChange::Down { finger, x, y });
            }
            Some(_) | None => {}
        }
    }
}

fn new_finger(next: &mut u64) -> u64 {
    *next += 1;
    *next
}

#[cfg(test)]
mod tests {
    use super::*;

    use FingerChange::{Down, Lost, Move, Up};

    /// Packets written as words: `id=5 x=1 y=2`, ended by `.`; `/` ends a finger of type A.
    fn run(script: &str) -> Vec<FingerChange> {
        let mut fingers = Fingers::default();
        let mut changes = Vec::new();
        for word in script.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, "0"));
            let code = match name {
                "." => Code::Report,
                "/" => Code::MtReport,
                "dropped" => Code::Dropped,
                "slot" => Code::Slot,
                "id" => Code::TrackingId,
                "x" => Code::MtX,
                "y" => Code::MtY,
                "major" => Code::TouchMajor,
                "tool" => Code::ToolType,
                "X" => Code::X,
                "Y" => Code::Y,
                "touch" => Code::Touch,
                other => panic!("{other}"),
            };
            changes.extend(fingers.push(&code, value.parse().unwrap()));
        }
        changes
    }

    #[test]
    fn slots_keep_what_is_not_told_again() {
        let changes = run("id=7 x=10 y=20 touch=1 X=10 Y=20 . y=30 . id=-1 touch=0 . id=8 . id=-1 .");
        let expected = [
            Down { finger: 1, x: 10, y: 20 },
            Move { finger: 1, x: 10, y: 30 },
            Up { finger: 1 },
            Down { finger: 2, x: 10, y: 30 },
            Up { finger: 2 },
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn two_slots_are_two_fingers() {
        let changes =
            run("slot=0 id=1 x=1 y=1 slot=1 id=2 x=9 y=9 . slot=0 x=2 . slot=1 id=-1 . slot=0 id=-1 .");
        let expected = [
            Down { finger: 1, x: 1, y: 1 },
            Down { finger: 2, x: 9, y: 9 },
            Move { finger: 1, x: 2, y: 1 },
            Up { finger: 2 },
            Up { finger: 1 },
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn a_finger_may_follow_another_in_one_packet() {
        let changes = run("id=1 x=1 y=1 . id=2 x=5 .");
        assert_eq!(
            changes,
            [Down { finger: 1, x: 1, y: 1 }, Up { finger: 1 }, Down { finger: 2, x: 5, y: 1 }]
        );
        assert_eq!(run("id=1 x=1 y=1 . id=-1 id=2 ."), [Down { finger: 1, x: 1, y: 1 }]);
    }

    #[test]
    fn packets_of_type_a_tell_all_fingers() {
        let changes = run("x=1 y=1 / x=100 y=100 / . x=101 y=100 / x=2 y=1 / . x=102 y=100 / . / .");
        let expected = [
            Down { finger: 1, x: 1, y: 1 },
            Down { finger: 2, x: 100, y: 100 },
            Move { finger: 2, x: 101, y: 100 },
            Move { finger: 1, x: 2, y: 1 },
            Move { finger: 2, x: 102, y: 100 },
            Up { finger: 1 },
            Up { finger: 2 },
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn type_a_may_number_fingers_and_lift_them_in_other_ways() {
        let numbered = run("id=0 x=1 y=1 / id=1 x=2 y=1 / . id=1 x=1 y=1 / . touch=0 .");
        assert_eq!(
            numbered,
            [
                Down { finger: 1, x: 1, y: 1 },
                Down { finger: 2, x: 2, y: 1 },
                Move { finger: 2, x: 1, y: 1 },
                Up { finger: 1 },
                Up { finger: 2 },
            ]
        );
        let by_size = run("major=5 x=1 y=1 / . major=0 x=1 y=1 / .");
        assert_eq!(by_size, [Down { finger: 1, x: 1, y: 1 }, Up { finger: 1 }]);
    }

    #[test]
    fn old_screens_know_one_finger() {
        let changes = run("X=5 Y=6 touch=1 . X=7 . . touch=0 .");
        assert_eq!(
            changes,
            [Down { finger: 1, x: 5, y: 6 }, Move { finger: 1, x: 7, y: 6 }, Up { finger: 1 }]
        );
    }

    #[test]
    fn lost_events_and_palms_lose_fingers() {
        let changes = run("id=1 x=1 y=1 . x=2 dropped x=3 . id=-1 . id=2 x=4 y=4 .");
        assert_eq!(
            changes,
            [Down { finger: 1, x: 1, y: 1 }, Lost { finger: 1 }, Down { finger: 2, x: 4, y: 4 }]
        );
        assert_eq!(
            run("id=1 x=1 y=1 . tool=2 . id=-1 ."),
            [Down { finger: 1, x: 1, y: 1 }, Lost { finger: 1 }]
        );
        // A finger whose position was never reported is ignored.
        assert_eq!(run("id=1 x=1 . id=-1 ."), []);
        assert_eq!(run("slot=99999 id=1 x=1 y=1 ."), []);
    }
}
