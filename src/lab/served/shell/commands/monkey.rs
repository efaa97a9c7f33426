//! `monkey -p PACKAGE -c CATEGORY 1`, with which clients start an app. It sends no random events.

use super::{Call, Done};

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

/// The packages and categories of the command line. The error is the message that Android prints.
fn parse(args: &[String]) -> Result<(Vec<&str>, Vec<&str>), String> {
    let (mut packages, mut categories, mut count) = (Vec::new(), Vec::new(), None);
    let mut rest = args.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        let list = match arg {
            "-p" => &mut packages,
            "-c" => &mut categories,
            option if option.starts_with('-') => return Err(format!("** Error: Unknown option: {option}")),
            word => {
                count = Some(word);
                continue;
            }
        };
        list.push(rest.next().ok_or_else(|| format!("** Error: Argument expected after {arg}"))?);
    }
    match count {
        Some("1") => Ok((packages, categories)),
        Some(count) => Err(format!("** Error: this device starts an app with a count of 1, not {count}")),
        None => Err("** Error: Count not specified".to_owned()),
    }
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
        return call.print(USAGE).map(|()| 0);
    }
    let (packages, categories) = match parse(call.args) {
        Ok(parsed) => parsed,
        Err(problem) => {
            call.complain(&problem)?;
            call.io.err.put(USAGE.as_bytes())?;
            return Ok(255);
        }
    };
    let starts = categories.is_empty() || categories.contains(&"android.intent.category.LAUNCHER");
    let apps = call.state().apps();
    let app = apps.iter().find(|app| packages.is_empty() || packages.contains(&app.id.0.as_str()));
    let Some(app) = app.filter(|_| starts) else {
        call.say("** No activities found to run, monkey aborted.")?;
        return Ok(252);
    };
    let opened = {
        let mut state = call.state();
        // The original leaves auto-rotation on.
        state.system_setting("system", "accelerometer_rotation", "1");
        state.device.open(&app.id)
    };
    if let Err(error) = opened {
        return call.fail(&format!("** Error: {error}"), 1);
    }
    let idle = "elapsed time=0ms (0ms mobile, 0ms wifi, 0ms not connected)";
    call.say(&format!("Events injected: 1\n## Network stats: {idle}"))?;
    Ok(0)
}
