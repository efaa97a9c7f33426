//! `monkey -p PACKAGE -c CATEGORY 1`, with which clients start an app. It sends no random events.

use crate::shell::commands::{Call, Done};

fn usage(call: &mut Call<'_, '_>) -> Done {
    let usage = "usage: monkey -p PACKAGE [--pct-syskeys 0] [-c android.intent.category.LAUNCHER] 1";
    call.fail(&format!("** Error: this device only starts apps\n{usage}"), 255)
}

pub fn monkey(call: &mut Call<'_, '_>) -> Done {
    let words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let start = ["-c", "android.intent.category.LAUNCHER", "1"];
    let (["-p", package, "--pct-syskeys", "0", rest @ ..] | ["-p", package, rest @ ..]) = words.as_slice()
    else {
        return usage(call);
    };
    if rest != start && rest != &start[2..] {
        return usage(call);
    }
    let opened = {
        let mut state = call.state();
        state.app(package).map(|app| {
            // The original leaves auto-rotation on.
            state.settings.store("system", "accelerometer_rotation", "1");
            state.device.open(&app.id)
        })
    };
    match opened {
        None => call.say("** No activities found to run, monkey aborted.").map(|()| 252),
        Some(Err(error)) => call.fail(&format!("** Error: {error}"), 1),
        Some(Ok(())) => {
            let idle = "elapsed time=0ms (0ms mobile, 0ms wifi, 0ms not connected)";
            call.say(&format!("Events injected: 1\n## Network stats: {idle}")).map(|()| 0)
        }
    }
}
