//! Replaces units that a violation needs by simpler ones, where it also appears with these: an object has its last name
//! from the beginning, or is added by the shortest DMF there is, and drawn texts become words that people would type.
//! A report with "Tickets" in it is read faster than one with "imoscptwtzpdthginhv".

use super::minimise::Trial;
use crate::Unit;
use taproof_engine::Stop;
use taproof_screen::{DrawnText, Event, Gesture, TextClass};
use taproof_spec::{CompiledSpec, Dmf, DmfKind, Input, typed_text};

/// The words that texts become, in the order of their first use. None begins like another one.
const WORDS: [&str; 12] = [
    "Tickets", "Passport", "Lisbon", "Violin", "Umbrella", "Picnic", "Wedding", "Lanterns", "Quince",
    "Olives", "Geneva", "Marzipan",
];

/// A text, and what it becomes.
type Renaming = (String, DrawnText);

/// How many DMFs that add an object are tried in place of others.
const ADDERS: usize = 2;

/// Drops DMFs that rename an object, and the events after them if need be, where the violation also appears if the
/// object has the later name from the beginning.
pub(crate) fn without_renames(mut units: Vec<Unit>, trial: &mut Trial<'_, Unit>) -> Result<Vec<Unit>, Stop> {
    let mut at = units.len().saturating_sub(1);
    while at > 0 {
        at -= 1;
        let Some(renaming) = units.get(at).and_then(renamed) else { continue };
        let before = with_texts_of(&units[..at], &[renaming]);
        let events = units[at + 1..].iter().take_while(|unit| matches!(unit, Unit::Event { .. })).count();
        let goes_on = if events == 0 { vec![at + 1] } else { vec![at + 1, at + 1 + events] };
        for end in goes_on.into_iter().filter(|end| *end < units.len()) {
            let candidate: Vec<Unit> = before.iter().chain(&units[end..]).cloned().collect();
            if let Some(kept) = trial(&candidate, at)? {
                at = at.min(kept.len());
                units = kept;
                break;
            }
        }
    }
    Ok(units)
}

/// Replaces the first DMFs by one that adds the object of the last one, where it has fewer steps than they have.
pub(crate) fn added_at_once(
    units: Vec<Unit>,
    spec: &CompiledSpec,
    trial: &mut Trial<'_, Unit>,
) -> Result<Vec<Unit>, Stop> {
    let last = units.len().saturating_sub(1);
    let Some((data_type, object)) = units.last().and_then(|unit| object_of(unit, spec)) else {
        return Ok(units);
    };
    let Some(first) = units[..last].iter().position(|unit| matches!(unit, Unit::Dmf { .. })) else {
        return Ok(units);
    };
    let adds = |dmf: &Dmf| {
        let drawn = dmf.steps.iter().filter(|step| !matches!(step.input, Input::None | Input::Literal(_)));
        dmf.kind == DmfKind::Create && dmf.data_type == data_type && drawn.count() == 1
    };
    let dmfs = spec.dmfs.iter().map(|compiled| &compiled.dmf).enumerate();
    let mut adders: Vec<(usize, &Dmf)> = dmfs.filter(|(_, dmf)| adds(dmf)).collect();
    adders.sort_by_key(|(_, dmf)| dmf.steps.len());
    for (index, dmf) in adders.into_iter().take(ADDERS) {
        let add =
            Unit::Dmf { dmf: index, name: dmf.name.clone(), inputs: vec![named_first(&object, &units)] };
        let longer = |end: &usize| {
            units[first..*end].iter().map(|unit| steps_of(unit, spec)).sum::<usize>() > dmf.steps.len()
        };
        for end in (first + 1..=last).rev().filter(longer) {
            let candidate: Vec<Unit> =
                units[..first].iter().chain([&add]).chain(&units[end..]).cloned().collect();
            if let Some(kept) = trial(&candidate, end - first - 1)? {
                return Ok(kept);
            }
        }
    }
    Ok(units)
}

/// The text as it was drawn first, as the name of an object. It was typed by an event if no DMF drew it.
fn named_first(text: &str, units: &[Unit]) -> DrawnText {
    let drawn = units.iter().flat_map(|unit| match unit {
        Unit::Dmf { inputs, .. } => inputs.as_slice(),
        Unit::Event { .. } | Unit::Detour { .. } => &[],
    });
    let mut named = drawn.filter(|drawn| drawn.text == text && drawn.class != Some(TextClass::Existing));
    let plain = || DrawnText { text: text.to_owned(), class: Some(TextClass::Plain) };
    named.next().cloned().unwrap_or_else(plain)
}

/// The object that a DMF chose, and its type.
fn object_of(unit: &Unit, spec: &CompiledSpec) -> Option<(String, String)> {
    let Unit::Dmf { dmf, inputs, .. } = unit else { return None };
    let object = inputs.iter().find(|input| input.class == Some(TextClass::Existing))?;
    Some((spec.dmfs.get(*dmf)?.dmf.data_type.clone(), object.text.clone()))
}

fn steps_of(unit: &Unit, spec: &CompiledSpec) -> usize {
    match unit {
        Unit::Event { .. } => 1,
        Unit::Detour { events } => events.len(),
        Unit::Dmf { dmf, .. } => spec.dmfs.get(*dmf).map_or(0, |compiled| compiled.dmf.steps.len()),
    }
}

/// Replaces all texts by words, or as many of them as the violation allows.
pub(crate) fn simple_texts(mut units: Vec<Unit>, trial: &mut Trial<'_, Unit>) -> Result<Vec<Unit>, Stop> {
    let all = renamed_texts(&texts_of(&units), &WORDS);
    if all.is_empty() {
        return Ok(units);
    }
    if let Some(simple) = trial(&with_texts_of(&units, &all), 0)? {
        return Ok(simple);
    }
    if all.len() > 1 {
        for (place, one) in all.iter().enumerate() {
            if let Some(simple) =
                trial(&with_texts_of(&units, std::slice::from_ref(one)), all.len() - place - 1)?
            {
                units = simple;
            }
        }
    }
    Ok(units)
}

/// The units of several traces with other texts than they have, which are related to each other as before. `None` if they
/// have no texts.
pub(crate) fn with_other_texts<const N: usize>(traces: [&[Unit]; N]) -> Option<[Vec<Unit>; N]> {
    let texts = texts_of(&traces.concat());
    let has = |word: &&&str| texts.iter().any(|known| known.text.eq_ignore_ascii_case(word));
    let words: Vec<&str> = WORDS.iter().filter(|word| !has(word)).copied().collect();
    let all = renamed_texts(&texts, &words);
    (!all.is_empty()).then(|| traces.map(|units| with_texts_of(units, &all)))
}

/// Words in place of these texts.
fn renamed_texts(texts: &[DrawnText], words: &[&str]) -> Vec<Renaming> {
    let renamed = texts.iter().filter_map(|text| simpler(text, texts, words));
    renamed.filter(|(old, new)| *old != new.text).collect()
}

/// The names that a DMF takes from an object and gives it, if it does no more.
fn renamed(unit: &Unit) -> Option<Renaming> {
    let Unit::Dmf { inputs, .. } = unit else { return None };
    let [old, new] = inputs.as_slice() else { return None };
    let renames = old.class == Some(TextClass::Existing) && new.class != Some(TextClass::Existing);
    renames.then(|| (old.text.clone(), new.clone()))
}

/// The texts that DMFs drew and that events typed, each once, in the order of their first use.
fn texts_of(units: &[Unit]) -> Vec<DrawnText> {
    let mut texts: Vec<DrawnText> = Vec::new();
    let mut add = |text: &DrawnText| {
        if !texts.iter().any(|known| known.text == text.text) {
            texts.push(text.clone());
        }
    };
    for unit in units {
        match unit {
            Unit::Dmf { inputs, .. } => inputs.iter().for_each(&mut add),
            Unit::Event { event, .. } => typed(event).iter().for_each(&mut add),
            Unit::Detour { events } => events.iter().filter_map(typed).for_each(|text| add(&text)),
        }
    }
    texts
}

fn typed(event: &Event) -> Option<DrawnText> {
    typed_text(event).map(|text| DrawnText { text: text.to_owned(), class: None })
}

/// The word for a text. A text that repeats an earlier one repeats its word; `None` if it is simple enough, or repeats
/// a text in a way that is not known here.
fn simpler(text: &DrawnText, texts: &[DrawnText], words: &[&str]) -> Option<Renaming> {
    let place = texts.iter().position(|known| known.text == text.text)?;
    let repeated = texts[..place]
        .iter()
        .enumerate()
        .find_map(|(earlier, known)| repetition(&text.text, &known.text, words.get(earlier)?));
    let repeats = text.class.is_some_and(TextClass::repeats);
    let (word, class) = match repeated {
        Some(word) => (word, text.class),
        None if repeats => return None,
        None => ((*words.get(place)?).to_owned(), Some(TextClass::Plain)),
    };
    Some((text.text.clone(), DrawnText { text: word, class }))
}

/// What repeats `word` as `text` repeats `known`: in other case, a part of it, or with more around it.
fn repetition(text: &str, known: &str, word: &str) -> Option<String> {
    if text.eq_ignore_ascii_case(known) {
        return Some(word.to_uppercase());
    }
    match text.find(known).filter(|_| known.len() >= 2) {
        Some(0) => return Some(format!("{word}2")),
        Some(_) => return Some(format!("My{word}")),
        None => {}
    }
    let part = text.len() >= 2 && known.contains(text);
    part.then(|| word.chars().take(3).collect())
}

fn with_texts_of(units: &[Unit], renaming: &[Renaming]) -> Vec<Unit> {
    units.iter().map(|unit| with_texts(unit, renaming)).collect()
}

/// The unit with other texts.
fn with_texts(unit: &Unit, renaming: &[Renaming]) -> Unit {
    let replacing = |text: &str| renaming.iter().find(|(old, _)| old == text).map(|(_, new)| new);
    match unit {
        Unit::Dmf { dmf, name, inputs } => {
            let renamed = |input: &DrawnText| match replacing(&input.text) {
                // A name that was chosen among the objects, or those that were removed, still is.
                Some(new) if matches!(input.class, Some(TextClass::Existing | TextClass::Removed)) => {
                    DrawnText { text: new.text.clone(), class: input.class }
                }
                Some(new) => DrawnText { class: new.class.or(input.class), ..new.clone() },
                None => input.clone(),
            };
            Unit::Dmf { dmf: *dmf, name: name.clone(), inputs: inputs.iter().map(renamed).collect() }
        }
        Unit::Event { event, role } => Unit::Event { event: event_with(event, renaming), role: *role },
        Unit::Detour { events } => {
            Unit::Detour { events: events.iter().map(|event| event_with(event, renaming)).collect() }
        }
    }
}

/// The event with other texts: those that it types, and those by which its widget is found.
fn event_with(event: &Event, renaming: &[Renaming]) -> Event {
    let mut event = event.clone();
    let replace = |text: &mut String| {
        if let Some((_, new)) = renaming.iter().find(|(old, _)| old == text) {
            text.clone_from(&new.text);
        }
    };
    match &mut event {
        Event::Widget { target, gesture } => {
            target.selector.text.as_mut().map(replace);
            target.selector.content_desc.as_mut().map(replace);
            if let Gesture::SetText(text) = gesture {
                replace(text);
            }
        }
        Event::Type(text) => replace(text),
        _ => {}
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::StepRole;

    fn dmf(name: &str, inputs: &[(&str, Option<TextClass>)]) -> Unit {
        let inputs = inputs.iter().map(|(text, class)| DrawnText { text: (*text).to_owned(), class: *class });
        Unit::Dmf { dmf: 0, name: name.to_owned(), inputs: inputs.collect() }
    }

    fn event(event: Event) -> Unit {
        Unit::Event { event, role: StepRole::Explored }
    }

    const EXISTING: Option<TextClass> = Some(TextClass::Existing);
    const PLAIN: Option<TextClass> = Some(TextClass::Plain);

    #[test]
    fn an_object_has_its_later_name_from_the_beginning() {
        let units = vec![
            dmf("add", &[("x?y", Some(TextClass::Symbols))]),
            dmf("rename", &[("x?y", EXISTING), ("Ab12", PLAIN)]),
            event(Event::Rotate),
            dmf("delete", &[("Ab12", EXISTING)]),
        ];
        let without = |events: &[Unit]| -> Vec<Unit> {
            let add = [dmf("add", &[("Ab12", PLAIN)])];
            add.into_iter()
                .chain(events.iter().cloned())
                .chain([dmf("delete", &[("Ab12", EXISTING)])])
                .collect()
        };
        let rotated = without(&[event(Event::Rotate)]);
        let always = without_renames(units.clone(), &mut |units, _| Ok(Some(units.to_vec())));
        assert_eq!(always.unwrap(), rotated);
        // The phone need not be turned if the object is not renamed.
        let plain = without(&[]);
        let only =
            without_renames(units.clone(), &mut |units, _| Ok((units == plain).then(|| units.to_vec())));
        assert_eq!(only.unwrap(), plain);
        assert_eq!(without_renames(units.clone(), &mut |_, _| Ok(None)).unwrap(), units);
    }

    #[test]
    fn texts_become_words_that_are_related_as_they_were() {
        let units = vec![
            dmf("add", &[("qxcvb12", PLAIN)]),
            dmf("add", &[("QXCVB12", Some(TextClass::OtherCase))]),
            dmf("add", &[("qx", Some(TextClass::Extending))]),
            event(Event::Type("a long text".to_owned())),
            dmf("search", &[("QXCVB12", EXISTING)]),
            dmf("search", &[("qxcvb12", Some(TextClass::Removed))]),
        ];
        let simple = vec![
            dmf("add", &[("Tickets", PLAIN)]),
            dmf("add", &[("TICKETS", Some(TextClass::OtherCase))]),
            dmf("add", &[("Tic", Some(TextClass::Extending))]),
            event(Event::Type("Violin".to_owned())),
            dmf("search", &[("TICKETS", EXISTING)]),
            dmf("search", &[("Tickets", Some(TextClass::Removed))]),
        ];
        let mut trials = 0;
        let all = simple_texts(units.clone(), &mut |units, _| {
            trials += 1;
            Ok(Some(units.to_vec()))
        });
        assert_eq!((all.unwrap(), trials), (simple.clone(), 1));
        // Words stay as they are.
        assert_eq!(simple_texts(simple.clone(), &mut |_, _| panic!("a trial")).unwrap(), simple);
    }

    #[test]
    fn a_text_that_the_violation_needs_stays() {
        let long = "x".repeat(90);
        let units = vec![
            dmf("add", &[(&long, Some(TextClass::Long))]),
            dmf("add", &[("Kj81", PLAIN)]),
            dmf("delete", &[(&long, EXISTING)]),
        ];
        let needed = units[0].clone();
        let kept =
            simple_texts(units.clone(), &mut |units, _| Ok((units[0] == needed).then(|| units.to_vec())));
        let kept = kept.unwrap();
        assert_eq!((&kept[0], &kept[2]), (&units[0], &units[2]));
        assert_eq!(kept[1], dmf("add", &[("Passport", PLAIN)]));
    }
}
