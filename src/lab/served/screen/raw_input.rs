//! Kernel events written by `sendevent`, which move a finger on the touch screen and press keys.

use super::touch_screen::{
    ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID, EV_ABS, EV_KEY, EV_SYN, Finger, InputEvent,
    KEY_BACK, KEY_HOME,
};
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_screen::{Event, Key, PxPoint, PxSize, Rotation};

impl State {
    /// Handles one raw event of the touch screen or of a key, as a hand on the phone would cause it.
    pub(crate) fn by_hand(&mut self, kind: u16, code: u16, value: i32) -> Result<(), DeviceError> {
        let now = self.device.now();
        self.touch_screen.push(InputEvent { micros: now.0 * 1000, kind, code, value });
        let screen = &mut self.touch_screen;
        match (kind, code) {
            (EV_ABS, ABS_MT_POSITION_X) => screen.x = value,
            (EV_ABS, ABS_MT_POSITION_Y) => screen.y = value,
            (EV_ABS, ABS_MT_TRACKING_ID) => screen.tracked = Some(value).filter(|id| *id >= 0),
            (EV_KEY, KEY_BACK) if value == 0 => return self.input(&Event::Key(Key::Back)),
            (EV_KEY, KEY_HOME) if value == 0 => return self.input(&Event::Key(Key::Home)),
            (EV_SYN, _) => {
                let panel = PxPoint { x: screen.x, y: screen.y };
                let down = screen.tracked.is_some();
                let at = self.on_screen(panel)?;
                match (down, &mut self.touch_screen.finger) {
                    (true, None) => self.touch_screen.finger = Some(Finger::down(at, now)),
                    (true, Some(finger)) => finger.moved(at),
                    (false, lifted) => {
                        let Some(finger) = lifted.take() else { return Ok(()) };
                        let held = now.since(finger.at).millis();
                        self.gesture(finger.start, finger.lifted(at, held))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Converts a point of the upright panel to a point of the screen in its current rotation.
    fn on_screen(&mut self, panel: PxPoint) -> Result<PxPoint, DeviceError> {
        let PxSize { width, height } = self.device.info().screen;
        Ok(match self.layout()?.rotation() {
            Rotation(1) => PxPoint { x: panel.y, y: width - 1 - panel.x },
            Rotation(2) => PxPoint { x: width - 1 - panel.x, y: height - 1 - panel.y },
            Rotation(3) => PxPoint { x: height - 1 - panel.y, y: panel.x },
            Rotation(_) => panel,
        })
    }
}
