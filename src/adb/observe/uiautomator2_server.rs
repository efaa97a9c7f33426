//! The uiautomator2 server as a source of layouts. It answers within tens of milliseconds, but does not wait until the
//! screen is still.

use std::time::Duration;

use super::source::{LayoutServer, Query, Reading, parsed};
use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::input::typing::TypingMethod;
use crate::observe::pictures::PictureSource;
use crate::observe::uiautomator2::{layout_of_server, server_answers, server_ended};
use crate::open::control::ControlMethod;
use taproof_engine::device::DeviceError;

/// How many times a server without a layout is asked, and the pause in between.
const TRIES: u32 = 4;
const PAUSE_MILLIS: u64 = 300;

/// The source. It retries while the server has no layout, and reads until two layouts in a row are equal.
pub(super) struct Uiautomator2Server;

impl LayoutServer for Uiautomator2Server {
    fn answers(&self, connection: &Connection) -> bool {
        server_answers(&connection.link, &*connection.unwanted)
    }

    fn has_ended(&self, error: &DeviceError) -> bool {
        server_ended(error)
    }

    fn read(&mut self, query: &mut Query<'_>, input: &Input) -> Result<Reading, DeviceError> {
        let connection = query.connection;
        if *input != Input::Nothing {
            connection.ask_after(&query.lines(input), &[], input.takes() + connection.pace.limit())?;
        }
        let patience = connection.patience(Duration::from_millis(connection.pace.settling().millis()));
        let mut xml = layout(connection)?;
        loop {
            let again = layout(connection)?;
            let still = again == xml;
            xml = again;
            if still || patience.left().is_zero() {
                break;
            }
        }
        let (_, signals) = query.ask(&Input::Nothing, "")?;
        Ok(Reading { layout: Ok(parsed(connection, &xml)?), signals, problem: None })
    }

    fn typing(&self) -> Option<TypingMethod> {
        Some(TypingMethod::Uiautomator2)
    }

    fn pictures(&self) -> PictureSource {
        PictureSource::Uiautomator2
    }

    fn method(&self) -> ControlMethod {
        ControlMethod::Uiautomator2
    }
}

/// Reads a layout. The server has none while the focus moves between two windows.
fn layout(connection: &Connection) -> Result<String, DeviceError> {
    for _ in 0..TRIES {
        match layout_of_server(connection)? {
            Some(xml) => return Ok(xml),
            None => drop(connection.shell(&connection.wait(PAUSE_MILLIS))?),
        }
    }
    Err(connection.no_layout("the uiautomator2 server has none for this screen"))
}
