//! How alike a widget of a new version is to one of an old version, with the reasons.

use super::portrait::Portrait;
use taproof_screen::{CommonWords, names_alike};

/// How alike two widgets are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Likeness {
    /// From 0 to 1.
    pub score: f64,
    /// What speaks for it, the weightiest first.
    pub reasons: Vec<String>,
}

/// How much each thing counts that is known of the old widget.
mod weight {
    pub const ID: f64 = 30.0;
    pub const SAYS: f64 = 30.0;
    pub const LABEL: f64 = 25.0;
    pub const CLASS: f64 = 10.0;
    pub const CLICKABLE: f64 = 6.0;
    pub const CHECKABLE: f64 = 6.0;
    pub const PLACE: f64 = 16.0;
    pub const LIST: f64 = 12.0;
}

/// From here on a likeness is worth being named as a reason.
const TELLING: f64 = 0.55;

/// Compares a widget of the new version with what is known of the old one.
pub(super) fn likeness(old: &Portrait, new: &Portrait, commons: &CommonWords) -> Likeness {
    let mut sum = Sum::default();
    if let Some(id) = &old.id {
        let (one, other) = (short(id), new.id.as_deref().map_or("", short));
        let value = if other.is_empty() { 0.0 } else { names_alike(one, other, commons) };
        sum.add(weight::ID, value, || match value >= 1.0 && one == other {
            true => format!("it has the id {other:?}"),
            false => format!("its id {other:?} is like {one:?}"),
        });
    }
    if let Some(words) = &old.says {
        let says = new.says.as_deref().unwrap_or_default();
        let value = if says.is_empty() { 0.0 } else { names_alike(words, says, commons) };
        sum.add(weight::SAYS, value, || match words == says {
            true => format!("it says {says:?}"),
            false => format!("{says:?} means what {words:?} did"),
        });
    }
    if let Some(label) = &old.label {
        let now = new.label.as_deref().unwrap_or_default();
        let value = if now.is_empty() { 0.0 } else { names_alike(label, now, commons) };
        sum.add(weight::LABEL, value, || format!("it is labelled {now:?}"));
    }
    if let Some(class) = &old.class {
        let same = new.class.as_ref() == Some(class);
        let role = old.role.is_some() && old.role == new.role;
        let value = if same {
            1.0
        } else if role {
            0.6
        } else {
            0.0
        };
        let kind = class.rsplit('.').next().unwrap_or(class);
        sum.add(weight::CLASS, value, || format!("it is a {kind} as well"));
    }
    let mut equal = |weight, one: Option<bool>, other: Option<bool>| {
        if one.is_some() && other.is_some() {
            sum.add(weight, f64::from(u8::from(one == other)), String::new);
        }
    };
    equal(weight::CLICKABLE, old.clickable, new.clickable);
    equal(weight::CHECKABLE, old.checkable, new.checkable);
    equal(weight::LIST, old.in_list, new.in_list);
    if let (Some(one), Some(other)) = (old.at, new.at) {
        let distance = (one.0 - other.0).hypot(one.1 - other.1);
        sum.add(weight::PLACE, 1.0 - (distance * 1.6).min(1.0), || "it stands at the same place".to_owned());
    }
    sum.likeness()
}

#[derive(Default)]
struct Sum {
    known: f64,
    value: f64,
    reasons: Vec<(f64, String)>,
}

impl Sum {
    fn add(&mut self, weight: f64, value: f64, reason: impl FnOnce() -> String) {
        self.known += weight;
        self.value += weight * value;
        if value >= TELLING {
            let reason = reason();
            if !reason.is_empty() {
                self.reasons.push((weight * value, reason));
            }
        }
    }

    fn likeness(mut self) -> Likeness {
        self.reasons.sort_by(|one, other| other.0.total_cmp(&one.0));
        let score = if self.known > 0.0 { self.value / self.known } else { 0.0 };
        Likeness { score, reasons: self.reasons.into_iter().map(|(_, reason)| reason).collect() }
    }
}

fn short(id: &str) -> &str {
    id.rsplit_once(":id/").map_or(id, |(_, short)| short)
}
