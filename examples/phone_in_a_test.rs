//! The bundled phone in a test: driven by events, looked at by selectors and XPaths. Nothing takes real time, and two runs are
//! the same.
//!
//! Copy the test into your own crate. `cargo test --example phone_in_a_test` runs it as a test, `cargo run --example
//! phone_in_a_test` by hand.

use std::error::Error;

use taproof::device::{Device, Event, Gesture, Key, Selector, XPath};
use taproof::phone::{Apps, BugSet, Phone};

/// Taps what the selector names, where a touch reaches it.
fn touch(phone: &mut Phone, selector: Selector, gesture: Gesture) -> Result<(), Box<dyn Error>> {
    let layout = phone.observe()?.layout;
    let event = Event::on(&layout, selector.clone(), gesture);
    Ok(phone.perform(&event.ok_or_else(|| format!("{selector} is not on the screen"))?)?)
}

fn by_id(id: &str) -> Selector {
    Selector { resource_id: Some(format!("org.taproof.files:id/{id}")), ..Selector::default() }
}

fn by_text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}

/// How many widgets on the screen an XPath names.
fn count(phone: &mut Phone, xpath: &str) -> Result<usize, Box<dyn Error>> {
    Ok(XPath::parse(xpath)?.select(&phone.observe()?.layout).len())
}

fn a_new_folder_is_in_the_list() -> Result<(), Box<dyn Error>> {
    // The file manager without its catalogued bugs, with fresh data.
    let mut phone = Apps::default().open("files", &BugSet::none())?;
    touch(&mut phone, by_id("sd_main_fab"), Gesture::Tap)?;
    touch(&mut phone, by_text("Folder"), Gesture::Tap)?;
    touch(&mut phone, by_id("singleedittext_input"), Gesture::SetText("Holidays".to_owned()))?;
    touch(&mut phone, by_text("Create"), Gesture::Tap)?;
    assert_eq!(count(&mut phone, "//*[@resource-id='org.taproof.files:id/firstline'][@text='Holidays']")?, 1);

    // It is there after the process ended, too.
    phone.perform(&Event::Relaunch)?;
    assert_eq!(count(&mut phone, "//*[@text='Holidays']")?, 1);

    // Turned sideways the screen is wider than high; Back leaves the app from its first screen.
    phone.perform(&Event::Rotate)?;
    let screen = phone.observe()?.layout.screen();
    assert!(screen.width > screen.height);
    phone.perform(&Event::Key(Key::Back))?;
    assert_eq!(count(&mut phone, "//*[@text='Holidays']")?, 0);
    Ok(())
}

#[test]
fn a_new_folder_is_there() -> Result<(), Box<dyn Error>> {
    a_new_folder_is_in_the_list()
}

fn main() -> Result<(), Box<dyn Error>> {
    a_new_folder_is_in_the_list()?;
    println!("a_new_folder_is_in_the_list: passed");
    Ok(())
}
