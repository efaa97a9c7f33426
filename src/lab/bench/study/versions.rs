//! How well specifications are repaired for the next version of an app. Apps are generated in pairs, and the blueprint
//! says which widget of the old version is which of the new one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use taproof::cli::command::{Failure, message};
use taproof_blueprint::{Counterpart, Succession, blueprint_named};
use taproof_campaign::{
    DeviceChoice, FunctionEnd, NullSink, Proposed, RepairPlan, RepairReport, observe, repair,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_phone::{Apps, BundledApp, BundledPhones};
use taproof_screen::{Layout, WidgetIdx};
use taproof_spec::format::DmfFile;
use taproof_spec::repair::{History, Mend, Proposal, is_by_place, static_part};
use taproof_spec::{
    Bindings, CompiledSelector, DataModel, NamedSelector, Scene, Scope as Where, Spec, SpecSelector,
};

use super::{Scope, Study};
use crate::parallel::{all_in_parallel, cores};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "versions",
    about: "How many selectors of a specification are mended rightly for the next version of a generated app",
    seeds: &[1..=100, 1000..=1099],
    events: 0,
    paper: "",
    answer,
};

/// How often a mended function must hold.
const RUNS: usize = 3;

/// What came of one pair of versions.
#[derive(Default)]
struct Judged {
    /// Selectors that the new version calls by other names, and those of them whose first proposal is right.
    changed: usize,
    first: usize,
    /// Those for which the mend that passed its try is right.
    mended: usize,
    /// Mends that passed their try although they name another widget.
    wrong: usize,
    /// Functions that hold on the old version, of these on the new one before and after the repair.
    held: usize,
    hold_before: usize,
    hold_after: usize,
    /// Functions with steps that are new, and those of them that were mended.
    inserted: usize,
    inserted_mended: usize,
    /// Functions that were said to show a bug, although there is none.
    bugs: usize,
    /// What went wrong, in words.
    told: Vec<String>,
}

/// A column of the table: its head, and the number in it.
type Column = (&'static str, fn(&Judged) -> usize);

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let seeds: Vec<u64> = scope.seeds.clone().collect();
    let done = AtomicUsize::new(0);
    let judged = all_in_parallel(&seeds, cores(), |seed| {
        let with = pair(scope.all(), *seed, true)?;
        let without = pair(scope.all(), *seed, false)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        message(&format!("{done} of {}: seed {seed}", seeds.len()));
        Ok::<_, Failure>([with, without])
    });
    let judged = judged.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let columns: [Column; 10] = [
        ("changed selectors", |it| it.changed),
        ("first proposal right", |it| it.first),
        ("mended rightly", |it| it.mended),
        ("mended wrongly, and passed", |it| it.wrong),
        ("functions that hold", |it| it.held),
        ("before the repair", |it| it.hold_before),
        ("after it", |it| it.hold_after),
        ("with new steps", |it| it.inserted),
        ("of these mended", |it| it.inserted_mended),
        ("taken for bugs", |it| it.bugs),
    ];
    let head = ["known of the old version"].into_iter();
    let mut table = Table::new(head.chain(columns.iter().map(|(name, _)| *name)));
    for (place, name) in ["its screens", "its selectors only"].into_iter().enumerate() {
        let sum = |of: fn(&Judged) -> usize| judged.iter().map(|pair| of(&pair[place])).sum::<usize>();
        table.row(name, columns.iter().map(|(_, of)| Cell::Count(sum(*of) as f64)));
        let told = judged.iter().flat_map(|pair| &pair[place].told);
        told.for_each(|line| message(&format!("{name}: {line}")));
    }
    let legend =
        "Each app was made in two versions; the functions of the first one were repaired for the second.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

/// Repairs the specification of a generated app for its second version, and judges that.
fn pair(apps: &Apps, seed: u64, observed: bool) -> Result<Judged, Failure> {
    let names = [format!("blueprint:{seed}"), format!("blueprint:{seed}@2")];
    let app = |name: &str| {
        let missing = || Failure::Broken(anyhow::anyhow!("there is no app {name:?}"));
        apps.find(name).copied().zip(blueprint_named(name)).ok_or_else(missing)
    };
    let ((old, before), (new, after)) = (app(&names[0])?, app(&names[1])?);
    let spec = Arc::new(specification(&old)?);
    let truth = Succession::between(&before, &after);
    let plan = |app: &BundledApp, history| RepairPlan {
        app: app.manifest().package.to_owned(),
        build: Build::Sound,
        device: DeviceChoice::Bundled,
        spec: Arc::clone(&spec),
        history,
        initialiser: None,
        runs: RUNS,
        seed,
    };
    let phones = |app: &BundledApp| BundledPhones::of(apps, app.manifest().package, &Build::Sound);
    let cancel = CancelToken::new();
    let history = observe(&plan(&old, History::new()), &mut phones(&old), &cancel)?;
    let known = if observed { history.clone() } else { History::new() };
    let plan = plan(&new, known);
    let report = repair(&plan, &mut phones(&new), &cancel, &mut NullSink)?;
    Ok(Judge { seed, spec: &spec, truth: &truth, history: &history, report: &report }.judged())
}

fn specification(app: &BundledApp) -> Result<Spec, Failure> {
    let mut spec = Spec::default();
    for file in app.spec_files() {
        spec.join(DmfFile::parse(file.text).map_err(|error| Failure::Broken(error.into()))?.spec);
    }
    Ok(spec)
}

struct Judge<'j> {
    seed: u64,
    spec: &'j Spec,
    truth: &'j Succession,
    history: &'j History,
    report: &'j RepairReport,
}

impl Judge<'_> {
    fn judged(&self) -> Judged {
        let mut judged = Judged::default();
        self.functions(&mut judged);
        for (old, uses) in self.changed() {
            judged.changed += 1;
            self.selector(&old, &uses, &mut judged);
        }
        let passed = self.report.functions.iter().flat_map(|it| &it.proposed).filter(|it| it.passed);
        for proposed in passed {
            if self.is_wrong(proposed) {
                judged.wrong += 1;
                judged.told.push(format!("seed {}: wrong, and passed: {}", self.seed, words(proposed)));
            }
        }
        judged
    }

    fn functions(&self, judged: &mut Judged) {
        for function in &self.report.functions {
            if self.history.of(&function.name).is_none() {
                continue;
            }
            judged.held += 1;
            judged.hold_before +=
                usize::from(function.end == FunctionEnd::Holds && function.proposed.is_empty());
            judged.hold_after += usize::from(function.end.holds());
            let inserted = self.truth.inserted(&function.name) > 0;
            judged.inserted += usize::from(inserted);
            judged.inserted_mended += usize::from(inserted && function.end.holds());
            judged.bugs += usize::from(matches!(function.end, FunctionEnd::MayBeBug(_)));
            if !function.end.holds() {
                let told = function.end.told().unwrap_or_default();
                let line = format!("seed {}, {}: {}; {told}", self.seed, function.name, function.end.word());
                judged.told.push(line);
            }
        }
    }

    /// The selectors that are others in the new version, each with its uses, as far as they named something in the old
    /// one.
    fn changed(&self) -> Vec<(SpecSelector, Vec<(String, String)>)> {
        let mut changed: BTreeMap<String, (SpecSelector, Vec<(String, String)>)> = BTreeMap::new();
        for (function, widget, counterpart) in self.truth.iter() {
            let seen = self.history.of(function).is_some_and(|it| it.widgets.contains_key(widget));
            let (old, new) = (static_part(&counterpart.old), static_part(&counterpart.new));
            if seen && old != new {
                let of_type = is_by_place(&old).then(|| self.data_type(function));
                let key = format!("{old} {of_type:?}");
                let uses = &mut changed.entry(key).or_insert_with(|| (old, Vec::new())).1;
                uses.push((function.to_owned(), widget.to_owned()));
            }
        }
        changed.into_values().collect()
    }

    fn data_type(&self, function: &str) -> String {
        let dmf = self.spec.dmfs.iter().find(|dmf| dmf.name == function);
        dmf.map_or_else(String::new, |dmf| dmf.data_type.clone())
    }

    /// Judges what was proposed for a selector that is another one now.
    fn selector(&self, old: &SpecSelector, uses: &[(String, String)], judged: &mut Judged) {
        let all = self.report.functions.iter().flat_map(|it| &it.proposed);
        let is_use = |it: &&Proposed| {
            let named = it.widget.as_ref().map(|widget| (it.function.clone(), widget.clone()));
            let of_it = it.selector.as_ref().is_some_and(|selector| static_part(selector) == *old);
            of_it && named.is_some_and(|named| uses.contains(&named))
        };
        let mut proposed: Vec<&Proposed> = all.filter(is_use).collect();
        // On a screen that comes before the one with the widget, it cannot be proposed yet.
        proposed.sort_by_key(|it| (!self.is_there(it), !it.passed));
        let mended = uses.iter().all(|(function, widget)| self.is_as_true(function, widget));
        match proposed.first() {
            Some(it) => {
                let right = it.proposals.first().is_some_and(|first| self.is_right(it, first));
                judged.first += usize::from(right);
                judged.mended += usize::from(mended || it.passed && !self.is_wrong(it));
                if !right {
                    judged.told.push(format!("seed {}: {}", self.seed, words(it)));
                }
            }
            None if mended => {
                judged.first += 1;
                judged.mended += 1;
            }
            None => judged.told.push(format!("seed {}: not noticed: {old} in {:?}", self.seed, uses)),
        }
    }

    /// Whether the repaired specification names the widget as that of the new version does.
    fn is_as_true(&self, function: &str, widget: &str) -> bool {
        let Some(counterpart) = self.truth.of(function, widget) else { return false };
        let dmf = self.report.spec.dmfs.iter().find(|dmf| dmf.name == function);
        let named = dmf.and_then(|dmf| dmf.widget(widget));
        named.is_some_and(|named| static_part(&named.selector) == static_part(&counterpart.new))
    }

    fn counterpart(&self, proposed: &Proposed) -> Option<&Counterpart> {
        self.truth.of(&proposed.function, proposed.widget.as_deref()?)
    }

    /// Whether the widget that is meant is on the screen of the problem.
    fn is_there(&self, proposed: &Proposed) -> bool {
        let new = self.counterpart(proposed).map(|counterpart| static_part(&counterpart.new));
        new.is_some_and(|new| !located(&new, &proposed.layout).is_empty())
    }

    /// Whether a proposal names the widget that the blueprint says.
    fn is_right(&self, proposed: &Proposed, proposal: &Proposal) -> bool {
        let Some(counterpart) = self.counterpart(proposed) else { return false };
        let meant = located(&static_part(&counterpart.new), &proposed.layout);
        matches!(proposal.mend, Mend::Rename { .. })
            && proposal
                .widget
                .is_some_and(|it| meant.iter().any(|meant| is_same(&proposed.layout, it, *meant)))
    }

    /// Whether a mend that passed its try names another widget than the blueprint says.
    fn is_wrong(&self, proposed: &Proposed) -> bool {
        match proposed.best() {
            Some(best) if matches!(best.mend, Mend::Rename { .. }) => !self.is_right(proposed, best),
            Some(best) if matches!(best.mend, Mend::Insert { .. }) => {
                self.truth.inserted(&proposed.function) == 0
            }
            Some(_) => true,
            None => false,
        }
    }
}

/// Whether two widgets are one to who touches them: the same, or the words of something that takes touches.
fn is_same(layout: &Layout, one: WidgetIdx, other: WidgetIdx) -> bool {
    let touched = |idx: WidgetIdx| {
        let around = std::iter::once(idx).chain(layout.ancestors(idx));
        around.into_iter().find(|it| layout.widget(*it).is_actionable())
    };
    let within = layout.holds(one, other) || layout.holds(other, one);
    one == other || within && touched(one).is_some() && touched(one) == touched(other)
}

/// All widgets that a selector names on a screen.
fn located(selector: &SpecSelector, layout: &Layout) -> Vec<WidgetIdx> {
    let named = NamedSelector { name: "meant".to_owned(), layout: 0, selector: selector.clone() };
    let scene = Scene { layout, data: &DataModel::new(), app: "", bindings: &Bindings::NONE };
    CompiledSelector::new(&named, &[]).locate(Where::Device, &scene).unwrap_or_default()
}

fn words(proposed: &Proposed) -> String {
    let selector = proposed.selector.as_ref().map_or_else(String::new, ToString::to_string);
    let widget = proposed.widget.as_deref().unwrap_or("the screen");
    let first = proposed.proposals.iter().take(3).map(|it| format!("{} ({})", it.mend, it.score));
    let first: Vec<String> = first.collect();
    let chosen = proposed.chosen.map_or_else(|| "none".to_owned(), |place| (place + 1).to_string());
    format!("{}, {widget} ({selector}): {}; chosen {chosen}", proposed.function, first.join(" | "))
}
