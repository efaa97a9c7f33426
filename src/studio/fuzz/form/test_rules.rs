//! The test rules of the form: files that the person chose, and what was collected with the widget's menu. The latter is a
//! file of the workspace, which is read when the window opens and written when it changes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::{AppRules, RuleChange};
use crate::disk::Job;
use crate::effect::Effect;
use crate::fuzz::Campaigns;
use crate::state::StudioState;
use taproof_results::store::{own_rules_path, read_own_rules};
use taproof_spec::TestRules;

impl Campaigns {
    /// All test rules for an app, as far as their files are read.
    pub fn all_rules(&self, app: &str) -> Vec<Arc<TestRules>> {
        let Some(rules) = self.form.rules.get(app) else { return Vec::new() };
        let read = rules.files.iter().filter_map(|path| self.rule_files.read.get(path)?.as_ref().ok());
        read.chain([&rules.own]).cloned().collect()
    }
}

/// Reads what was collected in earlier sessions.
pub(crate) fn load_rules(state: &mut StudioState) {
    for (app, read) in read_own_rules(&state.workspace) {
        match read {
            Ok(own) => {
                let own = Arc::new(TestRules { name: String::new(), ..own });
                state.campaigns.rule_files.written.insert(app.clone(), Arc::clone(&own));
                let files = state.campaigns.form.rules_of(&app).files;
                state.campaigns.form.set_rules(&app, AppRules { own, files });
            }
            Err(error) => {
                state.notify_failure(format!("The test rules for {app} are left out: {error}"));
                state.campaigns.rule_files.damaged.insert(app, error.to_string());
            }
        }
    }
}

/// Writes what was collected, if it has changed, and has chosen files read that are not known yet.
pub(crate) fn tend_rules(campaigns: &mut Campaigns) -> Vec<Effect> {
    let (form, files) = (&campaigns.form, &mut campaigns.rule_files);
    let mut effects = Vec::new();
    for path in form.rules.get(&form.target.app).iter().flat_map(|rules| &rules.files) {
        if files.asked.insert(path.clone()) {
            effects.push(Effect::Disk(Job::ReadRules(path.clone())));
        }
    }
    let apps: BTreeSet<&String> = form.rules.keys().chain(files.written.keys()).collect();
    let of = |app: &String| form.rules.get(app).map(|rules| Arc::clone(&rules.own)).unwrap_or_default();
    let changed = apps.into_iter().map(|app| (app.clone(), of(app)));
    let changed: Vec<(String, Arc<TestRules>)> = changed
        .filter(|(app, own)| files.written.get(app).map_or(!own.is_empty(), |written| written != own))
        .collect();
    for (app, own) in changed {
        files.written.insert(app.clone(), Arc::clone(&own));
        effects.push(Effect::Disk(Job::WriteRules(app, own)));
    }
    effects
}

/// Changes what is collected for the app on the phone. Undo in Fuzz takes it back.
pub(crate) fn change_rules(state: &mut StudioState, change: RuleChange) {
    let app = state.settings.target.app.clone();
    if let Some(problem) = state.campaigns.rule_files.damage(&app) {
        let problem =
            format!("Nothing was added to the test rules: {problem}. Mend or delete this file first.");
        return state.notify_failure(problem);
    }
    let mut form = state.campaigns.form.clone();
    let mut rules = form.rules_of(&app);
    let own = Arc::make_mut(&mut rules.own);
    let said = match change {
        RuleChange::Add(entry) => {
            let said = format!("Every test of {} {entry} from now on.", state.label_of(&app));
            own.add(entry);
            said
        }
        RuleChange::Remove(entry) => {
            own.remove(&entry);
            format!("No test of {} {entry} any more.", state.label_of(&app))
        }
    };
    form.set_rules(&app, rules);
    state.campaigns.edit_form(form);
    state.notify(format!("{said} Fuzz lists it under Options, and undo there takes it back."));
}

/// The rules that were collected for an app, as a campaign runs them: they are told by the file that holds them.
pub(crate) fn own_rules(workspace: &Path, app: &str, own: &TestRules) -> Option<TestRules> {
    let path = own_rules_path(workspace, app).ok().filter(|_| !own.is_empty())?;
    Some(TestRules { version: 1, name: path.display().to_string(), ..own.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::CampaignCommand;
    use crate::fuzz::handle::run_campaign;
    use taproof_screen::{WidgetIdx, layout_from};
    use taproof_spec::RuleEntry;

    fn all(campaigns: &Campaigns, app: &str) -> TestRules {
        TestRules::joined(campaigns.all_rules(app).iter().map(|rules| &**rules))
    }

    fn jobs(campaigns: &mut Campaigns) -> Vec<Job> {
        let effects = tend_rules(campaigns).into_iter();
        effects.filter_map(|effect| if let Effect::Disk(job) = effect { Some(job) } else { None }).collect()
    }

    #[test]
    fn what_is_collected_on_the_phone_is_written_and_undone() {
        let mut state = StudioState::default();
        state.settings.target.app = "org.ex".to_owned();
        state.campaigns.form.target.app = "org.ex".to_owned();
        let layout = layout_from("FrameLayout\n  TextView#clock \"10:00\"\n");
        let entry = RuleEntry::ignoring(&layout, WidgetIdx(1)).unwrap();
        change_rules(&mut state, RuleChange::Add(entry.clone()));
        assert!(all(&state.campaigns, "org.ex").entries().contains(&entry));
        assert!(all(&state.campaigns, "org.other").is_empty());
        let written = jobs(&mut state.campaigns);
        assert!(
            matches!(&written[..], [Job::WriteRules(app, own)] if app == "org.ex" && own.ignore.len() == 1)
        );
        assert!(jobs(&mut state.campaigns).is_empty(), "it is written once");
        run_campaign(&mut state, CampaignCommand::TurnForm(true));
        assert!(all(&state.campaigns, "org.ex").is_empty());
        assert!(matches!(&jobs(&mut state.campaigns)[..], [Job::WriteRules(_, own)] if own.is_empty()));
        run_campaign(&mut state, CampaignCommand::TurnForm(false));
        change_rules(&mut state, RuleChange::Remove(entry));
        assert!(all(&state.campaigns, "org.ex").is_empty());
    }

    #[test]
    fn a_chosen_file_is_read_once_until_it_may_have_changed() {
        let mut campaigns = Campaigns::default();
        campaigns.form.target.app = "org.ex".to_owned();
        campaigns.form.add_rules_file(Path::new("a.json"));
        campaigns.form.add_rules_file(Path::new("a.json"));
        assert!(matches!(&jobs(&mut campaigns)[..], [Job::ReadRules(path)] if path == "a.json"));
        assert!(jobs(&mut campaigns).is_empty() && campaigns.rule_files.of("a.json").is_none());
        let read = TestRules::parse("a.json", r#"{"taproof_rules": 1, "deny": {"packages": ["org.pay"]}}"#);
        campaigns.rule_files.take("a.json".to_owned(), read.map_err(|error| error.to_string()));
        assert_eq!(all(&campaigns, "org.ex").deny.packages, ["org.pay"]);
        campaigns.rule_files.take("a.json".to_owned(), Err("line 1".to_owned()));
        assert_eq!(campaigns.rule_files.of("a.json").unwrap(), Err("line 1"));
        assert!(all(&campaigns, "org.ex").is_empty());
        campaigns.rule_files.forget();
        assert_eq!(jobs(&mut campaigns).len(), 1);
    }

    #[test]
    fn a_damaged_file_of_the_workspace_is_said_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = own_rules_path(folder.path(), "org.ex").unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "{").unwrap();
        let mut state = StudioState { workspace: folder.path().to_owned(), ..StudioState::default() };
        state.settings.target.app = "org.ex".to_owned();
        load_rules(&mut state);
        assert!(state.message.take().unwrap().text.contains("org.ex.json"));
        let entry = RuleEntry::denying_activity(&layout_from("Button\n")).unwrap();
        change_rules(&mut state, RuleChange::Add(entry));
        assert!(state.message.take().unwrap().text.contains("Mend or delete"));
        assert!(jobs(&mut state.campaigns).is_empty());
    }
}
