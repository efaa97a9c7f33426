//! The languages of the phone, and the texts of the system in each.

/// A language of the phone. Most bundled apps are always in English, like apps without translations; some blueprints are
/// translated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, the language of a new phone.
    #[default]
    English,
    /// German, which follows English.
    German,
    /// French, which follows German.
    French,
}

/// The texts of the system's own windows.
#[derive(Debug)]
pub(super) struct Words {
    pub recent_apps: &'static str,
    pub no_recent_apps: &'static str,
    pub no_notifications: &'static str,
    /// The texts before the app's name, between it and the permission, and after that.
    pub allow_to_use: [&'static str; 3],
    /// The texts before and after the app's name.
    pub allow_to_notify: [&'static str; 2],
    pub allow: &'static str,
    pub deny: &'static str,
    /// Follows the app's name.
    pub has_stopped: &'static str,
    pub open_again: &'static str,
    /// Follows the app's name.
    pub not_responding: &'static str,
    pub wait: &'static str,
    pub close_app: &'static str,
    pub low_battery: &'static str,
    pub understood: &'static str,
    pub call_from: &'static str,
    pub decline: &'static str,
    pub answer: &'static str,
    pub call_with: &'static str,
    pub hang_up: &'static str,
}

impl Words {
    /// The question whether an app may have a permission.
    pub fn may_the_app(&self, label: &str, permission: &str) -> String {
        let name = permission.rsplit('.').next().unwrap_or(permission).to_lowercase();
        if name == "post_notifications" {
            let [before, behind] = self.allow_to_notify;
            return format!("{before}{label}{behind}");
        }
        let [before, between, behind] = self.allow_to_use;
        format!("{before}{label}{between}{name}{behind}")
    }
}

impl Language {
    /// The language that follows when the language is changed.
    pub(super) fn next(self) -> Language {
        match self {
            Language::English => Language::German,
            Language::German => Language::French,
            Language::French => Language::English,
        }
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Language::English => &Words {
                recent_apps: "Recent apps",
                no_recent_apps: "No recent items",
                no_notifications: "No notifications",
                allow_to_use: ["Allow ", " to use the ", "?"],
                allow_to_notify: ["Allow ", " to send you notifications?"],
                allow: "ALLOW",
                deny: "DENY",
                has_stopped: "has stopped",
                open_again: "OPEN APP AGAIN",
                not_responding: "isn't responding",
                wait: "WAIT",
                close_app: "CLOSE APP",
                low_battery: "The battery is low: 5 % left",
                understood: "GOT IT",
                call_from: "Call from",
                decline: "DECLINE",
                answer: "ANSWER",
                call_with: "In a call with",
                hang_up: "HANG UP",
            },
            Language::German => &Words {
                recent_apps: "Letzte Apps",
                no_recent_apps: "Keine aktuellen Elemente",
                no_notifications: "Keine Benachrichtigungen",
                allow_to_use: ["", " den Zugriff erlauben: ", "?"],
                allow_to_notify: ["", " erlauben, dir Benachrichtigungen zu senden?"],
                allow: "ZULASSEN",
                deny: "ABLEHNEN",
                has_stopped: "wurde beendet",
                open_again: "APP ERNEUT ÖFFNEN",
                not_responding: "reagiert nicht",
                wait: "WARTEN",
                close_app: "APP SCHLIESSEN",
                low_battery: "Der Akku ist schwach: noch 5 %",
                understood: "OK",
                call_from: "Anruf von",
                decline: "ABLEHNEN",
                answer: "ANNEHMEN",
                call_with: "Im Gespräch mit",
                hang_up: "AUFLEGEN",
            },
            Language::French => &Words {
                recent_apps: "Applications récentes",
                no_recent_apps: "Aucun élément récent",
                no_notifications: "Aucune notification",
                allow_to_use: ["Autoriser ", " à utiliser : ", " ?"],
                allow_to_notify: ["Autoriser ", " à vous envoyer des notifications ?"],
                allow: "AUTORISER",
                deny: "REFUSER",
                has_stopped: "s'est arrêté",
                open_again: "ROUVRIR L'APPLI",
                not_responding: "ne répond pas",
                wait: "ATTENDRE",
                close_app: "FERMER L'APPLI",
                low_battery: "La batterie est faible : 5 % restants",
                understood: "OK",
                call_from: "Appel de",
                decline: "REFUSER",
                answer: "RÉPONDRE",
                call_with: "En communication avec",
                hang_up: "RACCROCHER",
            },
        }
    }
}
