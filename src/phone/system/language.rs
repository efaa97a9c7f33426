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

/// Defines the texts of the system's own windows, and what they are in English, German and French.
macro_rules! texts {
    ($($(#[$about:meta])* $name:ident: $type:ty = $english:expr, $german:expr, $french:expr;)+) => {
        /// The texts of the system's own windows.
        #[derive(Debug)]
        pub(crate) struct Words {
            $($(#[$about])* pub $name: $type,)+
        }

        impl Language {
            pub(crate) fn words(self) -> &'static Words {
                match self {
                    Language::English => &Words { $($name: $english,)+ },
                    Language::German => &Words { $($name: $german,)+ },
                    Language::French => &Words { $($name: $french,)+ },
                }
            }
        }
    };
}

texts! {
    recent_apps: &'static str = "Recent apps", "Letzte Apps", "Applications récentes";
    no_recent_apps: &'static str = "No recent items", "Keine aktuellen Elemente", "Aucun élément récent";
    no_notifications: &'static str = "No notifications", "Keine Benachrichtigungen", "Aucune notification";
    /// The texts before the app's name, between it and the permission, and after that.
    allow_to_use: [&'static str; 3] =
        ["Allow ", " to use the ", "?"],
        ["", " den Zugriff erlauben: ", "?"],
        ["Autoriser ", " à utiliser : ", " ?"];
    /// The texts before and after the app's name.
    allow_to_notify: [&'static str; 2] =
        ["Allow ", " to send you notifications?"],
        ["", " erlauben, dir Benachrichtigungen zu senden?"],
        ["Autoriser ", " à vous envoyer des notifications ?"];
    allow: &'static str = "ALLOW", "ZULASSEN", "AUTORISER";
    deny: &'static str = "DENY", "ABLEHNEN", "REFUSER";
    /// Follows the app's name.
    has_stopped: &'static str = "has stopped", "wurde beendet", "s'est arrêté";
    open_again: &'static str = "OPEN APP AGAIN", "APP ERNEUT ÖFFNEN", "ROUVRIR L'APPLI";
    /// Follows the app's name.
    not_responding: &'static str = "isn't responding", "reagiert nicht", "ne répond pas";
    wait: &'static str = "WAIT", "WARTEN", "ATTENDRE";
    close_app: &'static str = "CLOSE APP", "APP SCHLIESSEN", "FERMER L'APPLI";
    low_battery: &'static str =
        "The battery is low: 5 % left",
        "Der Akku ist schwach: noch 5 %",
        "La batterie est faible : 5 % restants";
    understood: &'static str = "GOT IT", "OK", "OK";
    call_from: &'static str = "Call from", "Anruf von", "Appel de";
    decline: &'static str = "DECLINE", "ABLEHNEN", "REFUSER";
    answer: &'static str = "ANSWER", "ANNEHMEN", "RÉPONDRE";
    call_with: &'static str = "In a call with", "Im Gespräch mit", "En communication avec";
    hang_up: &'static str = "HANG UP", "AUFLEGEN", "RACCROCHER";
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
    pub(crate) fn next(self) -> Language {
        match self {
            Language::English => Language::German,
            Language::German => Language::French,
            Language::French => Language::English,
        }
    }
}
