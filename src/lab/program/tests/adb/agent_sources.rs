//! The agent's Java sources: their own tests on a plain JVM, and the jar built anew, where the tools are installed.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use taproof_engine::agent::{
    Action, Decoder, FRAME_HEAD, Failure, FrameHead, Hello, MOST_ANSWERED, PackageEntry, PictureForm, Power,
    ProtocolError, Quiet, Request, Seen, SettingChange, SettingRequest, Settle, TouchPoint,
};
use taproof_screen::PxPoint;

/// Whether there is a `javac`.
fn has_javac() -> bool {
    let found = Command::new("javac").arg("-version").output().is_ok_and(|output| output.status.success());
    if !found {
        taproof_testing::skipped("no javac");
    }
    found
}

fn build(argument: &Path) -> Output {
    Command::new("bash")
        .arg(taproof_testing::root().join("src/adb/agent/build"))
        .arg(argument)
        .output()
        .unwrap()
}

fn all(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The line of the manifest that names the tools. Nothing in the jar is compressed.
fn built_with(jar: &[u8]) -> String {
    let text = String::from_utf8_lossy(jar);
    text.lines().find(|line| line.starts_with("Built-With: ")).unwrap().to_owned()
}

#[test]
fn the_agent_passes_its_own_tests() {
    if !has_javac() {
        return;
    }
    let output = build(Path::new("--test"));
    println!("{}", all(&output));
    assert!(output.status.success());
    assert!(all(&output).contains(" passed, 0 failed"));
}

#[test]
fn the_committed_jar_is_what_the_sources_give() {
    const NO_TOOL: i32 = 2;
    if !has_javac() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let jar: PathBuf = folder.path().join("agent.jar");
    let output = build(&jar);
    if output.status.code() == Some(NO_TOOL) {
        taproof_testing::skipped(all(&output).trim());
        return;
    }
    assert!(output.status.success(), "{}", all(&output));
    let built = std::fs::read(&jar).unwrap();
    let committed = std::fs::read(taproof_testing::root().join("assets/agent/taproof-agent.jar")).unwrap();
    if built_with(&built) == built_with(&committed) {
        assert!(built == committed, "the same tools gave another jar");
    } else {
        println!("not compared: built with other tools: {}", built_with(&built));
    }
}

/// The agent in Java with a fake device, on a plain JVM.
struct Java {
    child: Child,
    number: u32,
}

impl Java {
    fn start() -> Java {
        let child = Command::new("bash")
            .arg(taproof_testing::root().join("src/adb/agent/build"))
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Java { child, number: 0 }
    }

    /// Sends a request and reads the whole answer; `read` takes its value.
    fn ask<T>(
        &mut self,
        request: &Request,
        read: impl FnOnce(&mut Decoder<'_>) -> Result<T, ProtocolError>,
    ) -> Result<T, Failure> {
        self.number += 1;
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(&FrameHead::frame(self.number, &request.encode())).unwrap();
        input.flush().unwrap();
        let output = self.child.stdout.as_mut().unwrap();
        let mut head = [0; FRAME_HEAD];
        output.read_exact(&mut head).unwrap();
        let head = FrameHead::parse(head, MOST_ANSWERED).unwrap();
        assert_eq!(head.number, self.number);
        let mut body = vec![0; head.length];
        output.read_exact(&mut body).unwrap();
        head.check(&body).unwrap();
        let mut from = Decoder::new(&body);
        Failure::check(&mut from).unwrap()?;
        let value = read(&mut from).unwrap();
        from.finish().unwrap();
        Ok(value)
    }
}

fn act(action: Action) -> Request {
    let settle = Settle { quiet_millis: 100, limit_millis: 5000 };
    Request::Act { action, settle, log_from: Some(String::new()), picture_hash: true }
}

#[test]
fn the_agent_in_java_answers_every_request() {
    if !has_javac() {
        return;
    }
    let mut java = Java::start();
    let hello = java.ask(&Request::Hello { version: 1 }, Hello::decode).unwrap();
    assert_eq!(hello, Hello { version: 1, sdk: 19, uid: 2000, pid: 77 });
    let at = PxPoint { x: 7, y: -1 };
    for action in [
        Action::Look,
        Action::Touch(vec![TouchPoint { at, millis: 0, pressure: 1000 }]),
        Action::Key { code: 4, meta: 1 },
        Action::Type("Grüße 😀".to_owned()),
        Action::SetText { at, text: String::new() },
        Action::Rotate(3),
        Action::Wait(u32::MAX),
    ] {
        let seen = java.ask(&act(action), Seen::decode).unwrap();
        assert_eq!((seen.quiet, seen.layout.unwrap().widgets().len()), (Quiet::NotAwaited, 0));
    }
    for form in [PictureForm::Raw, PictureForm::Jpeg(100)] {
        let picture = java.ask(&Request::Picture { form, width: 0 }, |from| from.bytes()).unwrap();
        assert_eq!(picture, [1, 2]);
    }
    let setting = |change| SettingRequest { namespace: "global".to_owned(), name: "a".to_owned(), change };
    let changes = [SettingChange::Keep, SettingChange::Put("0".to_owned()), SettingChange::Delete];
    let before = java.ask(&Request::Settings(changes.map(setting).into()), |from| from.values()).unwrap();
    assert_eq!(before, [Some("1".to_owned()), None]);
    let package = || "org.ex".to_owned();
    for request in [
        Request::Stop { package: package() },
        Request::Clear { package: package() },
        Request::Start { component: package() },
    ] {
        java.ask(&request, |_| Ok(())).unwrap();
    }
    let grant = Request::Grant { package: package(), permissions: vec![package()] };
    assert_eq!(java.ask(&grant, |from| from.pairs()).unwrap(), [("a".to_owned(), "no".to_owned())]);
    let list = Request::Packages { third_party: true, icon: 48 };
    let packages = java.ask(&list, PackageEntry::decode_all).unwrap();
    assert_eq!((packages[0].pid, packages[0].version_code), (Some(321), 12));
    assert_eq!(java.ask(&Request::Clipboard { content: None }, |from| from.values()).unwrap(), [None]);
    let power = java.ask(&Request::Wake, Power::decode).unwrap();
    assert_eq!(power, Power { awake: true, locked: false, secure: true });
    let watch = Request::Watch { picture_hash: u32::MAX, limit_millis: u32::MAX };
    assert_eq!(java.ask(&watch, |from| from.number()).unwrap(), 5);
    java.ask(&Request::End, |_| Ok(())).unwrap();
    assert!(java.child.wait().unwrap().success());
}
