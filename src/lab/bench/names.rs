//! The names of apps and faults in the options of a bench.

use taproof::cli::command::parse_seeds;
use taproof_blueprint::{Generated, Operator};
use taproof_phone::{Apps, Oracle};

use crate::plan::PlanError;

/// Seeds below are for making engines; those from here on are for judging them.
pub const JUDGING_FROM: u64 = 1_000;

/// The operator of faults that were not made by one: bugs of apps that were written by hand.
pub const BY_HAND: &str = "by-hand";

/// The word for the apps that judge: generated ones of which nobody has chosen anything, and those that ship.
const JUDGES: (&str, [&str; 12]) = (
    "judges",
    [
        "blueprint:1000..1049",
        "blueprint:1000..1049:medium",
        "files",
        "notes",
        "diary",
        "tasks",
        "cards",
        "radio",
        "tube",
        "reader",
        "budget",
        "schedule",
    ],
);

/// The apps that these words name, each once. A word is a name; `blueprint:A..B` with a size and traps or without, which
/// names a range of generated apps; or `judges`, which names those by which the book judges.
///
/// # Errors
///
/// [`PlanError::NoSuchApp`] if a word names none.
pub fn app_names(words: &[String], apps: &Apps) -> Result<Vec<String>, PlanError> {
    let mut names = Vec::new();
    let judges = |word: &String| match word == JUDGES.0 {
        true => JUDGES.1.map(str::to_owned).to_vec(),
        false => vec![word.clone()],
    };
    for word in words.iter().flat_map(judges) {
        for name in expanded(&word)? {
            let known = match Generated::named(&name) {
                Some(generated) => generated_name(generated),
                None => {
                    let app = apps.find(&name).ok_or_else(|| PlanError::NoSuchApp { name: name.clone() })?;
                    app.short_name().to_owned()
                }
            };
            if !names.contains(&known) {
                names.push(known);
            }
        }
    }
    Ok(names)
}

/// The number of a generated app; `None` for other apps.
pub fn blueprint_seed(app: &str) -> Option<u64> {
    Generated::named(app).map(|generated| generated.seed)
}

/// The names that a word stands for.
fn expanded(word: &str) -> Result<Vec<String>, PlanError> {
    let Some((seeds, rest)) = word.strip_prefix("blueprint:").map(|words| match words.split_once(':') {
        Some((seeds, rest)) => (seeds, format!(":{rest}")),
        None => (words, String::new()),
    }) else {
        return Ok(vec![word.to_owned()]);
    };
    if !seeds.contains("..") {
        return Ok(vec![word.to_owned()]);
    }
    let no_such = || PlanError::NoSuchApp { name: word.to_owned() };
    let seeds = parse_seeds(seeds).map_err(|_| no_such())?;
    if Generated::named(&format!("blueprint:1{rest}")).is_none() {
        return Err(no_such());
    }
    Ok(seeds.map(|seed| format!("blueprint:{seed}{rest}")).collect())
}

fn generated_name(generated: Generated) -> String {
    let traps = if generated.traps { ":traps" } else { "" };
    let version = if generated.version > 1 { format!("@{}", generated.version) } else { String::new() };
    format!("blueprint:{}:{}{traps}{version}", generated.seed, generated.size.name())
}

/// Checks the words that choose faults: `all`, letters of techniques, and names of operators.
///
/// # Errors
///
/// [`PlanError::NoSuchFault`] if a word is none of these.
pub fn check_faults(words: &[String]) -> Result<(), PlanError> {
    let is_known = |word: &String| {
        word == "all"
            || word == BY_HAND
            || Oracle::ALL.iter().any(|oracle| oracle.letter() == word)
            || Operator::ALL.iter().any(|operator| operator.name() == word)
    };
    match words.iter().find(|word| !is_known(word)) {
        None => Ok(()),
        Some(word) => {
            let letters = Oracle::ALL.iter().map(|oracle| oracle.letter());
            let operators = Operator::ALL.iter().map(|operator| operator.name());
            let known: Vec<&str> =
                ["all"].into_iter().chain(letters).chain(operators).chain([BY_HAND]).collect();
            Err(PlanError::NoSuchFault { word: word.clone(), known: known.join(", ") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(words: &[&str]) -> Result<Vec<String>, PlanError> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        app_names(&words, &taproof_blueprint::apps())
    }

    #[test]
    fn ranges_of_generated_apps_are_expanded_and_each_app_counts_once() {
        let names =
            named(&["blueprint:3..4:medium:traps", "org.taproof.notes", "notes", "blueprint:4:medium:traps"]);
        let expected = ["blueprint:3:medium:traps", "blueprint:4:medium:traps", "notes"];
        assert_eq!(names.unwrap(), expected);
        assert_eq!(named(&["blueprint:7"]).unwrap(), named(&["blueprint:7:small"]).unwrap());
        for wrong in ["nope", "blueprint:9..2", "blueprint:1..2:huge", "blueprint:1..b"] {
            assert!(named(&[wrong]).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }

    #[test]
    fn faults_are_chosen_by_letter_or_operator() {
        let check =
            |words: &[&str]| check_faults(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert!(check(&["P", "C", "stale-list", "by-hand"]).is_ok() && check(&["all"]).is_ok());
        let error = check(&["P", "stale"]).unwrap_err().to_string();
        assert!(error.contains("\"stale\"") && error.contains("stale-list"), "{error}");
    }
}
