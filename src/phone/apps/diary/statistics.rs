//! The time spent on each activity.

use super::day::Day;
use super::store::{ActivityId, Store};
use super::{Diary, spoken};
use crate::{Align, Color, Edges, Env, Icon, Size, System, View, empty_state, page_toolbar, tab_bar};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

/// The statistics page, with the figures of when it came to the front.
#[derive(Clone, Debug)]
pub struct StatisticsPage {
    all_days: bool,
    totals: Vec<(ActivityId, DeviceDuration)>,
}

/// A message to the statistics.
#[derive(Clone, Debug)]
pub enum Msg {
    /// A tab was tapped: all days (`true`) or today.
    AllDays(bool),
}

impl StatisticsPage {
    /// The page with today's figures.
    pub(super) fn open(store: &Store, now: DeviceInstant) -> Self {
        let mut page = StatisticsPage { all_days: false, totals: Vec::new() };
        page.refresh(store, now);
        page
    }

    /// Computes the figures again.
    pub(super) fn refresh(&mut self, store: &Store, now: DeviceInstant) {
        let day = (!self.all_days).then(|| Day::of(now));
        self.totals = store.totals(day, now);
    }
}

pub(super) fn view(app: &Diary, page: &StatisticsPage, env: &Env<'_>) -> View<super::Msg> {
    let tab = |all_days| super::Msg::Statistics(Msg::AllDays(all_days));
    let tabs = vec![("TODAY", !page.all_days, tab(false)), ("ALL DAYS", page.all_days, tab(true))];
    let bar = page_toolbar(env.accent, super::Msg::Close, "Statistics", Vec::new());
    let sum: u64 = page.totals.iter().map(|(_, span)| span.millis()).sum();
    let body = if page.totals.is_empty() {
        env.cover("diary.view.no-statistics");
        View::frame(vec![empty_state(Icon::BarChart, "Nothing done yet")]).grow_y()
    } else {
        View::list("statistics_list", env, page.totals.len(), 72, |row| match page.totals.get(row) {
            Some((id, span)) => total_row(app, *id, *span, sum),
            None => View::space(),
        })
        .grow_y()
    };
    View::column(vec![bar, tab_bar(env.accent, tabs), body]).fill().background(Color::SURFACE)
}

fn total_row(app: &Diary, id: ActivityId, span: DeviceDuration, sum: u64) -> View<super::Msg> {
    let (name, color) = app.label(id);
    let percent = (span.millis() * 100 / sum.max(1)) as i32;
    let name = View::text(name).id("activity_name").grow_x().align(Align::Start, Align::Center);
    let words = View::text(format!("{} ({percent} %)", spoken(span))).id("total_label").size(14);
    let bar = View::row(vec![
        View::space().width(Size::Weight(percent.max(1))).height(Size::Dp(8)).background(color),
        View::space()
            .width(Size::Weight((100 - percent).max(1)))
            .height(Size::Dp(8))
            .background(Color::DIVIDER),
    ]);
    let line = View::row(vec![name, words.color(Color::SECONDARY).align(Align::Start, Align::Center)]);
    View::column(vec![line.grow_y(), bar.height(Size::Dp(8))])
        .height(Size::Match)
        .pad(Edges::symmetric(16, 10))
        .divider()
}

pub(super) fn update(app: &Diary, page: &mut StatisticsPage, msg: Msg, sys: &mut System<Diary>) {
    let Msg::AllDays(all_days) = msg;
    sys.cover(if all_days { "diary.statistics.all-days" } else { "diary.statistics.today" });
    page.all_days = all_days;
    page.refresh(&app.store, sys.now);
}
