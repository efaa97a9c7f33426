//! `app_process`: starts the uiautomator2 server, the only program for it that this device knows.

use std::time::Duration;

use super::{Call, Done};
use crate::device::adbd::latency::pause;
use crate::device::adbd::served::Automation;
use crate::device::adbd::uiautomator2;

const SERVER: &str = "com.wetest.uia2.Main";
const GLANCE: Duration = Duration::from_millis(50);

pub fn app_process(call: &mut Call<'_, '_>) -> Done {
    let words: Vec<&String> = call.args.iter().filter(|arg| !arg.starts_with('-')).collect();
    // The first word is a folder that nobody looks at.
    let Some(class) = words.get(1) else {
        return call.fail("Usage: app_process [java-options] cmd-dir start-class-name [options]", 10);
    };
    let jars = call.shell.variables.get("CLASSPATH").cloned().unwrap_or_default();
    let there = jars.split(':').any(|jar| call.state().read_file(&call.path(jar)).is_ok());
    if class.as_str() != SERVER || !there {
        let known = class.as_str() == SERVER;
        call.complain(&format!("Error: Could not find class '{class}'"))?;
        let why = if known {
            "push the server's jar first"
        } else {
            "this device runs the uiautomator2 server only"
        };
        return call.fail(&format!("java.lang.ClassNotFoundException: {class}: {why}\nAborted"), 134);
    }
    let options: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let started =
        uiautomator2::port_of(&options).and_then(|port| uiautomator2::start(call.shell.served, port));
    match started {
        Ok(said) => call.say(&said)?,
        Err(error) => return call.fail(&error.to_string(), 1),
    }
    // It runs until the one that started it leaves, or somebody ends it.
    while call.io.out.flush().is_ok() {
        if call.state().automation != Automation::Uiautomator2 {
            return Ok(143);
        }
        if call.shell.background {
            return Ok(0);
        }
        pause(GLANCE);
    }
    uiautomator2::stop(call.shell.served);
    Ok(143)
}
