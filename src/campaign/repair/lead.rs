//! How functions are reached that do not begin on the first screen: by a tap on what is called like their data, or in a
//! menu for that.

use std::sync::Arc;

use super::RepairPlan;
use crate::InitialisedDevices;
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceSource};
use taproof_screen::{Event, Gesture, Layout, event_on};
use taproof_spec::Dmf;
use taproof_spec::repair::{Sight, counterpart, may_begin_on, named_alike};

/// How many taps are tried on one screen.
const TAPS: usize = 6;

/// The taps that lead from a fresh start to a screen on which a function may begin; none if it begins there or no such
/// screen was found.
pub(super) fn lead_to(
    plan: &RepairPlan,
    source: &mut dyn DeviceSource,
    dmf: &Dmf,
) -> Result<Vec<Sight>, DeviceError> {
    let mut walker = Walker::new(plan, source)?;
    let start = walker.start()?;
    if may_begin_on(dmf, &start, &plan.app) {
        return Ok(Vec::new());
    }
    let mut menus = Vec::new();
    for widget in named_alike(&start, &dmf.data_type, true).into_iter().take(TAPS) {
        walker.start()?;
        let tap = Sight { layout: Arc::clone(&start), widget };
        let Some(layout) = walker.tap(&tap)? else { continue };
        if may_begin_on(dmf, &layout, &plan.app) {
            return Ok(vec![tap]);
        }
        menus.push((tap, layout));
    }
    for (first, menu) in menus {
        for widget in named_alike(&menu, &dmf.data_type, false).into_iter().take(TAPS) {
            walker.start()?;
            if walker.tap(&first)?.is_none() {
                continue;
            }
            let second = Sight { layout: Arc::clone(&menu), widget };
            if walker.tap(&second)?.is_some_and(|layout| may_begin_on(dmf, &layout, &plan.app)) {
                return Ok(vec![first, second]);
            }
        }
    }
    Ok(Vec::new())
}

/// Taps what is most like the widgets that led there in the old version. Returns the events.
pub(super) fn follow(
    plan: &RepairPlan,
    source: &mut dyn DeviceSource,
    lead: &[Sight],
) -> Result<Vec<Event>, DeviceError> {
    let mut walker = Walker::new(plan, source)?;
    let mut layout = walker.start()?;
    let mut events = Vec::new();
    for sight in lead {
        let Some(widget) = counterpart(sight, &layout, |_, _| false) else { break };
        let tap = Sight { layout, widget };
        events.extend(event_of(&tap));
        match walker.tap(&tap)? {
            Some(next) => layout = next,
            None => break,
        }
    }
    Ok(events)
}

/// The event that taps a widget.
pub(super) fn event_of(tap: &Sight) -> Option<Event> {
    event_on(&tap.layout, tap.widget, Gesture::Tap)
}

struct Walker {
    device: Box<dyn Device>,
    app: AppId,
}

impl Walker {
    fn new(plan: &RepairPlan, source: &mut dyn DeviceSource) -> Result<Walker, DeviceError> {
        let mut source = InitialisedDevices::new(source, &plan.app, plan.initialiser.as_ref());
        Ok(Walker { device: source.fresh()?, app: AppId(plan.app.clone()) })
    }

    fn start(&mut self) -> Result<Arc<Layout>, DeviceError> {
        self.device.launch(&self.app, AppData::Clear)?;
        Ok(self.device.observe()?.layout)
    }

    fn tap(&mut self, tap: &Sight) -> Result<Option<Arc<Layout>>, DeviceError> {
        let Some(event) = event_of(tap) else { return Ok(None) };
        self.device.perform(&event)?;
        Ok(Some(self.device.observe()?.layout))
    }
}
