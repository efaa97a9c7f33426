//! The settings of `auto`: which engines take turns, and how the device's time is divided among them.

use serde::{Deserialize, Serialize};

use super::{Auto, INFO};
use crate::{
    ConfigError, Engine, EngineConfig, EngineInfo, EngineSettings, TestTarget, described, fastbot2, genie,
    keep, odin, pbfdroid, timemachine,
};
use taproof_spec::{Dmf, Spec};

described! {
    /// The settings of the engine. The shares are explained in `src/engine/auto/paper.md`, section 3.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct AutoConfig {
        /// How the device's time is divided.
        pub shares: Shares = Shares::default();
        /// Names of the functions that PBFDroid runs; empty: all.
        pub only: Vec<String> = Vec::new();
    }
}

described! {
    /// How the device's time is divided, as numbers of equal shares. An engine without a share does not run.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Shares {
        /// Shares of the device's time for PBFDroid, which runs only where the specification has functions.
        pub pbfdroid: u32 = 12;
        /// Shares of the device's time for Keep.
        pub keep: u32 = 3;
        /// Shares of the device's time for Genie.
        pub genie: u32 = 3;
        /// Shares of the device's time for ODIN.
        pub odin: u32 = 2;
        /// Shares of the device's time for Fastbot2.
        pub fastbot2: u32 = 0;
        /// Shares of the device's time for TimeMachine.
        pub timemachine: u32 = 0;
    }
}

impl AutoConfig {
    /// The engines that take turns with this specification, each with its share.
    pub(super) fn members(&self, runs_functions: bool) -> Vec<(EngineConfig, u32)> {
        let shares = &self.shares;
        let of: [(&EngineInfo, u32); 6] = [
            (&pbfdroid::INFO, if runs_functions { shares.pbfdroid } else { 0 }),
            (&keep::INFO, shares.keep),
            (&genie::INFO, shares.genie),
            (&odin::INFO, shares.odin),
            (&fastbot2::INFO, shares.fastbot2),
            (&timemachine::INFO, shares.timemachine),
        ];
        let member = |(info, share): (&EngineInfo, u32)| {
            let mut config = (info.config)();
            if let EngineConfig::Pbfdroid(settings) = &mut config {
                settings.only.clone_from(&self.only);
            }
            (config, share)
        };
        of.into_iter().filter(|(_, share)| *share > 0).map(member).collect()
    }
}

impl EngineSettings for AutoConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        Box::new(Auto::new(self, target))
    }

    fn check(&self, spec: &Spec) -> Result<(), ConfigError> {
        let members = self.members(spec.dmfs.iter().any(|dmf| dmf.runs()));
        let what = "sum of the shares of the engines that can run";
        ConfigError::unless(!members.is_empty(), INFO.name, what, 0, "give one of them at least 1")?;
        members.iter().try_for_each(|(member, _)| member.settings().check(spec))
    }

    fn begins_with_traces(&self) -> bool {
        true
    }

    fn judges_outcomes(&self) -> bool {
        self.shares.odin > 0
    }

    fn guards_data(&self) -> bool {
        self.shares.pbfdroid > 0
    }

    fn runs(&self, dmf: &Dmf) -> bool {
        self.members(true).iter().any(|(member, _)| member.settings().runs(dmf))
    }
}
