//! What engines are meant to see.

use taproof_engine::EngineConfig;
use taproof_phone::Oracle;
use taproof_screen::OracleKind;

/// The techniques of an engine. Every engine sees crashes.
pub fn oracles(engine: &EngineConfig) -> &'static [Oracle] {
    match engine {
        EngineConfig::Pbfdroid(_) => &[Oracle::Crash, Oracle::Property],
        EngineConfig::Genie(_) => &[Oracle::Crash, Oracle::Genie],
        EngineConfig::Odin(_) => &[Oracle::Crash, Oracle::Odin],
        EngineConfig::Auto(_) => &[
            Oracle::Crash,
            Oracle::Property,
            Oracle::Genie,
            Oracle::Odin,
            Oracle::Preservation,
            Oracle::Agreement,
        ],
        EngineConfig::Keep(_) => &[Oracle::Crash, Oracle::Preservation],
        EngineConfig::Fastbot2(_) | EngineConfig::TimeMachine(_) | EngineConfig::Monkey(_) => {
            &[Oracle::Crash]
        }
    }
}

/// The technique that an oracle of campaigns belongs to.
pub fn technique(kind: OracleKind) -> Oracle {
    match kind {
        OracleKind::Property | OracleKind::Invariant => Oracle::Property,
        OracleKind::Crash | OracleKind::NotResponding | OracleKind::LogError | OracleKind::Loading => {
            Oracle::Crash
        }
        OracleKind::IndependentView => Oracle::Genie,
        OracleKind::MayBelief => Oracle::Odin,
        OracleKind::Preservation => Oracle::Preservation,
        OracleKind::Agreement => Oracle::Agreement,
    }
}
