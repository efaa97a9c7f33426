//! Puts back what the journal of a device says was changed.

use std::sync::PoisonError;
use std::time::Duration;

use super::change::{Change, ROTATION, Thing};
use super::journal::Entries;
use super::owners::Role;
use super::{FILE, change_by_agent, shortened, turn_of};
use crate::agent_client::{AgentClient, remove_line};
use crate::connection::pace::Pace;
use crate::connection::sections::{answers, complaining, script};
use crate::host::{AdbLink, Patience};
use taproof_engine::device::{DeviceError, LinkFault};

/// Limit for leaving a device as it was: nobody waits for minutes at the end for one whose services are dead.
pub(crate) const RESTORING: Duration = Duration::from_secs(90);

/// Puts back what was changed on a device unless another user of it remains. Returns whether it did. `leaving` is the part
/// of this program that no longer uses the device. Processes that are not `alive` do not count as users.
///
/// # Errors
///
/// If the device cannot be reached or rejects a value; the journal then remains for another attempt.
pub fn put_settings_back(
    link: &AdbLink,
    leaving: Option<Role>,
    alive: &dyn Fn(u32) -> bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<bool, DeviceError> {
    put_back_by(link, None, leaving, alive, &Patience::new(RESTORING, unwanted))
}

/// As [`put_settings_back`], by the agent as far as it can, which then ends.
pub(crate) fn put_back_by(
    link: &AdbLink,
    agent: Option<&AgentClient>,
    leaving: Option<Role>,
    alive: &dyn Fn(u32) -> bool,
    limit: &Patience<'_>,
) -> Result<bool, DeviceError> {
    let turn = turn_of(&link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    // Made anew for each question: putting back takes as long as the device is slow.
    let patience = || limit.within(Pace::default().limit_of(0));
    let said = link.shell(&script(&Entries::QUESTIONS), &patience())?.text();
    let (Entries { users, mut changes }, now) = Entries::read(&mut answers(&said));
    if users.is_empty() && changes.is_empty() {
        return Ok(false);
    }
    let leaving = leaving.map(Role::owner);
    let leaves = |user| leaving.as_ref().is_some_and(|leaving| leaving.is(user));
    if users.iter().any(|user| !leaves(user) && user.lives(now, alive)) {
        if let Some(leaving) = leaving {
            link.shell(&format!("[ -f {FILE} ] && echo {} >>{FILE}", leaving.leaving_line()), &patience())?;
        }
        return Ok(false);
    }
    let changed = !changes.is_empty();
    let by_agent = match agent {
        Some(agent) => {
            let done = restore_by(agent, link, &mut changes, &|| limit.is_over());
            // Android changes the rotation once more when the agent ends.
            agent.end();
            done
        }
        None => Ok(()),
    };
    by_agent
        .and_then(|()| restore(link, &changes, limit))
        .map_err(|error| not_put_back(link, &changes, &error))?;
    // The journal is deleted only on success: a device that is just starting, or that forbids changes, is tried again
    // later.
    link.shell(&format!("rm -f {FILE}\n{}", remove_line()), &patience())?;
    Ok(changed)
}

/// The error for changes that stay until the next time.
fn not_put_back(link: &AdbLink, changes: &[Change], error: &DeviceError) -> DeviceError {
    DeviceError::NotPutBack {
        serial: link.serial.clone(),
        left: changes.iter().map(|change| change.thing.name()).collect::<Vec<_>>().join(", "),
        kept: FILE.to_owned(),
        problem: error.to_string(),
    }
}

/// Puts the settings back by the agent, except for the rotation. What it cannot write is left in the list.
///
/// # Errors
///
/// If the device does not answer in time: the shell would wait for the same services.
fn restore_by(
    agent: &AgentClient,
    link: &AdbLink,
    changes: &mut Vec<Change>,
    unwanted: &dyn Fn() -> bool,
) -> Result<(), DeviceError> {
    let by_agent = |change: &Change| match change.thing {
        Thing::Setting(setting) if !ROTATION.contains(&setting) => {
            Some((setting, setting.change_to(change.before(), agent.sdk())?))
        }
        _ => None,
    };
    match change_by_agent(agent, link, changes.iter().filter_map(by_agent), unwanted) {
        Ok(_) => changes.retain(|change| by_agent(change).is_none()),
        Err(error) if error.link_fault() == Some(LinkFault::TimedOut) => return Err(error),
        Err(error) => tracing::debug!(serial = link.serial, %error, "the shell restores the settings"),
    }
    Ok(())
}

/// Puts the changes back by the shell. Only a complaint about a setting is an error: an app may have gone with its
/// permissions, and services say what they do.
fn restore(link: &AdbLink, changes: &[Change], limit: &Patience<'_>) -> Result<(), DeviceError> {
    let lines = |of_settings: bool| {
        let chosen = changes.iter().filter(|change| matches!(change.thing, Thing::Setting(_)) == of_settings);
        chosen.map(Change::undo).collect::<Vec<_>>().join("\n")
    };
    let patience = limit.within(Pace::default().limit_of(changes.len()));
    let said = link.shell(&script(&[&complaining(&lines(true)), &lines(false)]), &patience)?.text();
    match answers(&said).next().map(str::trim) {
        Some("") => Ok(()),
        said => {
            let (serial, problem) = (link.serial.clone(), shortened(said.unwrap_or_default()));
            Err(DeviceError::NoAnswer { serial, what: "restoring its settings".to_owned(), problem })
        }
    }
}
