//! What is in the laboratory's program: this one says so, and how to run it.

use taproof_testing::program::{code, errors, run};

#[test]
fn commands_and_apps_of_the_laboratory_are_said_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    for (words, what) in [
        (&["bench", "--quick"][..], "the command bench is in taproof-lab"),
        (&["study", "rq3"], "the command study is in taproof-lab"),
        (&["phone", "serve", "--app", "files"], "the command phone is in taproof-lab"),
        (&["witnesses", "blueprint:7"], "the command witnesses is in taproof-lab"),
        (&["fuzz", "--app", "blueprint:7"], "apps that are generated are in taproof-lab"),
        (&["dump", "--app", "org.taproof.blueprint7m"], "apps that are generated are in taproof-lab"),
        (&["--app", "blueprint:7:medium"], "apps that are generated are in taproof-lab"),
    ] {
        let refused = run(folder.path(), words);
        let (said, how) =
            (errors(&refused), format!("cargo run -p taproof-lab --release -- {}", words.join(" ")));
        assert_eq!(code(&refused), 2, "{words:?}: {said}");
        assert!(said.contains(what) && said.contains(&how), "{words:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let app = errors(&run(folder.path(), &["dump", "--app", "cards"]));
    assert!(app.contains("tasks, and others in taproof-lab"), "{app}");
    let unknown = errors(&run(folder.path(), &["benhc"]));
    assert!(!unknown.contains("taproof-lab"), "{unknown}");
}
