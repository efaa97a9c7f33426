//! What a repair found out.

use std::sync::Arc;
use taproof_screen::words;

use taproof_screen::Layout;
use taproof_spec::repair::{Mend, Proposal, Sight, Spot};
use taproof_spec::{Spec, SpecSelector};

/// Hears of a repair while it runs.
pub trait RepairSink {
    /// This function is looked at, the one of this index of so many.
    fn begins(&mut self, _function: &str, _index: usize, _of: usize) {}
    /// This came of a function.
    fn ended(&mut self, _function: &FunctionRepair) {}
}

impl RepairSink for crate::NullSink {}

/// What came of the repair of a specification.
#[derive(Clone, Debug)]
pub struct RepairReport {
    /// The functions in the order of the file.
    pub functions: Vec<FunctionRepair>,
    /// The specification with the mends that passed their try.
    pub spec: Spec,
    /// Whether every function was looked at and holds.
    pub complete: bool,
}

/// What came of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionRepair {
    /// Its name.
    pub name: String,
    /// How it stands now.
    pub end: FunctionEnd,
    /// What it no longer found, with what is proposed, in the order of its steps.
    pub proposed: Vec<Proposed>,
}

words! {
    /// How a function stands after the repair.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FunctionEnd {
        /// It holds as it is.
        Holds = "holds",
        /// It holds, but by another way than before, or because something that must not be shown has another name now.
        HoldsUnproven = "not proven",
        /// It holds with its mends.
        Mended = "mended",
        /// Everything was found, but a condition does not hold, or the app failed: that is no matter of the specification.
        MayBeBug(String) = "may be a bug",
        /// No mend let it hold; with how the best one ended.
        NotMended(String) = "not mended",
        /// It came to no judgement, for a reason that no mend changes.
        NotJudged(String) = "not judged",
        /// It did not hold in the old version either, so nothing is known of it.
        NotKnown = "did not hold before",
        /// Its weight is 0, so it was not looked at.
        SwitchedOff = "switched off",
    }
    /// The end in a word or two.
    pub fn word(&self);
}

impl FunctionEnd {
    /// Whether there is nothing to be mended, or nothing that could be.
    pub fn is_final(&self) -> bool {
        self.holds() || matches!(self, FunctionEnd::NotKnown | FunctionEnd::SwitchedOff)
    }

    /// Whether the function holds.
    pub fn holds(&self) -> bool {
        matches!(self, FunctionEnd::Holds | FunctionEnd::Mended)
    }

    /// What is to be said in addition.
    pub fn told(&self) -> Option<&str> {
        match self {
            FunctionEnd::MayBeBug(told) | FunctionEnd::NotMended(told) | FunctionEnd::NotJudged(told) => {
                Some(told)
            }
            FunctionEnd::HoldsUnproven => Some(
                "It held, but not in the way that it did before, or what must not be shown may only have another name now: \
                 look at it once by hand",
            ),
            FunctionEnd::Holds | FunctionEnd::Mended | FunctionEnd::NotKnown | FunctionEnd::SwitchedOff => {
                None
            }
        }
    }
}

/// Something that a function no longer found, and what is proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// The name of the function.
    pub function: String,
    /// The name of the widget in the function; `None` if only the screen is another one.
    pub widget: Option<String>,
    /// The selector that names nothing any more.
    pub selector: Option<SpecSelector>,
    /// Where it is used.
    pub spot: Spot,
    /// The widget in the old version, where that is known.
    pub old: Option<Sight>,
    /// The screen of the new version.
    pub layout: Arc<Layout>,
    /// What is proposed, the likeliest first.
    pub proposals: Vec<Proposal>,
    /// The proposal that let the function get further.
    pub chosen: Option<usize>,
    /// Whether the function holds with it.
    pub passed: bool,
}

impl Proposed {
    /// The proposal that was chosen, or else the likeliest one.
    pub fn best(&self) -> Option<&Proposal> {
        self.proposals.get(self.chosen.unwrap_or(0))
    }
}

/// A mend that passed its try, with all functions that it changes.
#[derive(Clone, Debug, PartialEq)]
pub struct MendedUse {
    /// The mend.
    pub mend: Mend,
    /// The name of the function by which it was found.
    pub function: String,
}

impl RepairReport {
    /// The mends that passed, in the order in which they were found.
    pub fn mends(&self) -> Vec<MendedUse> {
        let passed = self.functions.iter().flat_map(|it| &it.proposed).filter(|it| it.passed);
        let mended = |it: &Proposed| {
            let mend = it.best()?.mend.clone();
            Some(MendedUse { mend, function: it.function.clone() })
        };
        passed.filter_map(mended).collect()
    }
}
