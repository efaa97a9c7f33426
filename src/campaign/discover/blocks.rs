//! What random exploration must not do, since it changes the data outside of a function.

use taproof_screen::{Event, Gesture, Key, RecordedStep, Widget, is_visible};
use taproof_spec::{
    Block, BlockedEvent, Spec, ViewPattern, derived_blocks, is_forbidden, receiver, target_of,
};

/// The blocks for steps that changed the data, where none that follows from the functions covers them. `objects` are the
/// texts that differ from run to run.
pub(super) fn blocks_for(spec: &Spec, changers: &[RecordedStep], objects: &[String]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for step in changers {
        let known: Vec<Block> = derived_blocks(spec).into_iter().chain(blocks.iter().cloned()).collect();
        if !is_forbidden(&known, &step.before, &step.event) {
            blocks.extend(block_of(step, objects));
        }
    }
    blocks
}

/// The block of one step; `None` if nothing tells its widget apart.
pub(super) fn block_of(step: &RecordedStep, objects: &[String]) -> Option<Block> {
    let reason = "changes objects outside of a function".to_owned();
    let block = |pattern, event| Block { pattern, event, reason, activity: None, every_engine: false };
    match &step.event {
        Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. } => {
            let target = target_of(step)?;
            let Event::Widget { gesture, .. } = &step.event else { return None };
            let acted = receiver(&step.before, target, gesture).unwrap_or(target);
            let by = |idx| pattern_of(step.before.widget(idx), objects);
            Some(block(by(acted).or_else(|| by(target))?, BlockedEvent::Widget))
        }
        // What leaves a form may save it: whatever can be typed into is on the screen then.
        Event::Key(Key::Back) => {
            let field = step.before.widgets().iter().find(|widget| widget.is_text_field())?;
            Some(block(pattern_of(field, objects)?, BlockedEvent::Back))
        }
        _ => None,
    }
}

/// What the widget is known by: its id, or else its words, if they are no data.
fn pattern_of(widget: &Widget, objects: &[String]) -> Option<ViewPattern> {
    let fixed = |text: &str| is_visible(text) && !objects.iter().any(|object| text.contains(object.as_str()));
    let id = widget.short_id().filter(|id| *id != "button1" && *id != "title" && *id != "text1");
    let mut attributes = Vec::new();
    let mut fix = |name: &str, value: &str| attributes.push((name.to_owned(), value.to_owned()));
    match () {
        () if fixed(&widget.text) && !widget.is_text_field() => fix("text", &widget.text),
        () if id.is_some() => fix("resource-id", widget.resource_id.as_deref()?),
        () if fixed(&widget.content_desc) => fix("content-desc", &widget.content_desc),
        () => return None,
    }
    Some(ViewPattern { attributes })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Selector, layout_from};

    #[test]
    fn what_changed_objects_outside_of_a_function_is_blocked_once() {
        let before = Arc::new(layout_from("TextView#row \"k1\"\nButton#undo \"Undo\"\n"));
        let tap = |id: &str| {
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            let event = Event::on(&before, selector, Gesture::Tap).unwrap();
            RecordedStep { event, before: Arc::clone(&before), after: Arc::clone(&before) }
        };
        let objects = ["k1".to_owned()];
        let blocks = blocks_for(&Spec::default(), &[tap("undo"), tap("undo"), tap("row")], &objects);
        let attributes: Vec<_> = blocks.into_iter().flat_map(|block| block.pattern.attributes).collect();
        let expected = [("text", "Undo"), ("resource-id", "org.ex:id/row")];
        assert_eq!(attributes, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
