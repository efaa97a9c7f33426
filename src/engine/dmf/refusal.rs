//! Whether an app refused what was entered, where the specification does not say how it does.

use taproof_screen::{DrawnText, Layout, is_visible};
use taproof_spec::{Action, Dmf, DmfKind};

/// Whether an app that shows these screens before and after the last step of a DMF refuses the new object or name that was
/// entered. A DMF whose specification says how the app refuses is not guessed at.
pub(super) fn seems_refused(dmf: &Dmf, (before, now): (&Layout, &Layout), entered: &[DrawnText]) -> bool {
    let enters = matches!(dmf.kind, DmfKind::Create | DmfKind::Update) && dmf.refusal.is_none();
    let taps = dmf.steps.last().is_some_and(|step| step.action != Action::Edit);
    enters && taps && stays_and_says_why(before, now, entered)
}

/// Whether the screen after a step is still the form before it: a field goes on holding a text that the run entered, and a
/// text has come that says why.
fn stays_and_says_why(before: &Layout, now: &Layout, entered: &[DrawnText]) -> bool {
    let is_entered = |text: &str| entered.iter().any(|entered| entered.text == *text);
    let fields = |layout: &Layout| {
        let held =
            layout.widgets().iter().filter(|widget| widget.is_text_field() && is_entered(&widget.text));
        held.map(|widget| (widget.resource_id.clone(), widget.text.clone())).collect::<Vec<_>>()
    };
    let held = fields(before);
    let says = |layout: &Layout, text: &str| layout.widgets().iter().any(|widget| *widget.text == *text);
    let mut news = now
        .widgets()
        .iter()
        .filter(|widget| !widget.is_text_field() && is_visible(&widget.text) && !is_entered(&widget.text));
    fields(now).iter().any(|field| held.contains(field)) && news.any(|widget| !says(before, &widget.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_form_that_stays_and_says_why_refuses() {
        let entered = [DrawnText { text: "k1".to_owned(), class: None }];
        let form = layout_from("EditText#name \"k1\"\nButton#save \"Save\"\n");
        let check = |after: &str| stays_and_says_why(&form, &layout_from(after), &entered);
        assert!(check("EditText#name \"k1\"\nTextView#error \"This name exists\"\nButton#save \"Save\"\n"));
        assert!(!check("EditText#name \"k1\"\nButton#save \"Save\"\n"), "it says nothing, which is a fault");
        assert!(!check("TextView#row \"k1\"\nTextView#hint \"New\"\n"), "it was left");
        let line = "EditText#name \"k1\"\nButton#save \"Save\"\nTextView#row \"k1\"\n";
        assert!(!check(line), "it shows what was entered");
    }
}
