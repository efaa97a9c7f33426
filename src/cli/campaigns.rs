//! `taproof campaigns`: the campaigns in the workspace, and what they did event by event.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{CommandEnd, Outcome, bad_input, print_json, print_line, workspace_path};
use crate::cli::fuzz::campaign::open_results;
use taproof_campaign::{EventFilter, LoggedEvent, UntouchedWidget};
use taproof_results::store::CampaignRow;
use taproof_screen::{one_line, thousands};
use taproof_session::dates;
use taproof_spec::ActivityPattern;

/// List the campaigns of a workspace, the newest first
#[derive(clap::Args)]
pub struct Options {
    /// The folder with results
    #[arg(long, value_name = "DIR", global = true)]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<CampaignsCommand>,
}

#[derive(clap::Subcommand)]
enum CampaignsCommand {
    /// Print the events of a campaign, without those that were performed again to confirm findings
    Events(EventOptions),
    /// Print the usable widgets that no event of a campaign touched, one of each kind
    Untouched(UntouchedOptions),
}

#[derive(clap::Args)]
struct UntouchedOptions {
    /// The campaign by its number; the newest if left out
    campaign: Option<i64>,
    /// Only those first seen on this activity: a name or a part with *
    #[arg(long, value_name = "NAME")]
    activity: Option<String>,
}

#[derive(clap::Args)]
struct EventOptions {
    /// The campaign by its number
    campaign: i64,
    /// Only events that have this text in their words or in the name of their page, in whatever case
    #[arg(long = "match", value_name = "TEXT")]
    text: Option<String>,
    /// Only events on this activity or that led to it: a name or a part with *
    #[arg(long, value_name = "NAME")]
    activity: Option<String>,
    /// Only those of this engine
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Begin with this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// End after so many events
    #[arg(long, value_name = "N")]
    most: Option<usize>,
}

pub fn run(options: &Options) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    match &options.command {
        Some(CampaignsCommand::Events(events)) => return print_events(&root, events, options.json),
        Some(CampaignsCommand::Untouched(untouched)) => {
            return print_untouched(&root, untouched, options.json);
        }
        None => {}
    }
    let rows = open_results(&root)?.campaigns()?;
    if options.json {
        print_json(&json!({ "campaigns": rows.iter().map(as_json).collect::<Vec<_>>() }))?;
        return Ok(CommandEnd::Fine);
    }
    if rows.is_empty() {
        print_line(&format!("no campaigns in {}", root.display()))?;
        return Ok(CommandEnd::Fine);
    }
    let wide = |of: fn(&CampaignRow) -> &String| rows.iter().map(|row| of(row).len()).max().unwrap_or(0);
    let (app, build) = (wide(|row| &row.app).max(3), wide(|row| &row.build).max(5));
    print_line(&format!(
        "{:>4}  {:<16}  {:>10}  {:<app$}  {:<build$}  {:>10}  {:>11}  {:>8}  {:<12}  engines",
        "id", "began", "length", "app", "build", "seed", "events", "findings", "end"
    ))?;
    let today = dates::now();
    for row in &rows {
        print_line(&format!(
            "{:>4}  {:<16}  {:>10}  {:<app$}  {:<build$}  {:>10}  {:>11}  {:>8}  {:<12}  {}",
            row.id,
            row.began.map_or_else(String::new, |at| dates::date_words(at, &today)),
            row.length.map_or_else(String::new, dates::length_words),
            row.app,
            row.build,
            row.seed,
            thousands(row.events),
            row.findings,
            ended(row),
            row.engine
        ))?;
    }
    Ok(CommandEnd::Fine)
}

/// How a campaign ended, as one word.
pub fn ended(row: &CampaignRow) -> &str {
    row.end.as_deref().unwrap_or("running")
}

/// A campaign as JSON.
pub fn as_json(row: &CampaignRow) -> Value {
    json!({
        "id": row.id,
        "app": row.app,
        "build": row.build,
        "engines": row.engine.split(',').collect::<Vec<_>>(),
        "seed": row.seed,
        "events": row.events,
        "findings": row.findings,
        "end": ended(row),
        "began": row.began,
        "seconds": row.length,
    })
}

/// Prints the events that were asked for, engine by engine.
fn print_events(root: &std::path::Path, options: &EventOptions, json: bool) -> Outcome {
    let workspace = open_results(root)?;
    let engines = workspace.plan(options.campaign)?.plan.engines;
    let named = |name: &str| options.engine.as_deref().is_none_or(|wanted| wanted == name);
    if let Some(wanted) = &options.engine
        && !engines.iter().any(|engine| engine.name() == wanted)
    {
        let known: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
        let problem =
            format!("campaign {} has no engine {wanted:?}; it has {}", options.campaign, known.join(", "));
        return Err(bad_input(problem));
    }
    let filter = EventFilter {
        text: options.text.clone().unwrap_or_default(),
        activity: options.activity.clone().map(ActivityPattern),
        from: options.from,
    };
    let wanted = filter.into_test();
    let mut found: Vec<(&str, LoggedEvent)> = Vec::new();
    for (run, engine) in engines.iter().enumerate().filter(|(_, engine)| named(engine.name())) {
        let full = |found: &Vec<_>| options.most.is_some_and(|most| found.len() >= most);
        workspace.each_event(options.campaign, run, |event| {
            if !full(&found) && wanted(&event) {
                found.push((engine.name(), event));
            }
            !full(&found)
        })?;
    }
    // Writers may have to wait until it is closed.
    drop(workspace);
    if json {
        print_json(&json!({ "events": found.iter().map(event_as_json).collect::<Vec<_>>() }))?;
        return Ok(CommandEnd::Fine);
    }
    found.iter().try_for_each(|(engine, event)| print_line(&event_line(engine, event)))?;
    if found.is_empty() {
        print_line("no such event")?;
    }
    Ok(CommandEnd::Fine)
}

fn print_untouched(root: &Path, options: &UntouchedOptions, json: bool) -> Outcome {
    let workspace = open_results(root)?;
    let newest = || workspace.campaigns().map(|rows| rows.first().map(|row| row.id));
    let id = match options.campaign {
        Some(id) => id,
        None => {
            newest()?.ok_or_else(|| bad_input(format!("there are no campaigns in {}", root.display())))?
        }
    };
    // Says which campaigns there are if this is none of them.
    workspace.campaign(id)?;
    let Some(summary) = workspace.summary(id)? else {
        let problem = format!("campaign {id} did not come to its end, where untouched widgets are counted");
        return Err(bad_input(problem));
    };
    drop(workspace);
    let pattern = options.activity.clone().map(ActivityPattern);
    let wanted = |it: &UntouchedWidget| pattern.as_ref().is_none_or(|on| on.matches(&it.activity));
    let untouched: Vec<UntouchedWidget> = summary.untouched.into_iter().filter(wanted).collect();
    if json {
        print_json(&json!({ "campaign": id, "untouched": untouched }))?;
        return Ok(CommandEnd::Fine);
    }
    untouched.iter().try_for_each(|it| print_line(&format!("{}  {}", it.activity, one_line(&it.widget))))?;
    if untouched.is_empty() {
        print_line("no such widget")?;
    }
    Ok(CommandEnd::Fine)
}

fn event_line(engine: &str, event: &LoggedEvent) -> String {
    let LoggedEvent { number, test, millis, event: words, activity, page, led_to, .. } = event;
    let by = match event.why() {
        "" => String::new(),
        why => format!(" ({why})"),
    };
    let led = led_to.as_ref().map_or(String::new(), |led_to| format!(" -> {led_to}"));
    let seconds = *millis as f64 / 1000.0;
    let words = one_line(words);
    format!("{engine} {number:>7}  test {test:<5} {seconds:>10.3} s  {words}{by}  [{activity}, {page}]{led}")
}

fn event_as_json((engine, event): &(&str, LoggedEvent)) -> Value {
    json!({
        "engine": engine,
        "number": event.number,
        "test": event.test,
        "millis": event.millis,
        "event": event.event,
        "role": event.role,
        "activity": event.activity,
        "page": event.page,
        "led_to": event.led_to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::StepRole;

    #[test]
    fn an_event_is_a_line() {
        let event = LoggedEvent {
            number: 7,
            test: 2,
            millis: 1500,
            event: "Tap \u{201c}Save\u{201d}".to_owned(),
            role: StepRole::Rule,
            activity: "org.ex/.EditActivity".into(),
            page: "EditActivity \u{201c}Note\u{201d}".to_owned(),
            led_to: Some("org.ex/.Main".into()),
        };
        let line = event_line("monkey", &event);
        assert!(line.starts_with("monkey       7  test 2          1.500 s  Tap "), "{line}");
        assert!(line.ends_with(
            "(by a rule)  [org.ex/.EditActivity, EditActivity \u{201c}Note\u{201d}] -> org.ex/.Main"
        ));
    }
}
