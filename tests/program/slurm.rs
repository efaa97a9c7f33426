//! A matrix under Slurm, as `assets/fleet/slurm.sh` runs it: a controller and the daemons of two nodes on this machine. Cells
//! are killed, one daemon is stopped in the middle, and the rest is run again.
//!
//! `TAPROOF_SLURM_CELLS` says how many cells there are; a tenth of them is killed.
#![cfg(target_os = "linux")]

use crate::program::{code, errors, json, run};

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Ends a daemon when it is dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

struct Slurm<'f> {
    folder: &'f Path,
    nodes: Vec<Daemon>,
    _controller: Daemon,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether Slurm is installed, and may be started: its daemons belong to root.
fn is_there() -> bool {
    let version = |program| output_of(Command::new(program).arg("-V")).is_some();
    let is_root = output_of(Command::new("id").arg("-u")).as_deref() == Some("0");
    // Without a configuration, sbatch does not even say its version.
    is_root
        && ["/usr/sbin/slurmctld", "/usr/sbin/slurmd"].into_iter().all(version)
        && Path::new("/usr/bin/sbatch").exists()
}

impl Slurm<'_> {
    fn start(folder: &Path) -> Slurm<'_> {
        let host = output_of(&mut Command::new("hostname")).unwrap();
        let at = |name: &str| folder.join("slurm").join(name).display().to_string();
        for name in ["state", "n1", "n2"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        let [controller, one, two] = [(); 3].map(|()| free_port());
        let node = |name: &str, port: u16| {
            format!(
                "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=500\n"
            )
        };
        let text = format!(
            "ClusterName=desk\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmUser=root\n\
             SlurmdUser=root\nAuthType=auth/none\nCredType=cred/none\nStateSaveLocation={}\nSlurmdSpoolDir={}\n\
             SlurmctldPidFile={}\nSlurmdPidFile={}\nProctrackType=proctrack/pgid\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nSlurmdTimeout=10\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\nMpiDefault=none\n\
             SchedulerParameters=sched_interval=2,batch_sched_delay=0\n{}{}\
             PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n",
            at("state"),
            at("%n"),
            at("ctl.pid"),
            at("%n.pid"),
            node("n1", one),
            node("n2", two)
        );
        std::fs::write(at("slurm.conf"), text).unwrap();
        let daemon = |program: &str, words: &[&str]| {
            let mut command = Command::new(program);
            command.arg("-D").args(words).env("SLURM_CONF", at("slurm.conf"));
            Daemon(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        };
        let controller = daemon("/usr/sbin/slurmctld", &[]);
        let nodes = ["n1", "n2"].map(|name| daemon("/usr/sbin/slurmd", &["-N", name])).into();
        let slurm = Slurm { folder, nodes, _controller: controller };
        slurm.wait("its nodes are idle", || {
            slurm.ask("sinfo", &["-h", "-o", "%t %D"]).is_some_and(|said| said == "idle 2")
        });
        slurm
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let bin = Path::new(env!("CARGO_BIN_EXE_taproof")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder).env("PATH", format!("{}:{path}", bin.display()));
        command.env("SLURM_CONF", self.folder.join("slurm/slurm.conf"));
        command
    }

    fn ask(&self, program: &str, words: &[&str]) -> Option<String> {
        output_of(&mut self.command(program, words))
    }

    fn submit(&self, cells: &str) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fleet/slurm.sh");
        let array = format!("--array={cells}");
        let said =
            self.command("sbatch", &[&array, &script.display().to_string(), "matrix.toml"]).output().unwrap();
        assert!(said.status.success(), "{said:?}");
    }

    fn wait(&self, what: &str, mut done: impl FnMut() -> bool) {
        // At least a quarter of an hour.
        for _ in 0..18_000 {
            if done() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("waited in vain until {what}: {:?}", self.ask("squeue", &[]));
    }

    fn wait_for_all(&self) {
        self.wait("no job is left", || self.ask("squeue", &["-h"]).is_some_and(|said| said.is_empty()));
    }

    /// The process that runs a cell.
    fn process_of(&self, cell: u64) -> Option<String> {
        let here = self.folder.canonicalize().unwrap();
        let variable = format!("SLURM_ARRAY_TASK_ID={cell}");
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let has = |path: &Path, file: &str, wanted: &str| {
            let bytes = std::fs::read(path.join(file)).unwrap_or_default();
            bytes.split(|byte| *byte == 0).any(|word| word == wanted.as_bytes())
        };
        let is_it = |path: &PathBuf| {
            std::fs::read_link(path.join("cwd")).is_ok_and(|folder| folder == here)
                && has(path, "cmdline", "matrix")
                && has(path, "environ", &variable)
        };
        processes.filter(is_it).find_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
    }

    /// Kills so many cells while their campaigns run.
    fn kill_cells(&self, count: usize) {
        let mut killed = Vec::new();
        self.wait("enough cells were killed", || {
            let begun = cells(self.folder, "running").into_iter().filter(|cell| !cell["campaign"].is_null());
            for process in begun.filter_map(|cell| self.process_of(cell["cell"].as_u64()?)) {
                let kill = |pid: &str| Command::new("kill").args(["-9", pid]).status().unwrap().success();
                if killed.len() < count && kill(&process) {
                    killed.push(process);
                }
            }
            killed.len() >= count
        });
    }
}

/// The cells in a state.
fn cells(folder: &Path, state: &str) -> Vec<Value> {
    let printed = json(&run(folder, &["matrix", "status", "--json"]));
    printed["cells"].as_array().unwrap().iter().filter(|cell| cell["state"] == state).cloned().collect()
}

/// What a merged workspace lists.
fn listed(folder: &Path, workspace: &str) -> [Value; 2] {
    ["campaigns", "findings"].map(|list| json(&run(folder, &[list, "--json", "--workspace", workspace])))
}

#[test]
fn cells_that_slurm_loses_are_run_again() {
    if !is_there() {
        return println!("skipped: no Slurm that may be started (Debian package slurm-wlm, as root)");
    }
    let all = std::env::var("TAPROOF_SLURM_CELLS").map_or(10, |text| text.parse::<usize>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let matrix = |to: &str| {
        format!(
            "engines = [\"pbfdroid\"]\nseeds = \"1..{all}\"\ncells = \"{to}\"\noptions = [\"--events\", \"1500\", \
             \"--no-pictures\", \"--checkpoint-millis\", \"100\"]\n[[app]]\napp = \"files\"\n"
        )
    };
    std::fs::write(folder.join("matrix.toml"), matrix("cells")).unwrap();
    std::fs::write(folder.join("alone.toml"), matrix("alone")).unwrap();
    let mut slurm = Slurm::start(folder);
    slurm.submit(&format!("0-{}", all - 1));
    let killed = (all / 10).max(1);
    slurm.kill_cells(killed);
    // The daemon of a node dies; what it runs is lost or goes on, as the kernel likes.
    drop(slurm.nodes.pop());
    slurm.wait_for_all();
    let (lost, done) = (cells(folder, "lost").len(), cells(folder, "done").len());
    assert!(lost >= killed && lost + done == all, "{lost} lost, {done} done");
    let again = run(folder, &["matrix", "status", "--again"]);
    slurm.submit(String::from_utf8(again.stdout).unwrap().trim());
    slurm.wait_for_all();
    assert_eq!(cells(folder, "done").len(), all);
    println!("{all} cells, {killed} killed, {lost} lost");

    let alone = run(folder, &["matrix", "run", "alone.toml", "--all"]);
    assert_eq!(code(&alone), 0, "{}", errors(&alone));
    for (out, file) in [("merged", "matrix.toml"), ("single", "alone.toml")] {
        let merged = run(folder, &["merge", out, "--matrix", file]);
        assert_eq!(code(&merged), 0, "{}", errors(&merged));
    }
    assert_eq!(listed(folder, "merged"), listed(folder, "single"));
}
