//! An assistant works with the served phone as with the bundled one.

use taproof_testing::device::adb::ServedPhone;
use taproof_testing::mcp::Client;
use taproof_testing::program::taproof;

#[test]
fn a_script_records_tries_fuzzes_and_explains_over_adb() {
    let Some(phone) = ServedPhone::new("org.taproof.files") else { return };
    let folder = tempfile::tempdir().unwrap();
    let words = ["mcp", "--device", &phone.serial, "--package", "org.taproof.files", "--clear-data"];
    let mut command = taproof(folder.path(), &words);
    command.env("ANDROID_ADB_SERVER_PORT", phone.own.port());
    let mut client = Client::start(command);
    let explained = client.record_try_fuzz_explain(600);
    assert!(explained.contains("### Steps"), "{explained}");
    client.end();
}
