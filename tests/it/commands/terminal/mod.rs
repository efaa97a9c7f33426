//! What the program writes to a terminal: that people hear nothing stops no campaign, a result that cannot be written is
//! a failure, and nothing that was supplied from outside reaches the terminal as a control character.
#![cfg(unix)]

mod adb_server;
mod controls;
mod streams;
