//! The commands of the shell, one line each.

use super::call::{Entry, Run};
use super::commands::screen::{getevent, input, keyboards, monkey, screencap, uiautomator, window};
use super::commands::tools::{builtins, condition, file_list, files, print, text, time};
use super::commands::{
    activity, app_process, dumpsys, logcat, package, processes, services, settings, system,
};
use crate::{Cost, Like};

const fn entry(name: &'static str, cost: Cost, run: Run) -> Entry {
    Entry { name, cost, machine: false, run, only: None, toybox: false }
}

/// A Java program.
const fn java(name: &'static str, cost: Cost, run: Run) -> Entry {
    Entry { machine: true, ..entry(name, cost, run) }
}

/// A builtin of the shell.
const fn inner(name: &'static str, run: Run) -> Entry {
    entry(name, Cost::Shell, run)
}

/// One of toybox's commands.
const fn toy(name: &'static str, run: Run) -> Entry {
    Entry { toybox: true, ..entry(name, Cost::Native, run) }
}

const fn new(entry: Entry) -> Entry {
    Entry { only: Some(Like::Android14), ..entry }
}

const fn old(entry: Entry) -> Entry {
    Entry { only: Some(Like::Android44), ..entry }
}

/// The command with that name on a device that imitates this version.
pub(super) fn find(name: &str, like: Like) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name && entry.only.is_none_or(|only| only == like))
}

/// The commands of all versions of Android.
pub(super) static COMMANDS: &[Entry] = &[
    inner(":", builtins::nothing),
    inner("[", condition::test),
    inner("break", builtins::leave_loop),
    inner("echo", print::echo),
    inner("exec", builtins::exec),
    inner("exit", builtins::exit),
    inner("export", builtins::export),
    inner("false", builtins::fails),
    inner("kill", processes::kill),
    inner("print", print::print),
    inner("pwd", builtins::pwd),
    inner("read", builtins::read),
    inner("test", condition::test),
    inner("true", builtins::nothing),
    java("am", Cost::Service, activity::am),
    entry("app_process", Cost::Native, app_process::app_process),
    new(entry("cmd", Cost::Service, services::cmd)),
    java("content", Cost::Service, settings::content),
    entry("dumpsys", Cost::Query, dumpsys::dumpsys),
    entry("getevent", Cost::Native, getevent::getevent),
    entry("getprop", Cost::Native, system::getprop),
    java("ime", Cost::Service, keyboards::ime),
    java("input", Cost::Input, input::input),
    entry("log", Cost::Native, logcat::log),
    entry("logcat", Cost::Native, logcat::logcat),
    java("monkey", Cost::Service, monkey::monkey),
    java("pm", Cost::Service, package::pm),
    entry("reboot", Cost::Native, system::reboot),
    entry("screencap", Cost::Native, screencap::screencap),
    entry("sendevent", Cost::Native, getevent::sendevent),
    java("settings", Cost::Service, settings::settings),
    entry("sh", Cost::Native, builtins::sh),
    java("svc", Cost::Service, services::svc),
    new(entry("toybox", Cost::Native, system::toybox)),
    java("uiautomator", Cost::Native, uiautomator::uiautomator),
    java("wm", Cost::Service, window::wm),
    toy("cat", text::cat),
    toy("date", time::date),
    toy("df", system::df),
    toy("grep", text::grep),
    toy("ifconfig", system::ifconfig),
    toy("ls", file_list::ls),
    old(toy("md5", text::md5)),
    new(toy("md5sum", text::md5sum)),
    toy("mkdir", files::mkdir),
    toy("mv", files::mv),
    new(toy("pidof", processes::pidof)),
    toy("ps", processes::ps),
    toy("rm", files::rm),
    toy("sleep", time::sleep),
    toy("touch", files::touch),
    new(toy("which", builtins::which)),
];
