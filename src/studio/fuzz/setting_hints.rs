//! What the settings of the engines that run by default mean. Those of the other engines are named as in their papers.

/// What a setting of an engine means, for its tooltip. `None` if its name is all that is known here.
pub(super) fn setting_hint(engine: &str, key: &str) -> Option<&'static str> {
    match engine {
        "pbfdroid" => pbfdroid_hint(key),
        "keep" => keep_hint(key),
        _ => None,
    }
}

fn pbfdroid_hint(key: &str) -> Option<&'static str> {
    Some(match key {
        "mode" => {
            "full: all functions with random events between them. a: one function at a time, without random events. b: one \
             function at a time with random events"
        }
        "only" => "The names of the functions that run; empty: all",
        "lmax" => "The number of events of a test. Then the app starts again with empty data",
        "blanks" => "How often a random event is drawn, beside the weights of the functions that can start",
        "after_violation" => "Whether a test ends or goes on after a function has done something else",
        "dmf_cap" => "How often one function may run in a test; 0: as often as it is drawn",
        "explore" => "What chooses the random events between functions",
        "interrupt_every" => {
            "One random event in so many is a call, a dark screen or the end of the process; 0: none"
        }
        "detour_every" => {
            "One successful run in so many is followed by a detour that must change nothing, such as turning the phone and back; \
             0: none"
        }
        "way_every" => {
            "One random event in so many on the first screen is instead a way, known from earlier tests, to a function; 0: none"
        }
        "lost_after" => {
            "After so many random events without a function that can start, a test goes to one, on a known way"
        }
        "scroll_limit" => "How many swipes looking for one widget may take",
        "restart_every" => "After so many events the app is started again within a test; 0: never",
        "weights.click" => "How often a random event is a tap, beside the others",
        "weights.long_click" => "How often a random event is a long press, beside the others",
        "weights.scroll" => "How often a random event is a swipe, beside the others",
        "weights.edit" => "How often a random event types a text, beside the others",
        "weights.back" => "How often a random event is the Back key, beside the others",
        "weights.restart" => "How often a random event starts the app again, beside the others",
        "weights.rotate" => "How often a random event turns the phone, beside the others",
        "weights.action_key" => {
            "How often a random event is the keyboard\u{2019}s action key, beside the others"
        }
        _ => return None,
    })
}

fn keep_hint(key: &str) -> Option<&'static str> {
    Some(match key {
        "test_events" => {
            "The number of events of a test, with those of detours. Then the app starts again with empty data"
        }
        "one_in" => "One screen in so many gets a detour, if one is due there",
        "without" => "The names of the detours that are not tried; empty: all are",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::EngineChoice;

    #[test]
    fn each_setting_of_the_engines_that_run_by_default_is_explained() {
        for engine in EngineChoice::all().into_iter().filter(|engine| engine.on) {
            for field in engine.fields() {
                let hint = setting_hint(engine.name, &field.key);
                assert!(hint.is_some_and(|hint| hint.len() > 20), "{} {}", engine.name, field.key);
            }
        }
    }
}
