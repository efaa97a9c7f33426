//! The page of results: a table of all questions, and below it a section of each, whose answer stands between the lines
//! `<!-- result NAME -->` and `<!-- end -->`.

use super::list::{Aim, Answer, QUESTIONS, Question};

/// The line above the table of all questions.
pub(super) const ALL: &str = "results";

/// An answer as the page has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The day, such as `2026-11-30`.
    pub date: String,
    /// The commit, with a `+` if the tree was changed since.
    pub commit: String,
    /// How long it took, in minutes; `None` if that is not known.
    pub minutes: Option<u64>,
    /// A hash of the question's sources.
    pub sources: String,
    /// The tables and what is said with them.
    pub text: String,
}

impl Question {
    /// The line above its answer.
    pub(super) fn mark(&self) -> String {
        format!("result {}", self.name)
    }

    /// Its answer in the page; `None` if there is none yet.
    pub(super) fn told_in(&self, page: &str) -> Option<Told> {
        let (_, after) = page.split_once(&format!("<!-- {} -->", self.mark()))?;
        let (told, _) = after.split_once("<!-- end -->")?;
        Told::parse(told.trim())
    }

    /// The number that answers it, as the text has it.
    fn answer_in(&self, text: &str) -> Option<String> {
        tables(text).into_iter().find_map(|rows| {
            let (head, rows) = rows.split_first()?;
            let column = |name: &str| head.iter().position(|cell| *cell == name);
            match self.answer {
                Answer::Cell(row, name) => {
                    let column = column(name)?;
                    rows.iter().find(|cells| cells[0] == row)?.get(column).map(|cell| (*cell).to_owned())
                }
                Answer::Rows(name) => {
                    let column = column(name)?;
                    let full =
                        rows.iter().filter(|cells| cells.get(column).is_some_and(|it| *it != "\u{2013}"));
                    Some(format!("{}/{}", full.count(), rows.len()))
                }
            }
        })
    }

    /// Its row in the table of all: what it asks, the paper's number, ours, the aim, whether that is met, and the day.
    fn row(&self, told: Option<&Told>, sources: &str) -> String {
        let dash = || "\u{2013}".to_owned();
        let answer = told.and_then(|told| self.answer_in(&told.text));
        let paper = if self.paper.is_empty() { "\u{2013}" } else { self.paper };
        let aim = self.aim.map_or_else(dash, Aim::words);
        let met = self.aim.zip(answer.as_deref().and_then(number));
        let met =
            met.map_or_else(dash, |(aim, number)| if aim.is_met(number) { "yes" } else { "**no**" }.into());
        let date = told.map_or("not asked yet".to_owned(), |told| {
            let older = if told.sources == sources { "" } else { ", older than the engine" };
            format!("{}{older}", told.date)
        });
        let ours = answer.unwrap_or_else(dash);
        format!("| [{}](#{}) | {paper} | {ours} | {aim} | {met} | {date} |", self.asks, self.name)
    }
}

impl Told {
    /// The answer between the lines of a page; `None` if its first line says not where it is from.
    fn parse(told: &str) -> Option<Told> {
        let (line, text) = told.split_once('\n')?;
        let said: Vec<&str> = line.trim_matches('*').split(" \u{b7} ").collect();
        let [date, commit, _, took, sources] = said[..] else { return None };
        Some(Told {
            date: date.to_owned(),
            commit: commit.strip_prefix("commit ")?.to_owned(),
            minutes: took.strip_suffix(" min").and_then(|minutes| minutes.parse().ok()),
            sources: sources.strip_prefix("sources ")?.to_owned(),
            text: text.trim().to_owned(),
        })
    }

    /// The answer as it stands in the page.
    pub(super) fn words(&self, question: &Question) -> String {
        let Told { date, commit, minutes, sources, text } = self;
        let took = minutes.map_or("time not known".to_owned(), |minutes| format!("{minutes} min"));
        let command = format!("`taproof-lab {}`", question.command);
        format!(
            "*{date} \u{b7} commit {commit} \u{b7} {command} \u{b7} {took} \u{b7} sources {sources}*\n\n{text}"
        )
    }
}

impl Aim {
    fn words(self) -> String {
        match self {
            Aim::Percent(least) => format!("at least {least} %"),
            Aim::AtLeast(least) => format!("at least {least}"),
            Aim::AtMost(0.0) => "none".to_owned(),
            Aim::AtMost(most) => format!("at most {most}"),
        }
    }

    fn is_met(self, number: f64) -> bool {
        match self {
            Aim::Percent(least) | Aim::AtLeast(least) => number >= least,
            Aim::AtMost(most) => number <= most,
        }
    }
}

/// The number that a cell begins with; of `3/4`, the percentage.
fn number(cell: &str) -> Option<f64> {
    let end = cell
        .find(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == ','))
        .unwrap_or(cell.len());
    let first: f64 = cell[..end].replace(',', "").parse().ok()?;
    match cell[end..].strip_prefix('/').and_then(|of| of.split([',', ' ']).next()?.parse::<f64>().ok()) {
        Some(of) if of > 0.0 => Some(100.0 * first / of),
        _ => Some(first),
    }
}

/// The tables of a text, each as rows of cells, with the head first.
fn tables(text: &str) -> Vec<Vec<Vec<&str>>> {
    let mut tables: Vec<Vec<Vec<&str>>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        if is_row && !inside {
            tables.push(Vec::new());
        }
        inside = is_row;
        if let Some(table) = tables.last_mut().filter(|_| is_row && !line.starts_with("| ---")) {
            table.push(line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*')).collect());
        }
    }
    tables
}

/// The table of all questions, as the page answers them. `sources` gives the hash of a question's sources now.
pub(super) fn table_of_all(page: &str, sources: impl Fn(&Question) -> String) -> String {
    let row = |question: &Question| question.row(question.told_in(page).as_ref(), &sources(question));
    let rows: Vec<String> = QUESTIONS.iter().map(row).collect();
    let head = "| question | the paper | ours | aim | met | asked |\n| --- | --- | --- | --- | --- | --- |";
    format!("{head}\n{}", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(name: &str) -> &'static Question {
        QUESTIONS.iter().find(|question| question.name == name).unwrap()
    }

    fn told(text: &str) -> Told {
        let [date, commit, sources] = ["2026-11-30", "abc", "0123"].map(str::to_owned);
        Told { date, commit, minutes: Some(70), sources, text: text.to_owned() }
    }

    #[test]
    fn an_answer_is_read_from_the_page_as_it_was_written() {
        let (asked, answer) = (
            question("keep"),
            told("| engine | recall, own |\n| --- | --- |\n| keep | 84 % (79\u{2013}88) |"),
        );
        let page = format!("# Results\n<!-- result keep -->\n\n{}\n\n<!-- end -->\n", answer.words(asked));
        assert_eq!(asked.told_in(&page), Some(answer));
        assert_eq!(question("genie").told_in(&page), None);
        let all = table_of_all(&page, |_| "0123".to_owned());
        assert!(
            all.contains("(#keep) | \u{2013} | 84 % (79\u{2013}88) | at least 80 % | yes | 2026-11-30 |"),
            "{all}"
        );
        assert!(
            all.contains("(#genie) | \u{2013} | \u{2013} | at least 60 % | \u{2013} | not asked yet |"),
            "{all}"
        );
        let older = table_of_all(&page, |_| "4567".to_owned());
        assert!(older.contains("| yes | 2026-11-30, older than the engine |"), "{older}");
    }

    #[test]
    fn cells_are_numbers_as_people_write_them() {
        let cells = [
            ("1,234.5", 1234.5),
            ("84 % (79\u{2013}88)", 84.0),
            ("30/48", 62.5),
            ("8/10, 9,669.5", 80.0),
            ("1.04", 1.04),
        ];
        for (cell, is) in cells {
            assert_eq!(number(cell), Some(is), "{cell}");
        }
        assert_eq!(number("\u{2013}"), None);
    }
}
