//! Events around the apps: network, battery, calls, the configuration and other settings, the screen, what ends in the background, revoked
//! permissions.

use taproof_screen::SystemEvent;

use super::process::Configuration;
use super::running::Running;
use super::system_ui::{DIALER, LauncherPage, Prompt, SYSTEM_UI};
use crate::Setting;
use crate::app::{BugSet, Package, SystemOp};
use crate::phone::Phone;

/// The package whose window is in front while the screen is off.
const LOCK_SCREEN: &str = "com.android.keyguard";

impl Phone {
    /// Performs an event. Returns how long it takes, in milliseconds.
    pub(crate) fn system_event(&mut self, what: SystemEvent) -> u64 {
        let config = self.state.config;
        match what {
            SystemEvent::NetworkOff => self.set_network(false),
            SystemEvent::NetworkOn => self.set_network(true),
            SystemEvent::LowBattery => self.battery_is_low(),
            SystemEvent::IncomingCall => self.somebody_calls(),
            SystemEvent::Locale => {
                self.configure(Configuration { language: config.language.next(), ..config });
            }
            SystemEvent::DarkMode => self.configure(Configuration { dark: !config.dark, ..config }),
            SystemEvent::FontScale => {
                self.configure(Configuration { large_text: !config.large_text, ..config });
            }
            SystemEvent::SplitScreen => self.configure(Configuration { split: !config.split, ..config }),
            SystemEvent::DisplaySize => {
                self.configure(Configuration { large_display: !config.large_display, ..config });
            }
            SystemEvent::HourFormat => self.switch(Setting::TwelveHours),
            SystemEvent::TimeZone => self.switch(Setting::OtherZone),
            SystemEvent::Location => self.switch(Setting::LocationOff),
            SystemEvent::AirplaneMode => {
                self.switch(Setting::AirplaneMode);
                self.set_network(!self.state.settings.has(Setting::AirplaneMode));
            }
            SystemEvent::DoNotDisturb => self.switch(Setting::DoNotDisturb),
            SystemEvent::LowStorage => self.switch(Setting::LowStorage),
            SystemEvent::Notifications => self.show_notifications(),
            SystemEvent::ScreenOff => {
                self.inform_front(|process, room| process.uncovered(LOCK_SCREEN, room));
            }
            SystemEvent::ActivityDeath => {
                self.leave_and_return(|phone, app| phone.state.apps[app].destroy_activities());
            }
            SystemEvent::Background => self.leave_and_return(|_, _| {}),
            SystemEvent::ProcessDeath => self.leave_and_return(|phone, app| phone.state.apps[app].kill()),
            SystemEvent::RevokePermission => self.leave_and_return(|phone, app| {
                // Android ends the process of an app only if the app loses a permission.
                if phone.state.apps[app].revoke() {
                    phone.state.apps[app].kill();
                }
            }),
            SystemEvent::GrantPermission => {
                self.leave_and_return(|phone, app| phone.state.apps[app].grant_revoked());
            }
        }
        match what {
            SystemEvent::NetworkOff
            | SystemEvent::NetworkOn
            | SystemEvent::HourFormat
            | SystemEvent::TimeZone
            | SystemEvent::Location
            | SystemEvent::AirplaneMode
            | SystemEvent::DoNotDisturb
            | SystemEvent::LowStorage => 100,
            SystemEvent::LowBattery | SystemEvent::IncomingCall | SystemEvent::Notifications => 300,
            SystemEvent::Locale
            | SystemEvent::DarkMode
            | SystemEvent::FontScale
            | SystemEvent::DisplaySize
            | SystemEvent::SplitScreen => 500,
            SystemEvent::Background
            | SystemEvent::ScreenOff
            | SystemEvent::ActivityDeath
            | SystemEvent::GrantPermission => 1000,
            SystemEvent::ProcessDeath | SystemEvent::RevokePermission => 1800,
        }
    }

    /// Switches a setting, and informs the app in front.
    fn switch(&mut self, setting: Setting) {
        self.state.settings.switch(setting);
        self.inform_front(|process, room| process.setting_changed(setting, room));
    }

    /// Switches the network, and informs the app in front if that changes anything.
    fn set_network(&mut self, on: bool) {
        if std::mem::replace(&mut self.state.network, on) != on {
            self.inform_front(|process, room| process.network_changed(room));
        }
    }

    fn battery_is_low(&mut self) {
        let words = self.state.config.language.words();
        let buttons = vec![(words.understood, SystemOp::Dismiss)];
        self.show_prompt(Prompt::<SYSTEM_UI>::new(words.low_battery, buttons));
    }

    fn somebody_calls(&mut self) {
        let words = self.state.config.language.words();
        let title = format!("{} 555 0123", words.call_from);
        let buttons = vec![(words.decline, SystemOp::Dismiss), (words.answer, SystemOp::AnswerCall)];
        self.show_prompt(Prompt::<DIALER>::new(title, buttons));
    }

    /// Shows an answered call, which continues until the user ends it.
    pub(crate) fn in_a_call(&mut self) {
        self.state.overlays.pop();
        let words = self.state.config.language.words();
        let title = format!("{} 555 0123", words.call_with);
        self.show_prompt(Prompt::<DIALER>::new(title, vec![(words.hang_up, SystemOp::Dismiss)]));
    }

    /// Opens the list of notifications, unless a dialog of the system is in front.
    pub(crate) fn show_notifications(&mut self) {
        if self.state.overlays.is_empty() {
            self.show_prompt(Prompt::<SYSTEM_UI>::install(&BugSet::none()));
        }
    }

    fn show_prompt<const SPEAKER: usize>(&mut self, prompt: Prompt<SPEAKER>) {
        let front = self.state.front;
        self.show_overlay(Running::of_system(prompt), front);
    }

    /// Sends the app under test to the background, calls `meanwhile`, and opens the app again.
    fn leave_and_return(&mut self, meanwhile: impl FnOnce(&mut Phone, usize)) {
        let Some(app) = self.state.under_test else { return };
        self.start_launcher(LauncherPage::Home);
        meanwhile(self, app);
        self.bring_to_front(app);
    }
}
