//! Windows of others than the app.

use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{Event, PxRect};

use crate::perturbation::{Happened, Perturbation, Seen, is_on};
use crate::window::Form::{Dialog, Page, Sheet};
use crate::window::{Front, Sort, fill};

/// A window comes after one of so many events.
const ONE_IN: usize = 60;
/// One of so many windows is a message at the upper edge, which is shown for so long, here.
const MESSAGE_ONE_IN: usize = 4;
const MESSAGE_TIME: DeviceDuration = DeviceDuration(5_000);
const MESSAGE: PxRect = PxRect::new(24, 72, 1056, 300);

const WINDOWS: [Sort; 9] = [
    Sort(
        "com.google.android.permissioncontroller/.GrantPermissions",
        Dialog,
        "Notify you?",
        ["Allow", "Deny"],
    ),
    Sort("com.android.vending/.InAppUpdateActivity", Page, "Update available", ["Update", "No thanks"]),
    Sort("com.google.android.gms/.SystemUpdateActivity", Dialog, "A system update", ["Later", "Restart"]),
    Sort("com.android.systemui", Dialog, "Battery low: 14% left", ["Dismiss", "Turn on Battery Saver"]),
    Sort("com.miui.securitycenter", Sheet, "Apps in the background use power", ["Ignore", "Clean now"]),
    Sort("com.samsung.android.lool/.DeepSleepActivity", Dialog, "Apps were put to sleep", ["OK", "Details"]),
    Sort("android", Dialog, "Photos keeps stopping", ["App info", "Close app"]),
    Sort("android", Sheet, "Save to the password manager?", ["No thanks", "Save"]),
    Sort("com.android.stk/.StkDialogActivity", Dialog, "Your operator: 5 GB more", ["Cancel", "OK"]),
];
/// The app of messages, after a touch on one.
const MESSAGES: Sort =
    Sort("com.google.android.apps.messaging/.ConversationListActivity", Page, "Messages", ["Back", "Reply"]);

/// Windows of the system, the store, the vendor and other apps come in front, and messages at the upper edge.
#[derive(Clone, Default)]
pub(crate) struct ForeignWindows {
    front: Front,
    /// Until when a message is shown.
    message: Option<DeviceInstant>,
    in_app: bool,
}

impl Perturbation for ForeignWindows {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        let is_free = self.in_app && self.front.is_free() && self.message.is_none();
        if happened.event.is_none() {
            self.front.app_started();
        } else if is_free && happened.chance.chance(1, ONE_IN) {
            if happened.chance.chance(1, MESSAGE_ONE_IN) {
                self.message = Some(happened.phone.now() + MESSAGE_TIME);
            } else if let Some(sort) = happened.chance.pick(&WINDOWS.each_ref()) {
                self.front.open(sort);
            }
        }
        Ok(())
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        self.in_app = seen.page != 0;
        self.message.take_if(|until| seen.at >= *until);
        self.front.show(seen);
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        if self.message.take_if(|_| is_on(&event, &MESSAGE)).is_some() {
            self.front.open(&MESSAGES);
            return None;
        }
        self.front.meet(event)
    }

    fn draw(&self, picture: &mut Screenshot) {
        self.front.draw(picture);
        if self.message.is_some() {
            fill(picture, &MESSAGE, [255, 255, 255, 255]);
        }
    }
}
