//! What screens of blueprints show, and what closes, turns or translates them.

use taproof_core::determinism::Rng;
use taproof_core::model::{Event, SystemEvent};

use super::*;
use crate::Apps;
use crate::apps::hand::Hand;

/// A phone with an app of this blueprint in front, and the bugs that operators make with its first type.
fn hand(blueprint: &Blueprint, operators: &[Operator]) -> Hand {
    let on =
        blueprint.faults().into_iter().filter(|it| it.data_type == 0 && operators.contains(&it.operator));
    let bugs = BugSet::of(on.map(|fault| fault.id));
    let app = blueprint.clone().into_app();
    Hand { phone: Apps::with([app]).unwrap().open(app.short_name(), &bugs).unwrap() }
}

/// The generated app with this seed, with these traps only.
fn trapped(seed: u64, traps: &[Trap]) -> Blueprint {
    Blueprint { traps: traps.to_vec(), ..Blueprint::generate(seed, Size::Small) }
}

#[test]
fn further_traps_leave_the_draws_of_the_first_ones_alone() {
    let first = [Trap::Clock, Trap::Tips, Trap::Advert, Trap::Animation, Trap::Shuffle];
    let mut seen = Vec::new();
    for seed in 1..40 {
        let mut rng = Rng::from_seed(seed).fork("traps");
        let mut drawn: Vec<Trap> = first.into_iter().filter(|_| rng.chance(1, 2)).collect();
        if drawn.is_empty() {
            drawn.push(Trap::Clock);
        }
        let traps = Blueprint::generate(seed, Size::Small).with_traps(seed).traps;
        assert_eq!(traps[..drawn.len()], drawn, "{seed}");
        seen.extend_from_slice(&traps[drawn.len()..]);
    }
    assert!(seen.contains(&Trap::Notice), "{seen:?}");
}

#[test]
fn a_notice_covers_the_first_list_until_it_is_closed() {
    let blueprint = trapped(1, &[Trap::Notice]);
    let mut hand = hand(&blueprint, &[]);
    let new = format!("New {}", blueprint.types[0].noun);
    let is_covered = |hand: &mut Hand| !hand.shows(&new);
    assert!(is_covered(&mut hand) && hand.shows("Got it"));
    hand.back();
    assert!(!is_covered(&mut hand));
    for visit in 2..=8 {
        hand.perform(&Event::Relaunch);
        assert_eq!(is_covered(&mut hand), visit % 4 == 0, "{visit}");
        if is_covered(&mut hand) {
            hand.tap(notice::NOT_NOW);
        }
    }
    // A process that is restored shows what was there before.
    for _ in 0..4 {
        hand.perform(&Event::System(SystemEvent::ProcessDeath));
        assert!(!is_covered(&mut hand));
    }
}
