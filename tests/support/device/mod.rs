//! Devices over adb, for tests: servers, emulators, and the contract that every device keeps.

pub mod adb;
pub mod adb_message;
pub mod device_contract;
pub mod emulator;
pub mod proxy;
pub mod small_server;
