//! Which cells a command runs: by its options, or by the variables of the scheduler that started it.

use super::super::{Failure, bad_input};

/// Which cells of a matrix are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The one with this number.
    One(usize),
    /// Those whose number leaves this rest when it is divided by the number of parts.
    Part(usize, usize),
}

impl Chosen {
    /// Whether a cell with this number is run.
    pub fn takes(self, number: usize) -> bool {
        match self {
            Chosen::One(only) => number == only,
            Chosen::Part(part, of) => number % of == part,
        }
    }

    /// What a scheduler's variables say. Slurm and Kubernetes number the cells themselves; GitLab says which of how many
    /// jobs this is, counted from 1. Others set `TAPROOF_CELL`, or both `TAPROOF_PART` and `TAPROOF_PARTS`, from 0.
    ///
    /// # Errors
    ///
    /// [`Failure::BadInput`] if there is none, or it is no number.
    pub fn of_scheduler(variable: impl Fn(&str) -> Option<String>) -> Result<Chosen, Failure> {
        let number = |name: &str| variable(name).map(|text| whole(name, &text)).transpose();
        for name in ["TAPROOF_CELL", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
            if let Some(cell) = number(name)? {
                return Ok(Chosen::One(cell));
            }
        }
        for (part, parts, first) in
            [("TAPROOF_PART", "TAPROOF_PARTS", 0), ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1)]
        {
            if let (Some(part), Some(parts)) = (number(part)?, number(parts)?) {
                let part = part.checked_sub(first).filter(|part| *part < parts);
                return part.map(|part| Chosen::Part(part, parts)).ok_or_else(|| {
                    bad_input(format!(
                        "{part:?} of {parts} is no part: does the scheduler count from {first}?"
                    ))
                });
            }
        }
        Err(bad_input(
            "which cell? Name it with --cell, a part with --part, or all with --all; a scheduler names it by \
             SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX or TAPROOF_CELL",
        ))
    }
}

fn whole(name: &str, text: &str) -> Result<usize, Failure> {
    text.parse().map_err(|_| bad_input(format!("{name} is {text:?}, which is no number of a cell")))
}

/// A part such as `0/4`: the first of four.
pub fn parse_part(text: &str) -> Result<Chosen, String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts.filter(|(part, of)| part < of) {
        Some((part, of)) => Ok(Chosen::Part(part, of)),
        None => Err("write K/N with K from 0 to N - 1, as in 0/4 for the first of four parts".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)]) -> Result<Chosen, String> {
        let of = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Chosen::of_scheduler(of).map_err(|failure| failure.into_error().to_string())
    }

    #[test]
    fn schedulers_say_which_cell_it_is() {
        assert_eq!(chosen(&[("SLURM_ARRAY_TASK_ID", "7")]), Ok(Chosen::One(7)));
        assert_eq!(chosen(&[("JOB_COMPLETION_INDEX", "0")]), Ok(Chosen::One(0)));
        assert_eq!(chosen(&[("SLURM_ARRAY_TASK_ID", "7"), ("TAPROOF_CELL", "3")]), Ok(Chosen::One(3)));
        assert_eq!(chosen(&[("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "4")]), Ok(Chosen::Part(3, 4)));
        assert_eq!(chosen(&[("TAPROOF_PART", "0"), ("TAPROOF_PARTS", "2")]), Ok(Chosen::Part(0, 2)));
        assert!(chosen(&[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")]).unwrap_err().contains("no part"));
        assert!(chosen(&[("TAPROOF_CELL", "x")]).unwrap_err().contains("TAPROOF_CELL is \"x\""));
        assert!(chosen(&[]).unwrap_err().contains("--cell"));
    }

    #[test]
    fn parts_share_all_cells() {
        assert_eq!(parse_part("1/3"), Ok(Chosen::Part(1, 3)));
        assert!(["3/3", "1", "a/2", "0/0"].iter().all(|text| parse_part(text).is_err()));
        let taken = |number| (0..3).filter(|part| Chosen::Part(*part, 3).takes(number)).count();
        assert!((0..20).all(|number| taken(number) == 1));
    }
}
