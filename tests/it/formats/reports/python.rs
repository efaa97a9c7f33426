//! Scripts for uiautomator2.

use std::path::Path;
use std::process::Command;

use super::evidence::{AROUND, HOSTILE, export, export_around, facts, file, finding, have, succeed};
use taproof_results::report::{ExportKind, ReportFacts, export_finding, no_progress};

/// Reads a script's calls back with python's own parser and prints them as JSON: the steps and the checks.
const CALLS: &str = "
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding='utf-8').read())
known = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
def calls(name):
    [body] = [node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    for line in body:
        call = line.value
        assert isinstance(line, ast.Expr) and isinstance(call, ast.Call) and call.func.id in known, ast.dump(line)
        yield [call.func.id] + [ast.literal_eval(one) for one in call.args[1:]]
print(json.dumps([list(calls('run')), list(calls('check'))]))
";

#[test]
fn a_python_script_does_each_step_of_the_trace() {
    let script = export(HOSTILE, ExportKind::Uiautomator2);
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "script.py", script);
    succeed(Command::new("python3").args(["-m", "py_compile"]).arg(&path));
    let told = succeed(Command::new("python3").args(["-c", CALLS]).arg(&path));
    let calls: serde_json::Value = serde_json::from_str(&told).unwrap();
    let run = calls[0].as_array().unwrap();
    assert_eq!(run[0][0], "start");
    let names: Vec<&str> = run[1..].iter().map(|call| call[0].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "tap",
            "long_press",
            "set_text",
            "type_text",
            "swipe",
            "swipe",
            "press",
            "press",
            "press",
            "press",
            "rotate",
            "rotate",
            "wait",
            "relaunch"
        ]
    );
    for (index, call) in run[1..].iter().enumerate() {
        assert_eq!(call[1], index + 1, "steps are numbered");
    }
    // The second of three equal rows, found by its text whatever it is; else where it was.
    let row = serde_json::json!({"resourceId": "org.ex:id/row", "text": HOSTILE, "instance": 1});
    assert_eq!(run[1][3], row);
    assert_eq!(run[1][4], serde_json::json!([540, 300]));
    assert_eq!(run[3][6], HOSTILE, "what is typed");
    assert_eq!(run[4][3], HOSTILE);
    assert_eq!((&run[7][3], &run[11][3], &run[12][3]), (&"back".into(), &"left".into(), &"natural".into()));
    let shown =
        serde_json::json!(["expect_shown", calls[1][0][1], {"resourceId": "org.ex:id/row"}, [HOSTILE]]);
    assert_eq!(calls[1][0], shown);
    assert_eq!(
        (&calls[1][1][0], &calls[1][1][3]),
        (&"expect_at_most".into(), &1.into()),
        "the model holds one"
    );
}

/// Takes the place of uiautomator2: a phone that shows what `SCREEN` says, and fails where `FAILS` says.
const UIAUTOMATOR2: &str = "
import json, os, time
clock = [0.0]
def now():
    clock[0] += 1.0
    return clock[0]
time.time, time.sleep = now, lambda seconds: None
fails = os.environ['FAILS']
ANSWERS = {
    'settings get global airplane_mode_on': '0', 'settings get global zen_mode': '0',
    'settings get secure location_mode': '3', 'settings get system time_12_24': '24',
    'wm density': 'Physical density: 480', 'getprop persist.sys.timezone': 'GMT',
}
class Device:
    starts = 0
    def __call__(self, **parts):
        if fails == 'step' or (fails == 'check' and self.starts == 2):
            raise RuntimeError('the phone is gone \\x1b[31m')
        shown = json.loads(os.environ['SCREEN'])
        return [self for one in shown if all(one.get(name) == value for name, value in parts.items())]
    def app_list(self):
        return [] if fails == 'install' else ['org.ex']
    def app_start(self, app, wait):
        self.starts += 1
    def window_size(self):
        return 1080, 1920
    def shell(self, command):
        print('shell: ' + command)
        answer = 'android.permission.CAMERA: granted=true' if 'dumpsys package' in command else 'Night mode: no'
        answer = ANSWERS.get(command, answer)
        return type('Answer', (), {'output': answer})
    def __getattr__(self, name):
        return lambda *words, **named: None
def connect(serial):
    if fails == 'connect':
        raise RuntimeError('no device')
    return Device()
";

#[test]
fn a_python_script_ends_with_what_it_saw_and_with_2_where_it_saw_nothing() {
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let modules = folder.path().join("modules");
    std::fs::create_dir(&modules).unwrap();
    file(&modules, "uiautomator2.py", UIAUTOMATOR2);
    let run = |script: &Path, shown: &[&str], fails: &str| {
        let rows = shown.iter().map(|text| serde_json::json!({"resourceId": "org.ex:id/row", "text": text}));
        let output = Command::new("python3")
            .arg(script)
            .env("PYTHONPATH", if fails == "import" { folder.path() } else { &modules })
            .env("PYTHONNOUSERSITE", "1")
            .env("SCREEN", serde_json::Value::from_iter(rows).to_string())
            .env("FAILS", fails)
            .output()
            .unwrap();
        let told = [output.stdout, output.stderr].concat();
        assert!(told.is_ascii() && !told.contains(&0x1b), "a text reaches the terminal");
        (output.status.code().unwrap(), String::from_utf8(told).unwrap())
    };
    let python = |text: &str, name: &str, facts: &ReportFacts| {
        let script = export_finding(&finding(text), facts, ExportKind::Uiautomator2, &mut no_progress);
        file(folder.path(), name, script.unwrap())
    };
    for text in [HOSTILE, "a"] {
        let script = python(text, "script.py", &facts(text));
        for (shown, fails, code, told) in [
            (&[text][..], "", 0, "As it should be."),
            (&[text, text], "", 1, "BUG: "),
            (&["other"], "", 1, "BUG: "),
            (&[text], "import", 2, "pip install uiautomator2"),
            (&[text], "connect", 2, "no device"),
            (&[text], "install", 2, "not installed"),
            (&[text], "step", 2, "the phone is gone"),
            (&[text, text], "check", 2, "the phone is gone"),
        ] {
            let (ended, said) = run(&script, shown, fails);
            assert!(ended == code && said.contains(told), "{fails}: {ended}\n{said}");
        }
    }
    // The specification has no such function, so only a person can say whether it is as it should be.
    let (ended, said) = run(&python("a", "eyes.py", &facts("b")), &["a"], "");
    assert!(ended == 2 && said.contains("look at the screen: "), "{ended}\n{said}");
}

#[test]
fn a_python_script_does_what_happens_around_the_app() {
    let script = export_around(ExportKind::Uiautomator2);
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "uiautomator2.py", UIAUTOMATOR2);
    let path = file(folder.path(), "script.py", script);
    let told = succeed(
        Command::new("python3")
            .arg(path)
            .env("PYTHONPATH", folder.path())
            .env("SCREEN", r#"[{"resourceId": "org.ex:id/row", "text": "a"}]"#)
            .env("FAILS", ""),
    );
    for command in AROUND {
        assert!(told.contains(&format!("shell: {command}\n")), "{command}\n{told}");
    }
    let reset = told.rfind("dumpsys battery reset");
    assert!(told.contains("As it should be.\n") && reset > told.find("As it should be."), "{told}");
}

/// Runs the part of a script that finds widgets by the labels beside them, on a phone that tells what it is asked.
const BESIDE: &str = "
import ast, sys
tree = ast.parse(open(sys.argv[1], encoding='utf-8').read())
wanted = ('ATTRIBUTES', 'SIDES', 'xpath_text', 'neighbours')
named = lambda node: getattr(node, 'name', None) or getattr(getattr(node, 'targets', [None])[0], 'id', None)
exec(compile(ast.Module([node for node in tree.body if named(node) in wanted], []), 'script', 'exec'))
class Label:
    def right(self, **parts):
        return ('right', parts)
    def down(self, **parts):
        return None
class Phone:
    def __call__(self, **parts):
        return [Label()] if parts == {'text': 'Title'} else []
    def xpath(self, source):
        self.source = source
        return self
    def all(self):
        return [self.source]
print(neighbours(Phone(), 'right-of', 'Title', {'className': 'E'}))
print(neighbours(Phone(), 'below', 'Title', {}))
print(neighbours(Phone(), 'labelled', \"it's\", {'className': 'E'})[0])
";

#[test]
fn a_python_script_finds_widgets_by_the_labels_beside_them() {
    let script = export(HOSTILE, ExportKind::Uiautomator2);
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "script.py", script);
    let told = succeed(Command::new("python3").args(["-c", BESIDE]).arg(&path));
    let text = "concat('it', \"'\", 's')";
    let xpath = format!(
        "//*[@text={text} or @content-desc={text} or @hint={text}]/ancestor-or-self::*[@class='E'][1]"
    );
    assert_eq!(told, format!("[('right', {{'className': 'E'}})]\n[]\n{xpath}\n"));
}
