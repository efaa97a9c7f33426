//! `monkey`: starts an app, or sends it random events.

use std::sync::Arc;

use super::monkey_moves::{Chances, Move, Moves};
use super::{Call, Done};
use crate::component::Component;
use crate::served::State;
use taproof_core::device::{AppId, DeviceError};
use taproof_core::model::{AppHealth, CrashReport, DeviceDuration};

/// Limit on the number of events in one run.
const MOST: u64 = 1_000_000;

const USAGE: &str = "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]
              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]
              [--ignore-crashes] [--ignore-timeouts]
              [--ignore-security-exceptions]
              [--pct-touch PERCENT] [--pct-motion PERCENT]
              [--pct-trackball PERCENT] [--pct-syskeys PERCENT]
              [--pct-nav PERCENT] [--pct-majornav PERCENT]
              [--pct-appswitch PERCENT] [--pct-flip PERCENT]
              [--pct-anyevent PERCENT] [--pct-pinchzoom PERCENT]
              [-s SEED] [-v [-v] ...]
              [--throttle MILLISEC] [--randomize-throttle]
              COUNT
";

/// The command line of `monkey`.
#[derive(Default)]
struct Options {
    packages: Vec<String>,
    categories: Vec<String>,
    seed: Option<u64>,
    verbose: u32,
    throttle: u64,
    ignores_crashes: bool,
    ignores_timeouts: bool,
    chances: Chances,
    count: u64,
}

fn read(args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut count = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut next =
            || rest.next().cloned().ok_or_else(|| format!("** Error: Argument expected after {arg}"));
        let number = |text: String| text.parse().map_err(|_| format!("** Error: {text} is not a number"));
        match arg.as_str() {
            "-p" => options.packages.push(next()?),
            "-c" => options.categories.push(next()?),
            "-s" => options.seed = Some(number(next()?)?),
            "--throttle" => options.throttle = number(next()?)?,
            "--ignore-crashes" => options.ignores_crashes = true,
            "--ignore-timeouts" => options.ignores_timeouts = true,
            "--profile-wait"
            | "--device-sleep-time"
            | "-f"
            | "--setup"
            | "--port"
            | "--pkg-blacklist-file"
            | "--pkg-whitelist-file" => drop(next()?),
            option if option.starts_with("--pct-") => {
                let percent =
                    next()?.parse::<f64>().map_err(|_| format!("** Error: bad percentage for {option}"))?;
                if !options.chances.set(option, percent) {
                    return Err(format!("** Error: Unknown option: {option}"));
                }
            }
            option if option.starts_with("-v") => options.verbose += option.len() as u32 - 1,
            option if option.starts_with("--") => {}
            option if option.starts_with('-') && option.parse::<i64>().is_err() => {
                return Err(format!("** Error: Unknown option: {option}"));
            }
            word => count = Some(word.to_owned()),
        }
    }
    let count = count.ok_or("** Error: Count not specified")?;
    let bad = || format!("** Error: Count is not a number: \"{count}\"");
    options.count = count.parse::<u64>().map_err(|_| bad())?.min(MOST);
    Ok(options)
}

pub fn monkey(call: &mut Call<'_, '_>) -> Done {
    if !call.old() {
        // The command is a script there, which prints its arguments.
        let words: Vec<String> = call.args.iter().map(|arg| format!("  bash arg: {arg}\n")).collect();
        call.print(&words.concat())?;
        call.complain(&format!("args: [{}]", call.args.join(", ")))?;
        for arg in call.args {
            call.complain(&format!(" arg: \"{arg}\""))?;
        }
    }
    if call.args.is_empty() {
        call.print(USAGE)?;
        return Ok(0);
    }
    let options = match read(call.args) {
        Ok(options) => options,
        Err(problem) => {
            call.complain(&problem)?;
            call.io.err.put(USAGE.as_bytes())?;
            return Ok(255);
        }
    };
    let launcher = |category: &String| category == "android.intent.category.LAUNCHER";
    let starts = options.categories.is_empty() || options.categories.iter().any(launcher);
    let mut apps = call.state().apps();
    apps.retain(|app| options.packages.is_empty() || options.packages.contains(&app.id.0));
    if apps.is_empty() || !starts {
        call.say("** No activities found to run, monkey aborted.")?;
        return Ok(252);
    }
    let targets = apps.into_iter().map(|app| (app.id.clone(), Component::new(&app.id.0, &app.activity)));
    let targets = targets.collect();
    // Failures before the run do not count.
    let known = report_of(&mut call.state());
    Play { call, options: &options, targets, injected: 0, known }.run()
}

/// One run of `monkey`.
struct Play<'a, 'c, 's> {
    call: &'a Call<'c, 's>,
    options: &'a Options,
    /// The apps that may be started.
    targets: Vec<(AppId, Component)>,
    injected: u64,
    /// The report of the last failure that is known.
    known: Option<Arc<CrashReport>>,
}

/// The report of the app's failure, if it has crashed or does not respond.
fn report_of(state: &mut State) -> Option<Arc<CrashReport>> {
    match state.device.observe().ok()?.health {
        AppHealth::Crashed(report) | AppHealth::NotResponding(report) => Some(report),
        AppHealth::Running | AppHealth::LeftApp(_) => None,
    }
}

/// The outcome of one event.
enum Ended {
    Well,
    Crashed(Arc<CrashReport>),
    Silent(Arc<CrashReport>),
}

impl Play<'_, '_, '_> {
    fn run(&mut self) -> Done {
        let (seed, verbose) = (self.options.seed.unwrap_or(0), self.options.verbose);
        if verbose > 0 {
            self.introduce(seed)?;
        }
        let begun = self.call.state().device.now();
        let mut moves = Moves::new(seed, self.options.chances.clone());
        let mut crashed = None;
        while self.injected < self.options.count && crashed.is_none() {
            let ended = match self.one(&mut moves)? {
                Ok(ended) => ended,
                Err(error) => return self.call.fail(&format!("** Error: {error}"), 1),
            };
            self.injected += 1;
            match ended {
                Ended::Well => {}
                Ended::Crashed(report) => {
                    self.print_crash(&report)?;
                    crashed = (!self.options.ignores_crashes).then_some(self.injected);
                }
                Ended::Silent(report) => {
                    self.call.complain(&format!("// NOT RESPONDING: {}\n{}", report.package, report.log))?;
                    crashed = (!self.options.ignores_timeouts).then_some(self.injected);
                }
            }
            self.call.io.out.flush()?;
        }
        if crashed.is_some() {
            self.call.complain("** Monkey aborted due to error.")?;
        }
        self.finish(begun, crashed, seed)
    }

    fn introduce(&self, seed: u64) -> Result<(), super::super::io::Killed> {
        let mut text = format!(":Monkey: seed={seed} count={}\n", self.options.count);
        for package in &self.options.packages {
            text += &format!(":AllowPackage: {package}\n");
        }
        let usual =
            ["android.intent.category.LAUNCHER".to_owned(), "android.intent.category.MONKEY".to_owned()];
        let categories =
            if self.options.categories.is_empty() { &usual[..] } else { &self.options.categories };
        for category in categories {
            text += &format!(":IncludeCategory: {category}\n");
        }
        text += "// Event percentages:\n";
        /// Index of the events for permissions, which Android 4.4 does not have.
        const PERMISSION: usize = 5;
        let mut percents = self.options.chances.percents().to_vec();
        if self.call.old() {
            percents.remove(PERMISSION);
        }
        for (place, percent) in percents.into_iter().enumerate() {
            // An event with weight zero is printed with a negative sign there.
            let sign = if percent == 0.0 { "-" } else { "" };
            text += &format!("//   {place}: {sign}{percent:.1}%\n");
        }
        self.call.print(&text)
    }

    /// Performs one event. Outside of the allowed apps, that is to start one of them.
    fn one(&mut self, moves: &mut Moves) -> Result<Result<Ended, DeviceError>, super::super::io::Killed> {
        let mut told = String::new();
        let (outcome, report) = {
            let mut state = self.call.state();
            (self.act(&mut state, moves, &mut told), report_of(&mut state))
        };
        if self.options.verbose > 0 {
            self.call.print(&told)?;
        }
        let ended = match report {
            Some(report) if !self.known.as_ref().is_some_and(|known| Arc::ptr_eq(known, &report)) => {
                self.known = Some(Arc::clone(&report));
                if report.exception == "ANR" { Ended::Silent(report) } else { Ended::Crashed(report) }
            }
            _ => Ended::Well,
        };
        Ok(outcome.map(|()| ended))
    }

    fn act(&self, state: &mut State, moves: &mut Moves, told: &mut String) -> Result<(), DeviceError> {
        let front = state.front()?;
        let screen = front.layout.screen();
        let allowed = |activity: Component| self.targets.iter().any(|(app, _)| app.0 == activity.package);
        let inside = front.activity.is_some_and(allowed);
        let chosen = if self.injected == 0 || !inside { Move::Switch } else { moves.next(screen) };
        match &chosen {
            Move::Switch => {
                if let Some((app, component)) = moves.pick(&self.targets) {
                    *told = switch_text(component);
                    state.device.open(app)?;
                }
            }
            Move::Event(event) => {
                *told = moves.text(self.options.verbose);
                state.input(event)?;
            }
        }
        if self.options.throttle > 0 {
            state.wait(DeviceDuration(self.options.throttle.min(60_000)))?;
        }
        Ok(())
    }

    fn print_crash(&self, report: &CrashReport) -> Result<(), super::super::io::Killed> {
        let pid = report.log.split_once("PID: ").map_or("0", |(_, rest)| rest.lines().next().unwrap_or("0"));
        let mut text = format!(
            "// CRASH: {} (pid {pid})\n// Short Msg: {}\n// Long Msg: {}: {}\n// Build Label: taproof\n",
            report.package, report.exception, report.exception, report.message
        );
        for line in report.log.lines().skip(2) {
            text += &format!("// {line}\n");
        }
        self.call.complain(&format!("{text}// "))
    }

    fn finish(
        &self,
        begun: taproof_core::determinism::DeviceInstant,
        crashed: Option<u64>,
        seed: u64,
    ) -> Done {
        let elapsed = {
            let mut state = self.call.state();
            // The original leaves auto-rotation on.
            state.system_setting("system", "accelerometer_rotation", "1");
            state.device.now().since(begun).millis()
        };
        let mut text = format!("Events injected: {}\n", self.injected);
        if self.options.verbose > 0 {
            text += ":Sending rotation degree=0, persist=false\n\
                     :Dropped: keys=0 pointers=0 trackballs=0 flips=0 rotations=0\n";
        }
        text += &format!(
            "## Network stats: elapsed time={elapsed}ms (0ms mobile, 0ms wifi, {elapsed}ms not connected)\n"
        );
        if crashed.is_none() && self.options.verbose > 0 {
            text += "// Monkey finished\n";
        }
        self.call.print(&text)?;
        match crashed {
            Some(event) => {
                let count = self.options.count;
                let problem = format!(
                    "** System appears to have crashed at event {event} of {count} using seed {seed}"
                );
                self.call.fail(&problem, (event & 0xff) as u8)
            }
            None => Ok(0),
        }
    }
}

fn switch_text(component: &Component) -> String {
    let launcher = "android.intent.category.LAUNCHER";
    format!(
        ":Switch: #Intent;action=android.intent.action.MAIN;category={launcher};launchFlags=0x10200000;\
         component={component};end\n    // Allowing start of Intent {{ act=android.intent.action.MAIN \
         cat=[{launcher}] cmp={component} }} in package {}\n",
        component.package
    )
}
