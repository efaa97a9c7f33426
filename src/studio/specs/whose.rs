//! Whose a function is: functions of one name may come with the app and be a person's own.

use super::{Documents, SpecDocument};
use taproof_spec::Dmf;

/// Whose a function of a document is, where the app has functions of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The person's own.
    Own,
    /// The person's own, which takes the place of one that comes with the app.
    OwnInPlace,
    /// One that comes with the app, and that one of the person's own takes the place of.
    Replaced,
}

impl Whose {
    /// The words for a tooltip.
    pub fn words(self) -> &'static str {
        match self {
            Whose::Own => "Yours",
            Whose::OwnInPlace => "Yours; in campaigns it takes the place of the one that comes with the app",
            Whose::Replaced => "In campaigns your own function of this name takes its place",
        }
    }
}

impl Documents {
    /// Whose a function of a document is. `None` if it comes with the app, also as an unchanged copy.
    pub fn whose(&self, document: &SpecDocument, dmf: &Dmf) -> Option<Whose> {
        let others = self.of_app(&document.app).filter(|other| other.shipped != document.shipped);
        let mut named = others.flat_map(|other| &other.spec.dmfs).filter(|other| other.name == dmf.name);
        match (document.shipped, named.next()) {
            (true, None) => None,
            (true, Some(own)) => (own != dmf).then_some(Whose::Replaced),
            (false, None) => Some(Whose::Own),
            (false, Some(shipped)) => (shipped != dmf).then_some(Whose::OwnInPlace),
        }
    }

    /// Says that a function of a document takes the place of one that comes with the app, if it does.
    pub(super) fn replacing_words(&self, document: &SpecDocument, name: &str) -> Option<String> {
        let dmf = document.spec.dmfs.iter().find(|dmf| dmf.name == name)?;
        (self.whose(document, dmf) == Some(Whose::OwnInPlace)).then(|| {
            format!(
                "Saved \u{201c}{name}\u{201d}. In campaigns it takes the place of the \u{201c}{name}\u{201d} that comes \
                 with the app."
            )
        })
    }
}
