//! Steps that only the first run of a function needs: the system asks for a permission once.

use super::drafter::Drafter;
use taproof_screen::Layout;
use taproof_screen::Looks;

impl Drafter<'_> {
    /// Steps on a dialog of the system may fail in later runs. So may the step before them, on a page that says why the
    /// system asks: it is another screen than the one after the answer, and the function does not begin there.
    pub(super) fn answered_once(&mut self) {
        let Some(app) = self.layouts.first().map(|first| first.package().to_owned()) else { return };
        let foreign = |layout: &Layout| !layout.package().is_empty() && layout.package() != app;
        let asks: Vec<usize> =
            (0..self.dmf.steps.len()).filter(|index| foreign(&self.layouts[*index])).collect();
        for index in asks {
            self.dmf.steps[index].required = false;
            let answered = self.layouts[index..].iter().find(|layout| !foreign(layout));
            let before = index.checked_sub(1).filter(|before| *before > 0);
            if let (Some(before), Some(answered)) = (before, answered)
                && !foreign(&self.layouts[before])
                && Looks::of(&self.layouts[before]).likeness(&Looks::of(answered)).is_none()
            {
                self.dmf.steps[before].required = false;
            }
            self.note(None, false, format!("step {} may be left out: the system asks only once", index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{DmfKind, DraftRequest, draft};
    use taproof_screen::{Event, Gesture, RecordedStep, Selector, layout_from};

    #[test]
    fn what_the_system_asks_once_may_be_left_out() {
        let list = "Button#new\nListView#list\n  TextView#row \"a\"\n";
        let why = "TextView#why \"Please allow it\"\nButton#go_on\n";
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let listed = "Button#new\nListView#list\n  TextView#row \"a\"\n  TextView#row \"k1\"\n";
        let system = layout_from("Button#allow \"Allow\"\n");
        let system = system.with_activity("com.android.permissioncontroller/.GrantActivity".into());
        let screens = [list, why].map(|text| Arc::new(layout_from(text)));
        let rest = [form, filled, listed].map(|text| Arc::new(layout_from(text)));
        let screens: Vec<_> = screens.into_iter().chain([Arc::new(system)]).chain(rest).collect();
        let typing = Gesture::SetText("k1".to_owned());
        let done = [
            ("new", Gesture::Tap),
            ("go_on", Gesture::Tap),
            ("allow", Gesture::Tap),
            ("name", typing),
            ("save", Gesture::Tap),
        ];
        let steps: Vec<RecordedStep> = done
            .into_iter()
            .zip(screens.windows(2))
            .map(|((id, gesture), seen)| {
                let id = Some(format!("org.ex:id/{id}"));
                let selector = Selector { resource_id: id, ..Selector::default() };
                let event = Event::on(&seen[0], selector, gesture).unwrap();
                RecordedStep { event, before: seen[0].clone(), after: seen[1].clone() }
            })
            .collect();
        let drafted = draft(&steps, &DraftRequest::new(DmfKind::Create, "note")).unwrap();
        let required: Vec<bool> = drafted.dmf.steps.iter().map(|step| step.required).collect();
        assert_eq!(required, [true, false, false, true, true]);
    }
}
