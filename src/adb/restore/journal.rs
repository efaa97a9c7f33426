//! The journal of a device: a file there, to which is added before anything is changed, and what an open device knows of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::change::{Change, GUARDED, ROTATION, Setting, Thing, UNSET, add_first};
use super::owners::{Owner, Role, process_lives};
use super::{FILE, change_by_agent, shortened, turn_of};
use crate::agent_client::AgentClient;
use crate::connection::pace::Pace;
use crate::connection::sections::{answers, script};
use crate::host::{AdbLink, Patience};
use crate::output::{OutputError, forbidden, setting_list, uptime};
use taproof_engine::agent::SettingChange;
use taproof_engine::device::DeviceError;
use taproof_screen::{Rotation, counted};

const TRIES: u32 = 3;
/// What the script prints once all is done.
const DONE: &str = "taproof-noted";

/// What the journal says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Entries {
    pub users: Vec<Owner>,
    /// The first change of each thing, in their order.
    pub changes: Vec<Change>,
}

impl Entries {
    /// The shell lines that print the journal and the device's uptime.
    pub const QUESTIONS: [&str; 2] = ["cat /data/local/tmp/taproof-journal 2>/dev/null", "cat /proc/uptime"];

    /// Parses the answers to the questions: the journal and the uptime in seconds.
    pub fn read<'a>(answers: &mut impl Iterator<Item = &'a str>) -> (Entries, u64) {
        let text = answers.next().unwrap_or_default();
        let now = answers.next().and_then(uptime).map_or(0, |now| now.millis() / 1000);
        (Entries::parse(text), now)
    }

    /// Parses the journal. Unknown lines are skipped.
    fn parse(text: &str) -> Entries {
        let mut entries = Entries::default();
        for line in text.lines() {
            if let Some((user, stays)) = Owner::parse(line) {
                entries.users.retain(|known| !known.is(&user));
                entries.users.extend(stays.then_some(user));
            } else if let Some(change) = Change::parse(line) {
                add_first(&mut entries.changes, change);
            }
        }
        entries
    }
}

/// The shell command that adds a change to the journal.
fn noting(change: &Change) -> String {
    format!("echo '{}' >>{FILE}", change.line())
}

/// The shell line that lists the settings of a namespace.
pub(crate) fn settings_line(namespace: &str, sdk: u32) -> String {
    match sdk < 23 {
        true => format!("content query --uri content://settings/{namespace} --projection name:value"),
        false => format!("settings list {namespace}"),
    }
}

/// A device with a journal.
pub(crate) struct Site<'a> {
    pub link: &'a AdbLink,
    pub sdk: u32,
    /// The agent, if the device is controlled by it.
    pub agent: Option<&'a AgentClient>,
    pub pace: Pace,
}

/// What an open device knows of its journal. Clones share it, as all phones of a device do.
#[derive(Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// The guarded settings as they were before anybody changed them. Unknown ones are not among them.
    settings: Vec<Change>,
    /// What was changed around the app and not undone since.
    around: Vec<Change>,
    /// How many things a killed run had left changed, until that is told.
    left_behind: usize,
}

impl Journal {
    /// Opens the journal of a device: notes who uses the device, and sets the settings that should differ in tests. Also
    /// returns the rotation in which the screen is locked; `None` if it is not or that is unknown.
    ///
    /// # Errors
    ///
    /// [`DeviceError::InUse`] if another process uses the device, and [`DeviceError::NotKept`] if the device cannot keep the
    /// journal; in both cases nothing was changed.
    pub fn open(
        site: &Site<'_>,
        role: Role,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<(Journal, Option<Rotation>), DeviceError> {
        let turn = turn_of(&site.link.serial);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problem = String::new();
        // Another program may have put all back between the question and the answer.
        for _ in 0..TRIES {
            match site.open_once(&role.owner(), unwanted)? {
                Ok(opened) => return Ok(opened),
                Err(said) => problem = said,
            }
        }
        Err(DeviceError::NotKept { serial: site.link.serial.clone(), problem })
    }

    /// The changes around the app that were not undone.
    pub fn around(&self) -> Vec<Change> {
        self.with(|known| known.around.clone())
    }

    /// Says what a killed run had left changed; `None` if nothing, and from the second call on.
    pub fn left_behind_to_report(&self) -> Option<String> {
        let left = self.with(|known| std::mem::take(&mut known.left_behind));
        (left > 0).then(|| {
            format!(
                "a run that was killed had left {} on the device, put back when this one ends",
                counted(left, "change")
            )
        })
    }

    /// Replaces the changes around the app, for use after a snapshot of the device was restored.
    pub fn set_around(&self, now: &[Change]) {
        self.with(|known| known.around = now.to_vec());
    }

    /// The shell lines that undo the chosen changes around the app, the newest first.
    pub fn undo(&self, chosen: impl Fn(&Thing) -> bool) -> String {
        let taken = self
            .with(|known| known.around.extract_if(.., |change| chosen(&change.thing)).collect::<Vec<_>>());
        taken.iter().rev().map(Change::undo).collect::<Vec<_>>().join("\n")
    }

    /// The shell lines that note a change in the journal and then make it, by giving the thing the value `to`.
    pub fn change(&self, change: Change, to: &str) -> String {
        let lines = format!("{}\n{}", noting(&change), change.thing.lines(to));
        self.with(|known| add_first(&mut known.around, change));
        lines
    }

    /// The shell lines that note in the journal that these settings are about to be changed.
    pub fn note(&self, settings: &[Setting]) -> String {
        let about = |change: &&Change| settings.iter().any(|one| change.thing == Thing::Setting(*one));
        self.with(|known| known.settings.iter().filter(about).map(noting).collect::<Vec<_>>().join("\n"))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Why a journal was not opened, as far as the device says.
type Problem = String;

impl Site<'_> {
    fn open_once(
        &self,
        owner: &Owner,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Result<(Journal, Option<Rotation>), Problem>, DeviceError> {
        let link = self.link;
        let namespaces = if self.agent.is_some() { &[][..] } else { &["global", "system", "secure"] };
        let lists: Vec<String> = namespaces.iter().map(|name| settings_line(name, self.sdk)).collect();
        let questions = Entries::QUESTIONS.into_iter().chain(lists.iter().map(String::as_str));
        let patience = Patience::new(self.pace.limit_of(namespaces.len()), unwanted);
        let text = link.shell(&script(&questions.collect::<Vec<_>>()), &patience)?.everything();
        OutputError::unless_served(&text)?;
        let mut parts = answers(&text);
        let (entries, now) = Entries::read(&mut parts);
        let others = entries.users.iter().filter(|other| !other.in_process_of(owner));
        if let Some(other) = others.into_iter().find(|other| other.lives(now, &process_lives)) {
            return Err(other.refuses(&link.serial));
        }
        let mut settings = Vec::new();
        for (namespace, answer) in namespaces.iter().zip(parts) {
            match setting_list(answer) {
                Ok(listed) => settings.extend(listed_in(namespace, &listed)),
                // Unknown settings are not changed.
                Err(_) => self.allowed(answer)?,
            }
        }
        if let Some(agent) = self.agent {
            let keep = GUARDED.into_iter().map(|setting| (setting, SettingChange::Keep));
            let values = change_by_agent(agent, link, keep, unwanted)?.into_iter();
            settings = GUARDED.into_iter().zip(values).filter_map(|(one, value)| of(one, value)).collect();
        }
        let wanted: Vec<_> = settings.iter().filter_map(to_change).collect();
        let patience = Patience::new(self.pace.limit_of(wanted.len()), unwanted);
        let answer = link.shell(&opening_lines(&wanted, owner, self.agent.is_none()), &patience)?;
        let answer = answer.everything();
        self.allowed(&answer)?;
        if !answer.lines().any(|line| line.trim_end() == DONE) {
            return Ok(Err(shortened(&answer)));
        }
        if let Some(agent) = self.agent {
            let put = wanted.iter().map(|(_, one, value)| (*one, SettingChange::Put((*value).to_owned())));
            change_by_agent(agent, link, put, unwanted)?;
        }
        let locked = locked_in(&settings);
        let killed = entries.users.iter().all(|user| !user.in_process_of(owner));
        let left_behind = if killed { entries.changes.len() } else { 0 };
        let mut known = entries.changes;
        settings.into_iter().for_each(|change| add_first(&mut known, change));
        let (around, settings) = known.into_iter().partition(|change| change.thing.is_around());
        Ok(Ok((Journal(Arc::new(Mutex::new(Known { settings, around, left_behind }))), locked)))
    }

    /// Fails with `Forbidden` if `said` shows that adb may not do this.
    fn allowed(&self, said: &str) -> Result<(), DeviceError> {
        match forbidden(said) {
            Some(what) => {
                let serial = self.link.serial.clone();
                Err(DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() })
            }
            None => Ok(()),
        }
    }
}

/// A setting with its value now.
fn of(setting: Setting, value: Option<String>) -> Option<Change> {
    Change::new(Thing::Setting(setting), value.as_deref().unwrap_or(UNSET))
}

/// The guarded settings of a namespace, all of whose settings are `listed`.
fn listed_in(namespace: &str, listed: &BTreeMap<String, String>) -> Vec<Change> {
    let guarded = GUARDED.into_iter().filter(|setting| setting.namespace == namespace);
    guarded.filter_map(|setting| of(setting, listed.get(setting.name).cloned())).collect()
}

/// The setting and its value for tests, if it has another one.
fn to_change(now: &Change) -> Option<(&Change, Setting, &'static str)> {
    let Thing::Setting(setting) = &now.thing else { return None };
    let wanted = setting.in_tests.filter(|wanted| !equal(now.before(), wanted))?;
    Some((now, *setting, wanted))
}

/// Whether two values mean the same: scales may be written with or without decimals.
fn equal(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| Some(one) == number(other))
}

/// The rotation in which the screen is locked according to the settings.
fn locked_in(settings: &[Change]) -> Option<Rotation> {
    let [automatic, turns] = ROTATION.map(|setting| {
        let found = settings.iter().find(|change| change.thing == Thing::Setting(setting));
        found.map(Change::before)
    });
    let turns = turns?.parse().ok().filter(|turns| *turns < 4)?;
    (automatic == Some("0")).then_some(Rotation(turns))
}

/// The lines that note the changes and the owner, and then change the settings if this is done `by_shell`. Nothing is
/// changed unless all of it was noted.
fn opening_lines(wanted: &[(&Change, Setting, &'static str)], owner: &Owner, by_shell: bool) -> String {
    let mut lines: Vec<String> = wanted.iter().map(|(now, ..)| noting(now)).collect();
    lines.push(owner.noting_lines(FILE));
    let put = wanted.iter().filter(|_| by_shell).map(|(now, _, value)| now.thing.lines(value) + "\n");
    format!("{} && {{\n{}[ -f {FILE} ] && echo {DONE}\n}}", lines.join(" && "), put.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(listed: &[(&str, &str)]) -> Vec<Change> {
        let listed = listed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        ["global", "system"].iter().flat_map(|namespace| listed_in(namespace, &listed)).collect()
    }

    #[test]
    fn only_what_differs_is_changed() {
        let values = settings(&[
            ("window_animation_scale", "0.0"),
            ("screen_off_timeout", "1800000"),
            ("other", "1"),
            ("user_rotation", "a b"),
        ]);
        assert_eq!(values.len(), 6, "{values:?}");
        let wanted: Vec<_> = values.iter().filter_map(to_change).collect();
        let changed: Vec<&str> = wanted.iter().map(|(_, setting, _)| setting.name).collect();
        assert_eq!(
            changed,
            ["transition_animation_scale", "animator_duration_scale", "stay_on_while_plugged_in"]
        );
        let lines = opening_lines(&wanted, &Role::Window.owner(), true);
        let noted = lines.find("echo 'was =null animator_duration_scale' >>").unwrap();
        let put = lines.find("settings put global animator_duration_scale '0'").unwrap();
        assert!(noted < lines.find("echo owner").unwrap() && noted < put, "{lines}");
        assert_eq!(lines.matches("settings put").count(), 3);
        assert!(!opening_lines(&wanted, &Role::Window.owner(), false).contains("settings put"));
    }

    #[test]
    fn the_screen_is_locked_as_its_settings_say() {
        let rotation = |automatic, turns| {
            locked_in(&settings(&[("accelerometer_rotation", automatic), ("user_rotation", turns)]))
        };
        assert_eq!(rotation("0", "1"), Some(Rotation(1)));
        assert_eq!((rotation("1", "1"), rotation("0", "9"), rotation("0", "x")), (None, None, None));
    }

    #[test]
    fn the_journal_names_its_users_and_the_first_change_of_each_thing() {
        let text = "was =1.0 window_animation_scale\nowner 12 window here 5 6\nx\nowner 13 campaign there 1 2\n\
                    was =0 window_animation_scale\nowner 12 window here 5 7.5\nwas =no dark-mode\n\
                    owner 14 campaign here 0 1\nleft 14 campaign here 0 9\nowner 15 campaign\n";
        let entries = Entries::parse(text);
        let users: Vec<(u32, &str, u64)> =
            entries.users.iter().map(|user| (user.pid, user.role.as_str(), user.noted)).collect();
        assert_eq!(users, [(13, "campaign", 2), (12, "window", 7)]);
        let undone: Vec<String> = entries.changes.iter().map(Change::undo).collect();
        assert_eq!(undone, ["settings put global window_animation_scale '1.0'", "cmd uimode night no"]);
        assert_eq!(Entries::parse(""), Entries::default());
        assert!(Entries::QUESTIONS[0].contains(FILE));
    }

    #[test]
    fn a_change_around_the_app_is_noted_before_it_is_made_and_undone_once() {
        let journal = Journal::default();
        let change = |thing, before, to| journal.change(Change::new(thing, before).unwrap(), to);
        let lines = change(Thing::Wifi, "enable", "disable");
        assert!(
            lines.starts_with("echo 'was =enable wifi' >>") && lines.ends_with("\nsvc wifi disable"),
            "{lines}"
        );
        change(Thing::Battery, "reset", "low");
        change(Thing::Wifi, "disable", "enable");
        let other = journal.clone();
        assert_eq!(other.around().len(), 2);
        assert_eq!(other.undo(|one| *one == Thing::Battery), "dumpsys battery reset");
        assert_eq!(journal.undo(|_| true), "svc wifi enable");
        assert_eq!(journal.undo(|_| true), "");
    }
}
