//! `app_process`: runs our agent and the uiautomator2 server. Other programs are not supported.

use std::time::Duration;

use super::{Call, Done};
use crate::latency::pause;
use crate::{Cost, Served, agent, uiautomator2};

const GLANCE: Duration = Duration::from_millis(50);

pub fn app_process(call: &mut Call<'_, '_>) -> Done {
    if call.state().faults.forbids.programs {
        return call.fail("app_process: Permission denied", 126);
    }
    let words: Vec<&String> = call.args.iter().filter(|arg| !arg.starts_with('-')).collect();
    // The first word is a folder, which is ignored.
    let Some(class) = words.get(1) else {
        return call.fail("Usage: app_process [java-options] cmd-dir start-class-name [options]", 10);
    };
    let jars = call.shell.variable("CLASSPATH").unwrap_or_default();
    let jar = jars.split(':').map(|jar| call.path(jar)).find(|jar| call.state().read_file(jar).is_ok());
    if jar.is_some() && !can_compile(call) {
        return call.fail("Aborted", 134);
    }
    match (class.as_str(), jar) {
        (uiautomator2::CLASS, Some(_)) => run_server(call),
        (agent::CLASS, Some(_)) => run_agent(call),
        (class, jar) => {
            call.complain(&format!("Error: Could not find class '{class}'"))?;
            let why = match jar {
                None => "push the server's jar first",
                Some(_) => "this device does not run it",
            };
            call.fail(&format!("java.lang.ClassNotFoundException: {class}: {why}\nAborted"), 134)
        }
    }
}

/// Whether the virtual machine can store the compiled program. Before Android 5 that is below `ANDROID_DATA`, whose
/// default adb's user may not write to.
fn can_compile(call: &Call<'_, '_>) -> bool {
    let data = call.shell.variable("ANDROID_DATA").unwrap_or_default();
    let folder = call.path(&format!("{data}/dalvik-cache"));
    let there = call.state().stat_file(&folder).is_ok_and(|stat| stat.is_folder());
    !call.old() || (data != "/data" && there)
}

/// Runs the uiautomator2 server.
fn run_server(call: &mut Call<'_, '_>) -> Done {
    let options: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let started = uiautomator2::port_of(&options)
        .and_then(|port| uiautomator2::start(call.shell.served, port).map(|said| (port, said)));
    let (port, said) = match started {
        Ok(started) => started,
        Err(error) => return call.fail(&error.to_string(), 1),
    };
    call.say(&said)?;
    run_while(call, &|served| uiautomator2::accepts(served, port), &uiautomator2::stop)
}

/// Runs the agent on the socket that the word behind the class names.
fn run_agent(call: &mut Call<'_, '_>) -> Done {
    let Some(socket) = call.args.iter().skip_while(|word| *word != agent::CLASS).nth(1) else {
        return call.fail("Usage: org.taproof.agent.Main SOCKET", 2);
    };
    call.take_time(Cost::Start)?;
    call.await_services()?;
    let screenless = call.args.iter().any(|word| word == agent::SCREENLESS);
    let started = match screenless {
        true => Ok(agent::start_screenless(call.shell.served, socket)),
        false => agent::start(call.shell.served, socket),
    };
    match started {
        Ok(said) => call.print(&said)?,
        Err(said) => return call.fail(&said, 4),
    }
    let socket = socket.clone();
    run_while(call, &|served| agent::runs(served, &socket), &|served| agent::stop_at(served, &socket))
}

/// Runs a server until its client leaves or somebody stops it.
fn run_while(call: &Call<'_, '_>, runs: &dyn Fn(&Served) -> bool, stop: &dyn Fn(&Served)) -> Done {
    while call.io.out.flush().is_ok() {
        if !runs(call.shell.served) {
            return Ok(143);
        }
        if call.shell.background {
            return Ok(0);
        }
        pause(GLANCE);
    }
    stop(call.shell.served);
    Ok(143)
}
