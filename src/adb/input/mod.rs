//! What is done to a device: gestures and keys (`gestures`), texts (`text_input`, by the methods of `typing`, compared by
//! `arrivals`), starting apps (`launching`), turning the screen (`turning`) and switching it on (`waking`), and disturbing an
//! app's surroundings (`system_events`, with the `switches` that are changed and changed back), as far as it has an effect
//! (`effects`).

pub(crate) mod arrivals;
pub(crate) mod effects;
pub(crate) mod gestures;
pub(crate) mod launching;
pub(crate) mod switches;
pub(crate) mod system_events;
pub(crate) mod text_input;
pub(crate) mod turning;
pub(crate) mod typing;
pub(crate) mod waking;
