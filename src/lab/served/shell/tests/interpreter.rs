//! Tests of parsing and running command lines.

use super::{Ran, new_phone, out, run};

fn check(line: &str, expected: &str) {
    let served = new_phone();
    let ran = run(&served, line);
    assert_eq!(ran.out, expected, "{line}: {ran:?}");
}

fn check_error(line: &str, err: &str, code: u8) {
    let served = new_phone();
    let expected = Ran { out: String::new(), err: format!("/system/bin/sh: {err}\n"), code };
    assert_eq!(run(&served, line), expected, "{line}");
}

#[test]
fn quotes_and_variables() {
    for (line, expected) in [
        ("echo a  b", "a b\n"),
        ("echo 'a  b'\"  c\"\\ d", "a  b  c d\n"),
        ("echo 'it'\\''s'", "it's\n"),
        ("echo \"\\$HOME \\\"x\\\" \\y\"", "$HOME \"x\" \\y\n"),
        ("A=1; B='x y'; echo $A${B}z \"$B\"", "1x yz x y\n"),
        ("B='x   y'; echo $B \"$B\"", "x y x   y\n"),
        ("echo \"\" ''|cat", " \n"),
        ("E=; echo a $E b", "a b\n"),
        ("A=b echo $A-; A=1 sh -c 'echo $A'", "-\n1\n"),
        ("false; echo $?; true; echo $?", "1\n0\n"),
        ("echo a#b #c", "a#b\n"),
        ("echo {a,b}c", "{a,b}c\n"),
        ("echo a\\\nb", "ab\n"),
    ] {
        check(line, expected);
    }
}

#[test]
fn commands_within_commands() {
    for (line, expected) in [
        ("echo $(echo a; echo b)", "a b\n"),
        ("echo \"$(echo a; echo b)\"", "a\nb\n"),
        ("echo $(false); echo $?", "\n0\n"),
        ("x=$(false); echo $?", "1\n"),
        ("sh -c 'echo a; exit 3'; echo $?", "a\n3\n"),
    ] {
        check(line, expected);
    }
}

#[test]
fn order_and_conditions() {
    for (line, expected) in [
        ("true && echo a || echo b", "a\n"),
        ("false && echo a || echo b", "b\n"),
        ("false; echo c", "c\n"),
        ("echo a & echo b", "a\nb\n"),
        ("! false && echo a", "a\n"),
        ("if [ -d /sdcard ]; then echo yes; else echo no; fi", "yes\n"),
        ("if false; then echo a; elif true; then echo b; fi", "b\n"),
        ("for x in 1 2 '3 4'; do echo -n \"<$x>\"; done", "<1><2><3 4>"),
        ("[ a = a ] && [ 2 -gt 1 ] && [ ! -e /nope ] && echo ok", "ok\n"),
        ("test -n '' || echo empty", "empty\n"),
        ("echo a\necho b\n\n# c\necho d", "a\nb\nd\n"),
    ] {
        check(line, expected);
    }
}

#[test]
fn streams_go_where_they_are_sent() {
    for (line, expected) in [
        ("echo a > /data/local/tmp/f; echo b >> /data/local/tmp/f; cat /data/local/tmp/f", "a\nb\n"),
        ("nope 2>/dev/null; echo $?", "127\n"),
        ("nope 2>&1", "/system/bin/sh: nope: inaccessible or not found\n"),
        ("echo a >/dev/null", ""),
        ("echo 3>&1", "\n"),
        ("ls /nope > /dev/null 2>&1 < /dev/null || echo failed", "failed\n"),
    ] {
        check(line, expected);
    }
}

#[test]
fn patterns_stand_for_files() {
    let served = new_phone();
    let m = "/sdcard/Movies";
    out(&served, &format!("touch {m}/a.xml {m}/b.xml {m}/.hidden.xml {m}/e.txt"));
    assert_eq!(out(&served, "echo /sdcard/Movies/*.xml"), format!("{m}/a.xml {m}/b.xml\n"));
    assert_eq!(out(&served, "echo /sdcard/M*/[ae].*"), format!("{m}/a.xml {m}/e.txt\n"));
    assert_eq!(out(&served, "echo '/sdcard/M*' /sdcard/no*"), "/sdcard/M* /sdcard/no*\n");
    assert_eq!(out(&served, "rm /sdcard/Movies/*.xml; ls /sdcard/Movies"), "e.txt\n");
}

#[test]
fn mistakes_are_told_as_mksh_tells_them() {
    check_error("nope", "nope: inaccessible or not found", 127);
    check_error("/data/local/tmp/nope x", "/data/local/tmp/nope: inaccessible or not found", 127);
    check_error("/sdcard", "/sdcard: can't execute: Is a directory", 126);
    check_error("echo a)", "syntax error: unexpected ')'", 1);
    check_error("echo a; done", "syntax error: unexpected 'done'", 1);
    check_error("echo 'a", "no closing quote", 1);
    check_error("echo \"a", "no closing quote", 1);
    check_error("echo a > /x", "can't create /x: Read-only file system", 1);
    check_error("cat < /x", "can't open /x: No such file or directory", 1);
    check_error("; a", "syntax error: unexpected ';'", 1);
    check_error("echo $(\n{\n\n} 2>&1\n)", "syntax error: unexpected ';'", 1);
    check_error("a ||", "syntax error: unexpected EOF", 1);
    check_error("echo ${a b}", "${a}: bad substitution", 1);
    check_error("echo `a`", "syntax error: unexpected '`'", 1);
    check_error("cat <<X", "syntax error: unexpected '<'", 1);
    check_error("sort", "sort: inaccessible or not found", 127);
    check_error("sh /sdcard/x", "this device runs no scripts", 127);
}

#[test]
fn a_line_runs_before_the_next_one_is_read() {
    let served = new_phone();
    let ran = run(&served, "echo a\necho 'b");
    assert_eq!((ran.out.as_str(), ran.code), ("a\n", 1));
    assert!(ran.err.contains("no closing quote"));
    let ran = run(&served, "echo a; echo 'b");
    assert_eq!(ran.out, "", "one line is read as a whole");
}

#[test]
fn exit_codes_come_through() {
    let served = new_phone();
    for (line, code) in [
        ("exit 7; echo never", 7),
        ("(exit 3)", 3),
        ("sh -c 'exit 259'", 3),
        ("exec false; true", 1),
        ("false | true", 0),
        ("true | false", 1),
    ] {
        assert_eq!(run(&served, line).code, code, "{line}");
    }
}

#[test]
fn what_never_ends_is_bounded() {
    let served = new_phone();
    for line in ["x() { x; }; x", "x='sh -c \"$x\"'; export x; sh -c \"$x\""] {
        let ran = run(&served, line);
        assert_ne!(ran.code, 0, "{line}");
        assert!(ran.err.len() < 10_000, "{line}: {}", ran.err.len());
    }
    for line in [
        "$(".repeat(5000),
        "(".repeat(5000),
        "`".repeat(5001),
        "${a:-".repeat(5000),
        "$((".repeat(5000),
        format!("[ {} ]", "! ( ".repeat(2000)),
        "true | ".repeat(5000) + "true",
        "if ".repeat(5000),
        "\"$(\"".repeat(5000),
    ] {
        run(&served, &line);
    }
}

#[test]
fn an_empty_line_reads_a_script() {
    let served = new_phone();
    let ran = super::run_with(
        &served,
        "",
        b"pwd\nread x\nword\necho <$x> 2>/dev/null\nexit 4\necho never\n",
        false,
    );
    assert_eq!((ran.out.as_str(), ran.code), ("/\n", 4), "{ran:?}");
}
