//! The files for schedulers in `assets/fleet`.

use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

fn file(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fleet").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

fn yaml(name: &str) -> Yaml {
    YamlLoader::load_from_str(&file(name).1).unwrap().remove(0)
}

#[test]
fn the_book_shows_the_files_as_they_are() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book/fleets.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (name, kind) in [
        ("slurm.sh", "sh"),
        ("kubernetes.yaml", "yaml"),
        ("gitlab-ci.yml", "yaml"),
        ("github-workflow.yml", "yaml"),
    ] {
        assert!(
            page.contains(&format!("```{kind}\n{}```\n", file(name).1)),
            "fleets.md must show {name} as it is"
        );
    }
}

#[test]
fn each_job_runs_cells_by_the_variables_that_its_scheduler_sets() {
    let job = &yaml("kubernetes.yaml")["spec"];
    assert_eq!(job["completionMode"].as_str(), Some("Indexed"));
    let container = &job["template"]["spec"]["containers"][0];
    let command: Vec<&str> =
        container["command"].as_vec().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(command[..3], ["taproof", "matrix", "run"]);
    let gitlab = yaml("gitlab-ci.yml");
    assert!(gitlab["cells"]["parallel"].as_i64().is_some());
    assert_eq!(gitlab["cells"]["script"][0].as_str(), Some("taproof matrix run matrix.toml"));
    let github = yaml("github-workflow.yml");
    let cells = &github["jobs"]["cells"];
    assert_eq!(cells["env"]["TAPROOF_PARTS"].as_str(), Some("${{ strategy.job-total }}"));
    assert_eq!(cells["steps"][1]["run"].as_str(), Some("taproof matrix run matrix.toml"));
}

#[cfg(unix)]
#[test]
fn the_scripts_are_ones_that_a_shell_understands() {
    for name in ["slurm.sh", "emulator.sh", "devicefarmer.sh"] {
        let checked = std::process::Command::new("bash").arg("-n").arg(file(name).0).output();
        let Ok(checked) = checked else { return println!("skipped: no bash") };
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}
