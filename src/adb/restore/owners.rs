//! Who uses a device: one process at a time, and in it the window and at most one campaign.
//!
//! A lock on this computer, which the operating system releases when a process ends however it ends, keeps other processes
//! here away. Those on other computers are known by the owners in the journal on the device. Whether they live cannot be
//! asked, so a campaign is noted there again and again while it runs.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::host::AdbServer;
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::words;

/// How often a campaign is noted on the device, by the device's clock.
const NOTED_EVERY: DeviceDuration = DeviceDuration(10 * 60 * 1000);
/// For how long a campaign on another computer is believed since it was noted, and a window, which may stay open unused.
const CAMPAIGN_SECONDS: u64 = 4 * NOTED_EVERY.0 / 1000;
const WINDOW_SECONDS: u64 = 12 * 60 * 60;
/// How much the start of a process is read of.
const MOST_TEXT: u64 = 1000;
/// How many times and how long to wait for a lock that this process has released.
const RELEASES: u32 = 50;
const RELEASE: Duration = Duration::from_millis(20);

words! {
    /// The part of this program that uses a device. The settings are restored when the last user leaves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Role {
        /// The mirror in the window.
        Window = "window",
        /// A campaign of the window or the command line.
        Campaign = "campaign",
    }
    fn word;
}

impl Role {
    /// This process in this role.
    pub(super) fn owner(self) -> Owner {
        let pid = std::process::id();
        let started = process_started(pid).unwrap_or_default();
        Owner { pid, role: self.word().to_owned(), host: this_host(), started, noted: 0 }
    }
}

/// A user of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub pid: u32,
    pub role: String,
    /// The name of its computer.
    pub host: String,
    /// When the process started, in ticks since its computer did: a later process may get the same id. 0 if unknown.
    pub started: u64,
    /// The device's uptime in seconds when this was noted.
    pub noted: u64,
}

impl Owner {
    /// The shell commands that add the owner to a file.
    pub fn noting_lines(&self, file: &str) -> String {
        format!("read UP REST </proc/uptime && echo {} $UP >>{file}", self.words_of("owner"))
    }

    /// The line by which the owner leaves the device.
    pub fn leaving_line(&self) -> String {
        self.words_of("left")
    }

    fn words_of(&self, what: &str) -> String {
        let Owner { pid, role, host, started, .. } = self;
        format!("{what} {pid} {role} {host} {started}")
    }

    /// Parses a line: the owner, and whether it stays. `None` if it names no owner.
    pub fn parse(line: &str) -> Option<(Owner, bool)> {
        let mut words = line.split_whitespace();
        let stays = match words.next()? {
            "owner" => true,
            "left" => false,
            _ => return None,
        };
        let (pid, role, host) =
            (words.next()?.parse().ok()?, words.next()?.to_owned(), words.next()?.to_owned());
        // The uptime has decimals.
        let whole = |word: &str| word.split('.').next().unwrap_or_default().parse().ok();
        let mut number = || words.next().and_then(whole).unwrap_or_default();
        Some((Owner { pid, role, host, started: number(), noted: number() }, stays))
    }

    /// Whether this is the same user, whenever it was noted.
    pub fn is(&self, other: &Owner) -> bool {
        self.in_process_of(other) && self.role == other.role
    }

    /// Whether both are users in the same process.
    pub fn in_process_of(&self, other: &Owner) -> bool {
        (self.pid, &self.host) == (other.pid, &other.host)
    }

    /// Whether the owner still uses the device, whose uptime in seconds is `now`. `alive` tells which processes run on
    /// this computer.
    pub fn lives(&self, now: u64, alive: &dyn Fn(u32) -> bool) -> bool {
        if self.host != this_host() {
            let campaign = self.role == Role::Campaign.word();
            let believed = if campaign { CAMPAIGN_SECONDS } else { WINDOW_SECONDS };
            return now.checked_sub(self.noted).is_some_and(|age| age < believed);
        }
        alive(self.pid)
            && (self.started == 0 || process_started(self.pid).is_none_or(|at| at == self.started))
    }

    /// The owner in words.
    fn words(&self) -> String {
        let of = if self.host == this_host() { String::new() } else { format!(" on {}", self.host) };
        format!("a {} of taproof (process {}{of})", self.role, self.pid)
    }

    /// The error of another user that wants the device.
    pub fn refuses(&self, serial: &str) -> DeviceError {
        DeviceError::InUse { serial: serial.to_owned(), owner: self.words() }
    }
}

/// Whether the process with this pid is running on this computer; used for the processes that changed a device's
/// settings. Zombies do not count. False if it cannot be determined, as on Windows for other processes than this one: there
/// only the lock keeps them apart.
pub fn process_lives(pid: u32) -> bool {
    pid == std::process::id() || other_lives(pid)
}

#[cfg(any(target_os = "linux", windows))]
fn other_lives(pid: u32) -> bool {
    stat_of(pid).is_some_and(|fields| !fields.starts_with(['Z', 'X']))
}

#[cfg(not(any(target_os = "linux", windows)))]
fn other_lives(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

/// When the process started, in ticks since this computer did.
fn process_started(pid: u32) -> Option<u64> {
    // The state is the third field, and the start the twenty-second.
    stat_of(pid)?.split(' ').nth(19)?.parse().ok()
}

/// What the system says about a process, from its state on.
fn stat_of(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // `PID (NAME) STATE ...`, where the name may contain any characters.
    stat.rsplit_once(") ").map(|(_, fields)| fields.to_owned())
}

/// The name of this computer, as one word.
fn this_host() -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_');
    let name = gethostname::gethostname();
    let name: String = name.to_string_lossy().chars().filter(|char| plain(*char)).collect();
    if name.is_empty() { "this-computer".to_owned() } else { name }
}

/// The lock of this process on a device; it ends when all users have dropped it.
struct HostLock {
    /// `None` if no file could be locked: then only the file on the device tells who uses it.
    _file: Option<File>,
    campaign: Mutex<Weak<()>>,
}

/// A user's right to use a device, until all clones are dropped.
#[derive(Clone)]
pub(crate) struct Seat {
    pub role: Role,
    _lock: Arc<HostLock>,
    /// When the user was last noted on the device; `None` until the first reading of its clock after that. Clones share
    /// it.
    noted: Arc<Mutex<Option<DeviceInstant>>>,
    /// Shared by the parts of one campaign.
    _campaign: Option<Arc<()>>,
}

impl Seat {
    /// Takes the device for a user in this process.
    ///
    /// # Errors
    ///
    /// [`DeviceError::InUse`] if another process on this computer, or another campaign of this one, uses it.
    pub fn take(server: &AdbServer, serial: &str, role: Role) -> Result<Seat, DeviceError> {
        static LOCKS: Mutex<BTreeMap<String, Weak<HostLock>>> = Mutex::new(BTreeMap::new());
        let key = format!("{}-{serial}", server.address);
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = match locks.get(&key).and_then(Weak::upgrade) {
            Some(lock) => lock,
            None => {
                let file = lock_file(&key, &role.owner(), serial)?;
                let lock = Arc::new(HostLock { _file: file, campaign: Mutex::default() });
                locks.insert(key, Arc::downgrade(&lock));
                lock
            }
        };
        let campaign = match role {
            Role::Window => None,
            Role::Campaign => {
                let mut seat = lock.campaign.lock().unwrap_or_else(PoisonError::into_inner);
                if seat.strong_count() > 0 {
                    return Err(role.owner().refuses(serial));
                }
                let taken = Arc::new(());
                *seat = Arc::downgrade(&taken);
                Some(taken)
            }
        };
        Ok(Seat { role, _lock: lock, noted: Arc::default(), _campaign: campaign })
    }

    /// Whether the user should be noted on the device once more, whose clock shows `now`. A clock that went back is that of
    /// a device that was restarted or restored.
    pub fn note_is_due(&self, now: DeviceInstant) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let due = noted.is_some_and(|at| now < at || now.since(at) >= NOTED_EVERY);
        if due || noted.is_none() {
            *noted = Some(now);
        }
        due
    }
}

/// Locks the file. A lock that this process has released is held for a moment more where it is just starting another
/// program.
fn locked(file: &mut File, owner: &Owner) -> Result<(), TryLockError> {
    for _ in 0..RELEASES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock)
                if holder_of(file).is_some_and(|holder| holder.in_process_of(owner)) =>
            {
                crossbeam_channel::after(RELEASE).recv().map(drop).unwrap_or_default();
            }
            tried => return tried,
        }
    }
    file.try_lock()
}

/// The owner whom the file names.
fn holder_of(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| Read::by_ref(file).take(MOST_TEXT).read_to_string(&mut text));
    read.ok().and_then(|_| Owner::parse(text.trim())).map(|(owner, _)| owner)
}

/// Locks the device's file on this computer and writes the owner to it. `None` if there can be no such file.
fn lock_file(key: &str, owner: &Owner, serial: &str) -> Result<Option<File>, DeviceError> {
    let plain = |char: char| if char.is_ascii_alphanumeric() { char } else { '-' };
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join("taproof-devices");
    let path = folder.join(key.chars().map(plain).collect::<String>());
    let opened = std::fs::create_dir_all(&folder)
        .and_then(|()| File::options().read(true).write(true).create(true).truncate(false).open(&path));
    let mut file = match opened {
        Ok(file) => file,
        Err(error) => {
            tracing::debug!(serial, %error, "no lock on this computer");
            return Ok(None);
        }
    };
    match locked(&mut file, owner) {
        Ok(()) => {
            let emptied = file.set_len(0).and_then(|()| file.rewind());
            let written = emptied.and_then(|()| writeln!(file, "{}", owner.words_of("owner")));
            if let Err(error) = written {
                tracing::debug!(serial, %error, "the owner of the lock is not named");
            }
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => {
            let holder = holder_of(&mut file);
            let nameless = || DeviceError::InUse {
                serial: serial.to_owned(),
                owner: "another process of taproof on this computer".to_owned(),
            };
            Err(holder.map_or_else(nameless, |holder| holder.refuses(serial)))
        }
        Err(TryLockError::Error(error)) => {
            tracing::debug!(serial, %error, "no lock on this computer");
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::ServerAddress;

    fn server(port: u16) -> AdbServer {
        AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port })
    }

    #[test]
    fn an_owner_is_noted_and_known_again() {
        let owner = Role::Campaign.owner();
        assert_eq!(Owner::parse(&owner.words_of("owner")), Some((owner.clone(), true)));
        assert_eq!(Owner::parse(&owner.leaving_line()), Some((owner.clone(), false)));
        assert!(owner.lives(5, &process_lives) && !owner.lives(5, &|_| false));
        assert!(owner.is(&Owner { noted: 7, ..owner.clone() }) && !owner.is(&Role::Window.owner()));
        let later = Owner { started: owner.started + 1, ..owner.clone() };
        assert!(!later.lives(5, &process_lives), "another process has its id");
        assert_eq!(Owner::parse("owner x window"), None);
        assert_eq!(Owner::parse("was =1 user_rotation"), None);
    }

    #[test]
    fn an_owner_elsewhere_is_believed_for_a_while() {
        for (role, believed) in [(Role::Campaign, 40 * 60), (Role::Window, 12 * 60 * 60)] {
            let owner = Owner { host: "elsewhere".to_owned(), noted: 1000, ..role.owner() };
            assert!(owner.lives(1000, &|_| false) && owner.lives(1000 + believed - 1, &|_| false));
            assert!(!owner.lives(1000 + believed, &|_| false));
            assert!(!owner.lives(999, &|_| false), "the device was restarted");
            assert!(owner.refuses("x").to_string().contains("on elsewhere"));
        }
    }

    #[test]
    fn a_user_is_noted_again_at_times() {
        let seat = Seat::take(&server(4), "noted-again", Role::Campaign).unwrap();
        let due = |seconds: u64| seat.note_is_due(DeviceInstant(seconds * 1000));
        assert!(!due(5000), "it was just noted");
        assert!(!due(5599) && due(5600) && !due(5601));
        assert!(due(10) && !due(20), "the device was restarted");
        assert!(!seat.clone().note_is_due(DeviceInstant(30_000)));
    }

    #[test]
    fn a_process_has_one_campaign_on_a_device() {
        let take = |role| Seat::take(&server(1), "one-campaign", role);
        let window = take(Role::Window).unwrap();
        let campaign = take(Role::Campaign).unwrap();
        let again = campaign.clone();
        drop(campaign);
        let refused = take(Role::Campaign).map(drop).unwrap_err();
        let name = format!("a campaign of taproof (process {})", std::process::id());
        assert!(refused.to_string().contains(&name), "{refused}");
        assert!(Seat::take(&server(2), "one-campaign", Role::Campaign).is_ok(), "behind another server");
        drop(again);
        assert!(take(Role::Campaign).is_ok());
        drop(window);
    }

    #[test]
    fn a_lock_of_another_process_names_it() {
        let key = "127.0.0.1:3-another-process";
        let owner = Owner { pid: 77, ..Role::Window.owner() };
        let file = lock_file(key, &owner, "x").unwrap().unwrap();
        let refused = Seat::take(&server(3), "another-process", Role::Window).map(drop).unwrap_err();
        assert!(refused.to_string().contains("a window of taproof (process 77)"), "{refused}");
        drop(file);
        assert!(Seat::take(&server(3), "another-process", Role::Window).is_ok());
    }
}
