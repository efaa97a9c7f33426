//! Commands about the screen and what is done to it.

pub(crate) mod getevent;
pub(crate) mod input;
pub(crate) mod keyboards;
pub(crate) mod monkey;
pub(crate) mod screencap;
pub(crate) mod uiautomator;
pub(crate) mod window;
