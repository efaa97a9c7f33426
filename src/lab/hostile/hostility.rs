//! The kinds of hostility.

use std::fmt;
use std::str::FromStr;

use taproof_screen::words;

use crate::adverts::Adverts;
use crate::animations::Animations;
use crate::changing_texts::ChangingTexts;
use crate::cropped_web::CroppedWeb;
use crate::edge_to_edge::EdgeToEdge;
use crate::fold::Fold;
use crate::foreign_windows::ForeignWindows;
use crate::jitter::Jitter;
use crate::keyboards::Keyboards;
use crate::nodes::{LateNodes, Miscounted};
use crate::perturbation::Perturbation;
use crate::secure::Secure;
use crate::server_lists::ServerLists;

words! {
    /// A way in which real phones misbehave. They are in the order in which they change what an app shows: what changes the
    /// content comes before what is in front of it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Hostility {
        /// Lists come from a server: seconds late, in another order, in part, or not at all.
        ServerLists = "server-lists",
        /// Parts of pages are web views, whose trees come late, are cut off, and reach beyond the screen.
        CroppedWeb = "cropped-web",
        /// Banners show another advert every few seconds. A touch opens the browser.
        Adverts = "adverts",
        /// Clocks, relative times, tips and badges change by themselves.
        ChangingTexts = "changing-texts",
        /// Something on the page moves without end, and the phone waits in vain for it to come to rest.
        Animations = "animations",
        /// Parts of a page come up to three seconds after the rest.
        LateNodes = "late-nodes",
        /// One of fifty layouts lacks nodes that are there.
        MissingNodes = "missing-nodes",
        /// One of fifty layouts has nodes twice.
        DoubledNodes = "doubled-nodes",
        /// Places differ by a few pixels from layout to layout, and the phone pauses for seconds.
        Jitter = "jitter",
        /// Keyboards of several heights, or beside the screen, which cover what is below them.
        Keyboards = "keyboards",
        /// Apps draw behind the bars of the system, and gestures at the edges go back and home.
        EdgeToEdge = "edge-to-edge",
        /// Pictures of some pages are black.
        Secure = "secure",
        /// Windows of the system, the store, the vendor and other apps lie in front until they are closed.
        ForeignWindows = "foreign-windows",
        /// The phone is folded and unfolded: the screen has another size, and activities are recreated.
        Fold = "fold",
    }
    /// The kind as commands name it.
    pub fn word;
    /// All kinds, in the order of their declaration.
    pub const ALL;
}

impl Hostility {
    pub(crate) fn perturbation(self) -> Box<dyn Perturbation> {
        match self {
            Hostility::ServerLists => Box::<ServerLists>::default(),
            Hostility::CroppedWeb => Box::<CroppedWeb>::default(),
            Hostility::Adverts => Box::<Adverts>::default(),
            Hostility::ChangingTexts => Box::<ChangingTexts>::default(),
            Hostility::Animations => Box::<Animations>::default(),
            Hostility::LateNodes => Box::<LateNodes>::default(),
            Hostility::MissingNodes => Box::new(Miscounted { twice: false }),
            Hostility::DoubledNodes => Box::new(Miscounted { twice: true }),
            Hostility::Jitter => Box::new(Jitter),
            Hostility::Keyboards => Box::<Keyboards>::default(),
            Hostility::EdgeToEdge => Box::<EdgeToEdge>::default(),
            Hostility::Secure => Box::<Secure>::default(),
            Hostility::ForeignWindows => Box::<ForeignWindows>::default(),
            Hostility::Fold => Box::<Fold>::default(),
        }
    }
}

/// Some kinds of hostility, each once and in order. Their words are parted by commas; `all` are all kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hostilities(Vec<Hostility>);

impl Hostilities {
    /// The kinds, in the order in which they change what an app shows.
    pub fn kinds(&self) -> &[Hostility] {
        &self.0
    }
}

impl fmt::Display for Hostilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(","))
    }
}

impl FromIterator<Hostility> for Hostilities {
    fn from_iter<I: IntoIterator<Item = Hostility>>(kinds: I) -> Self {
        let mut kinds: Vec<Hostility> = kinds.into_iter().collect();
        kinds.sort_unstable();
        kinds.dedup();
        Hostilities(kinds)
    }
}

impl FromStr for Hostilities {
    type Err = String;

    fn from_str(words: &str) -> Result<Self, String> {
        if words == "all" {
            return Ok(Hostility::ALL.into_iter().collect());
        }
        let named = |word: &str| {
            let known = Hostility::ALL.into_iter().find(|kind| kind.word() == word);
            known.ok_or_else(|| {
                let all = Hostility::ALL.map(Hostility::word).join(", ");
                format!("no hostility is called {word:?}; there are {all}, and all for every one")
            })
        };
        words.split(',').map(|word| named(word.trim())).collect()
    }
}
