//! The program is killed with `kill -9` in the middle of a campaign and lets it go on: the same fingerprint, the same
//! findings as without the kill.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use taproof_results::store::Workspace;
use taproof_screen::determinism::Rng;
use taproof_testing::program::{code, errors, json, run, taproof};
use taproof_testing::results::{database, kept};
use tempfile::TempDir;

const EVENTS: u64 = 2000;

/// The workspace that the program keeps in a folder.
fn workspace_in(folder: &TempDir) -> PathBuf {
    folder.path().join("results")
}

/// Lets the program run until a checkpoint lies behind so many events and a moment more, and kills it.
fn kill(workspace: &Path, mut child: Child, events: u64, chance: &mut Rng) {
    while kept(workspace) < events && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(chance.below(60) as u64));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The folder of a campaign that was killed so many times, always when it had come further; nothing if a machine
/// busy with other things let it come to its end before.
fn killed(words: &[&str], kills: usize, events: u64, chance: &mut Rng) -> Option<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let mut started = words.to_vec();
    for nth in 0..kills as u64 {
        let part = events * 3 / 4 / kills as u64;
        let at = part * nth + 1 + chance.below(part as usize) as u64;
        let child =
            taproof(folder.path(), &started).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill(&workspace_in(&folder), child, at, chance);
        let campaign = Workspace::open(&workspace_in(&folder)).unwrap().campaign(1).unwrap();
        if campaign.end.as_deref() != Some("interrupted") {
            return None;
        }
        started = vec!["fuzz", "--resume", "1", "--json", "--checkpoint-millis", "20"];
    }
    Some(folder)
}

/// What a campaign came to, but for the time that it took.
fn outcome(summary: &Value) -> Value {
    let mut summary = summary.clone();
    let parts = summary["engines"].as_array_mut().unwrap().iter_mut();
    for part in parts {
        part["seconds"].take();
        part["events_per_second"].take();
    }
    summary["seconds"].take();
    summary["events_per_second"].take();
    summary
}

/// Kills a campaign of these engines so many times, always when it has come further, and compares.
fn check(engines: &str, kills: usize, events: u64, extra: &[&str]) {
    let events = events.to_string();
    let words = ["fuzz", "--app", "notes", "--engine", engines, "--events", &events, "--seed", "3"];
    let words = [&words[..], &["--no-pictures", "--json", "--checkpoint-millis", "20"], extra].concat();
    let folder = tempfile::tempdir().unwrap();
    let whole = run(folder.path(), &words);
    assert!(code(&whole) <= 1, "{}", errors(&whole));
    let whole = json(&whole);

    let mut chance = Rng::from_seed(9).fork(engines);
    let all = whole["events"].as_u64().unwrap();
    let folder = (0..20).find_map(|_| killed(&words, kills, all, &mut chance));
    let folder = folder.expect("it always ended before it could be killed");
    let seconds = |of: &str| -> f64 {
        let query =
            format!("SELECT total(millis) / 1000.0 FROM (SELECT max(millis) AS millis FROM coverage {of})");
        database(&workspace_in(&folder)).query_row(&query, [], |row| row.get(0)).unwrap()
    };
    let before = seconds("");
    let resumed = run(folder.path(), &["fuzz", "--resume", "1", "--json"]);
    assert!(code(&resumed) <= 1, "{}", errors(&resumed));
    let resumed = json(&resumed);
    assert_eq!(outcome(&resumed), outcome(&whole), "{engines}");
    assert!(before > 0.0 && resumed["seconds"].as_f64().unwrap() >= before * 0.9, "{before} {resumed}");
    // Its curve goes on, too: no sample lies before an earlier one.
    let samples = Workspace::open(&workspace_in(&folder)).unwrap().load_campaign(1).unwrap().outcome.curve;
    let of_one = samples.chunk_by(|one, other| one.run == other.run);
    for curve in of_one {
        assert!(curve.windows(2).all(|pair| pair[0].millis <= pair[1].millis), "{engines}: {curve:?}");
    }
    assert_eq!(kept(&workspace_in(&folder)), 0, "what has ended does not go on");
    let again = run(folder.path(), &["fuzz", "--resume", "1"]);
    assert_eq!(code(&again), 2);
    assert!(errors(&again).contains("was not interrupted"), "{}", errors(&again));
}

/// How often campaigns that run at once are killed in all; `TAPROOF_KILLS` says otherwise.
const KILLS: usize = 6;
/// Events of each of them, which seven engines share.
const AT_ONCE: u64 = 2_800;

/// A campaign beside others on a workspace.
struct Beside {
    seed: u64,
    whole: Value,
    child: Child,
    /// Its row, once it has one.
    row: Option<i64>,
    /// What its program said each time that it ran.
    said: Vec<PathBuf>,
    over: bool,
}

impl Beside {
    fn words(seed: u64) -> Vec<String> {
        let events = AT_ONCE.to_string();
        let words =
            ["fuzz", "--app", "notes", "--engine", "all", "--events", &events, "--no-pictures", "--json"];
        let seed = format!("--seed={seed}");
        words.into_iter().chain(["--checkpoint-millis=20", &seed]).map(str::to_owned).collect()
    }

    fn start(folder: &Path, words: &[String], said: &Path) -> Child {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = std::fs::File::create(said).unwrap();
        taproof(folder, &words).stdout(Stdio::null()).stderr(said).spawn().unwrap()
    }

    /// Starts it, or lets it go on.
    fn go_on(&mut self, folder: &Path) {
        let words = match self.row {
            None => Beside::words(self.seed),
            Some(row) => ["fuzz", "--json", "--checkpoint-millis=20", &format!("--resume={row}")]
                .map(str::to_owned)
                .to_vec(),
        };
        let said = folder.join(format!("said-{}-{}", self.seed, self.said.len()));
        self.child = Beside::start(folder, &words, &said);
        self.said.push(said);
    }

    /// Whether its end was written down before it was killed, so that it cannot go on.
    fn ended_before_kill(&self, folder: &TempDir) -> bool {
        let Some(row) = self.row else { return false };
        let end = "SELECT end IS NOT NULL FROM campaigns WHERE id = ?1";
        database(&workspace_in(folder)).query_row(end, [row], |row| row.get(0)).unwrap()
    }

    /// Whether it has come to its end, which is a good one.
    fn has_ended(&mut self) -> bool {
        if self.over {
            return true;
        }
        if let Some(status) = self.child.try_wait().unwrap() {
            let said = std::fs::read_to_string(self.said.last().unwrap()).unwrap();
            assert!(matches!(status.code(), Some(0 | 1)), "seed {}: {status}: {said}", self.seed);
            self.over = true;
        }
        self.over
    }

    /// Nothing that it told is missing. What it told again has another row.
    fn check_told(&mut self, folder: &TempDir) -> usize {
        if !Workspace::exists(&workspace_in(folder)) {
            return 0;
        }
        // It waits for who makes the database.
        drop(Workspace::open_to_read(&workspace_in(folder)).unwrap());
        let results = database(&workspace_in(folder));
        let row = |seed: u64| {
            results.query_row("SELECT id FROM campaigns WHERE seed = ?1", [seed as i64], |row| row.get(0))
        };
        self.row = row(self.seed).ok();
        let mut told = 0;
        for said in &self.said {
            let said = std::fs::read_to_string(said).unwrap();
            // The kill may have cut the last line off.
            let lines = said.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            for line in lines.filter_map(|line| line.strip_prefix("finding ")) {
                let Some((of, _)) = line.split_once(": ") else { continue };
                // Lines that say more of a finding follow the one that tells it.
                let Some((_, place)) = of.split_once(" at event ") else { continue };
                let (event, engine) = place.split_once(" of ").unwrap();
                let known: i64 = results
                    .query_row(
                        "SELECT count(*) FROM findings WHERE campaign = ?1 AND first_event = ?2 AND engine = ?3",
                        (self.row, event.parse::<i64>().unwrap(), engine),
                        |row| row.get(0),
                    )
                    .unwrap();
                assert!(known > 0, "seed {}: lost: {line}", self.seed);
                told += 1;
            }
        }
        told
    }
}

/// Lets three campaigns with all engines run on one workspace, kills one or all of them now and then, at most so many
/// times, and lets them go on to their ends. Says how often it killed and how much was told.
fn three_at_once(wholes: &[(u64, Value)], most: usize, chance: &mut Rng) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let beside = |(seed, whole): &(u64, Value)| {
        let said = folder.path().join(format!("said-{seed}-0"));
        let child = Beside::start(folder.path(), &Beside::words(*seed), &said);
        Beside { seed: *seed, whole: whole.clone(), child, row: None, said: vec![said], over: false }
    };
    let mut campaigns: Vec<Beside> = wholes.iter().map(beside).collect();
    let mut kills = 0;
    while campaigns.iter_mut().map(Beside::has_ended).filter(|ended| !ended).count() > 0 {
        std::thread::sleep(Duration::from_millis(20 + chance.below(400) as u64));
        let (all, one) = (chance.below(4) == 0, chance.below(campaigns.len()));
        let mut killed = Vec::new();
        for (place, campaign) in campaigns.iter_mut().enumerate() {
            if kills < most && (all || place == one) && !campaign.has_ended() {
                campaign.child.kill().unwrap();
                // It may have ended by itself just now.
                if campaign.child.wait().unwrap().code().is_none() {
                    killed.push(place);
                    kills += 1;
                }
            }
        }
        for campaign in &mut campaigns {
            campaign.check_told(&folder);
        }
        for place in killed {
            match campaigns[place].ended_before_kill(&folder) {
                true => campaigns[place].over = true,
                false => campaigns[place].go_on(folder.path()),
            }
        }
    }
    let told = campaigns.iter_mut().map(|campaign| campaign.check_told(&folder)).sum();
    for campaign in &campaigns {
        let results = database(&workspace_in(&folder));
        let kept: String = results
            .query_row("SELECT fingerprint FROM campaigns WHERE id = ?1", [campaign.row], |row| row.get(0))
            .unwrap();
        assert_eq!(campaign.whole["fingerprint"], *kept, "seed {}", campaign.seed);
        let count = "SELECT count(*) FROM findings WHERE campaign = ?1";
        let found: usize =
            results.query_row(count, [campaign.row], |row| row.get::<_, i64>(0)).unwrap() as usize;
        assert_eq!(found, campaign.whole["findings"].as_array().unwrap().len(), "seed {}", campaign.seed);
    }
    (kills, told)
}

#[test]
#[ignore = "takes long"]
fn three_at_once_are_killed() {
    let wanted = std::env::var("TAPROOF_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let whole = |seed: u64| {
        let folder = tempfile::tempdir().unwrap();
        let words = Beside::words(seed);
        let output = run(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(code(&output) <= 1, "{}", errors(&output));
        (seed, json(&output))
    };
    let wholes: Vec<(u64, Value)> = [3, 4, 5].map(whole).to_vec();
    let mut chance = Rng::from_seed(60);
    let (mut kills, mut told, mut workspaces) = (0, 0, 0);
    while kills < wanted {
        let (killed, findings) = three_at_once(&wholes, (wanted - kills).min(12), &mut chance);
        (kills, told, workspaces) = (kills + killed, told + findings, workspaces + 1);
    }
    println!("{kills} kills on {workspaces} workspaces, {told} findings told");
}

#[test]
#[ignore = "takes long"]
fn pbfdroid_is_killed_twice() {
    check("pbfdroid", 2, EVENTS, &[]);
}

#[test]
#[ignore = "takes long"]
fn genie_is_killed() {
    check("genie", 1, EVENTS, &[]);
}

#[test]
#[ignore = "takes long"]
fn odin_is_killed_twice() {
    check("odin", 2, EVENTS, &[]);
}

#[test]
fn fastbot2_is_killed() {
    check("fastbot2", 1, EVENTS, &[]);
}

#[test]
#[ignore = "takes long"]
fn timemachine_is_killed_twice() {
    check("timemachine", 2, EVENTS, &[]);
}

#[test]
fn monkey_is_killed() {
    check("monkey", 1, EVENTS, &["--set", "monkey.test_length=100"]);
}

#[test]
#[ignore = "takes long"]
fn all_are_killed_side_by_side() {
    check("all", 1, 4_200, &[]);
}
