//! Properties of Kea become DMFs.

use super::{KeaFile, parse_kea};
use crate::{Action, Dmf, DmfKind, Input, Relation, TextPattern, WidgetState, condition_sentence};

/// A class with this body.
fn file(body: &str) -> KeaFile {
    parse_kea(&format!("from kea import *\n\nclass Test(KeaTest):\n{body}")).unwrap()
}

/// The function that this is read as.
fn only(body: &str) -> Dmf {
    let file = file(body);
    let [dmf] = &file.spec.dmfs[..] else { panic!("{:?}", file.spec.dmfs) };
    dmf.clone()
}

fn said(conditions: &[crate::Condition], dmf: &Dmf) -> Vec<String> {
    conditions.iter().map(|condition| condition_sentence(condition, &dmf.widgets)).collect()
}

#[test]
fn a_function_has_its_preconditions_steps_and_assertions() {
    let dmf = only(
        r#"
    @prob(0.7)
    @max_tries(3)
    @precondition(lambda self: self.d(text="Notes").exists and not self.d(resourceId="org.ex:id/drawer").exists())
    def test_search_stays(self):
        """It stays when the phone is turned."""
        print("searching")
        self.d(description="Search").click()
        sleep(0.5)
        if self.d(text="OK").exists():
            self.d(text="OK").click()
        self.d.set_orientation("l")
        self.d.set_orientation("n")
        assert self.d(resourceId="org.ex:id/field").exists(timeout=3), "it is gone"
"#,
    );
    assert_eq!(
        (dmf.name.as_str(), dmf.kind, dmf.weight),
        ("test_search_stays property", DmfKind::Property, 7)
    );
    assert_eq!((dmf.max_runs, dmf.not_judged.as_deref()), (Some(3), None));
    let steps: Vec<(Action, bool)> = dmf.steps.iter().map(|step| (step.action, step.required)).collect();
    let turns = [(Action::RotateLeft, true), (Action::RotateNatural, true)];
    assert_eq!(steps, [[(Action::Click, true), (Action::Click, false)], turns].concat());
    assert_eq!(
        said(&dmf.preconditions, &dmf),
        ["pre_widget (text \"Notes\") is shown", "pre_widget2 (id \"org.ex:id/drawer\") is not shown"]
    );
    assert_eq!(said(&dmf.postconditions, &dmf), ["post_widget (id \"org.ex:id/field\") is shown"]);
    assert_eq!(dmf.postconditions[0].layout, Some(4));
}

#[test]
fn conditions_of_which_one_is_enough_stay_together() {
    let dmf = only(
        r#"
    @precondition(lambda self: (d(text="A").exists() and d(text="B").exists()) or d(text="C").count > 0)
    @rule()
    def either(self):
        d(text="A").click()
        assert not (d(text="D").exists() or d(text="E").info["checked"])
"#,
    );
    assert_eq!(
        said(&dmf.preconditions, &dmf),
        [
            "pre_widget (text \"A\") is shown or pre_widget3 (text \"C\") is shown",
            "pre_widget2 (text \"B\") is shown or pre_widget3 (text \"C\") is shown",
        ]
    );
    assert_eq!(
        said(&dmf.postconditions, &dmf),
        ["post_widget (text \"D\") is not shown", "post_widget2 (text \"E\") is not checked"]
    );
    assert_eq!(dmf.postconditions[1].state, Some(WidgetState::NotChecked));
}

#[test]
fn bundles_are_data_types() {
    let file = file(
        r#"
    _files = Bundle("files")

    @precondition(lambda self: d(resourceId="org.ex:id/add").exists())
    @rule()
    def create(self):
        d(resourceId="org.ex:id/add").click()
        file_name = self._files.get_random_text()
        d(resourceId="org.ex:id/title").set_text(file_name)
        d(text="OK").click()
        self._files.add(file_name)
        d(scrollable=True).scroll.to(text=file_name)
        assert d(text=file_name).exists()

    @precondition(lambda self: self._files.get_all_data() and d(resourceId="org.ex:id/add").exists())
    @rule()
    def remove(self):
        name = self._files.get_random_data()
        row = d(resourceId="org.ex:id/row", text=name)
        shown = row.get_text()
        row.right(resourceId="org.ex:id/more").click()
        d(text="Delete").click()
        self._files.delete(shown)
        assert not d(text=shown).exists()

    @precondition(lambda self: len(self._files.get_all_data()) > 0)
    @rule()
    def rename(self):
        old = self._files.get_random_data()
        new = self._files.get_random_text()
        d(text=old).long_click()
        d(className="android.widget.EditText").set_text(new)
        d.press("enter")
        self._files.update(old, new)
        assert d(text=new).exists() and not d(text=old).exists()
"#,
    );
    let [create, remove, rename] = &file.spec.dmfs[..] else { panic!("{:?}", file.notes) };
    assert_eq!(file.spec.dmfs.iter().filter_map(|dmf| dmf.not_judged.as_deref()).next(), None);
    let of = |dmf: &Dmf| (dmf.name.clone(), dmf.kind, dmf.data_type.clone());
    assert_eq!(of(create), ("create files".to_owned(), DmfKind::Create, "files".to_owned()));
    assert!(matches!(create.steps[1].input, Input::Fresh(_)));
    assert_eq!(create.steps.len(), 3, "a condition looks through the lists by itself");
    assert_eq!(create.impacts[0].object, TextPattern::FromRead("file_name".to_owned()));
    assert_eq!(create.widget("file_name").unwrap().layout, 2);
    assert_eq!(said(&create.postconditions, create), ["post_widget (text file_name.text) is shown"]);

    assert_eq!(of(remove), ("remove files".to_owned(), DmfKind::Delete, "files".to_owned()));
    assert_eq!(remove.preconditions[0].relation, Relation::IsNotEmpty);
    assert_eq!(remove.impacts[0].object, TextPattern::FromRead("shown_name".to_owned()));
    let more = remove.widget(remove.steps[0].widget.as_deref().unwrap()).unwrap();
    assert_eq!(more.selector.row.as_deref(), Some("row_widget"));
    assert_eq!(said(&remove.postconditions, remove), ["post_widget (text shown_name.text) is not shown"]);

    assert_eq!(of(rename).1, DmfKind::Update);
    let texts: Vec<&TextPattern> = rename.impacts.iter().map(|impact| &impact.object).collect();
    let read = |name: &str| TextPattern::FromRead(name.to_owned());
    assert_eq!(texts, [&read("old_name"), &read("new_name")]);
    assert_eq!(
        said(&rename.postconditions, rename),
        ["post_widget (text new_name.text) is shown", "post_widget2 (text old_name.text) is not shown"]
    );
}

#[test]
fn what_is_done_first_and_the_main_path_are_told_apart() {
    let file = file(
        r#"
    @initializer()
    def set_up(self):
        for _ in range(2):
            d(resourceId="org.ex:id/next").click()
        if d(text="Allow").exists():
            d(text="Allow").click()

    @mainPath()
    def way(self):
        d(description="Menu").click()
        d(text="Settings").click()

    @precondition(lambda self: d(text="Language").exists())
    @rule()
    def language(self):
        d(text="Language").click()
        assert d(scrollable=True).scroll.to(text="Suomi")
"#,
    );
    let first = file.initializer.unwrap();
    assert_eq!(first.steps.iter().map(|step| step.required).collect::<Vec<_>>(), [true, true, false]);
    let [language] = &file.spec.dmfs[..] else { panic!() };
    assert_eq!(language.lead_in.len(), 2);
    assert!(language.lead_in.iter().all(|step| language.widget(step.widget.as_deref().unwrap()).is_some()));
    assert_eq!(said(&language.postconditions, language), ["post_widget (text \"Suomi\") is shown"]);
    assert_eq!(crate::lint(&file.spec).into_iter().filter(|it| it.code.code().starts_with('E')).count(), 0);
}

#[test]
fn functions_of_the_file_and_constants_are_followed() {
    let dmf = only(
        r#"
    PKG = "org.ex"

    def on_page(self):
        return self.d(resourceId=f"{self.PKG}:id/list").exists

    def open(self, label, times=1):
        self.d(text=label).click()

    @precondition(lambda self: self.on_page())
    def test_open(self):
        count = d(resourceId=self.PKG + ":id/row").count
        title = d(resourceId="org.ex:id/title").get_text()
        self.open("Details")
        for tab in ["One", "Two"]:
            self.open(label=tab)
        self.assertEqual(d(resourceId="org.ex:id/heading").get_text(), title)
        self.assertIn("%", d(resourceId="org.ex:id/state").get_text())
        assert d(resourceId="org.ex:id/row").count >= 2
"#,
    );
    assert_eq!(dmf.not_judged, None);
    assert_eq!(said(&dmf.preconditions, &dmf), ["pre_widget (id \"org.ex:id/list\") is shown"]);
    assert_eq!(dmf.steps.len(), 3);
    assert_eq!(dmf.widget("title_name").unwrap().layout, 0);
    assert_eq!(
        said(&dmf.postconditions, &dmf),
        [
            "post_widget (id \"org.ex:id/heading\", text title_name.text) is shown",
            "post_widget2 (id \"org.ex:id/state\", xpath \"//*[contains(@text,\\\"%\\\")]\") is shown",
            "post_widget3 (id \"org.ex:id/row\", instance 1) is shown",
        ]
    );
}

#[test]
fn what_has_no_counterpart_is_kept_without_being_judged() {
    let file = file(
        r#"
    @precondition(lambda self: d(text="A").exists())
    @rule()
    def loops(self):
        d(text="A").click()
        assert d(text="B").exists()
        while d(text="More").exists():
            d(text="More").click()
        assert d(text="C").exists()

    @with_webview
    @precondition(lambda self: True)
    def test_web(self):
        pass

    def test_plain(self):
        assert True
"#,
    );
    let [part, whole, web] = &file.spec.dmfs[..] else { panic!("{:?}", file.spec.dmfs) };
    assert_eq!((part.name.as_str(), part.runs()), ("loops_until_line_9 property", true), "{part:?}");
    assert_eq!(said(&part.postconditions, part), ["post_widget (text \"B\") is shown"]);
    assert!(whole.not_judged.as_deref().unwrap().starts_with("line 10: `while "), "{whole:?}");
    assert!(!whole.runs() && whole.steps.len() == 1);
    assert_eq!(web.not_judged.as_deref(), Some("line 14: `@with_webview` has no counterpart here"));
    let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("`test_plain` has no @precondition")), "{notes:?}");
}

#[test]
fn guards_are_preconditions_or_refusals() {
    let dmf = only(
        r#"
    @precondition(lambda self: d(text="A").exists())
    @rule()
    def guarded(self):
        if d(text="Off").exists():
            return
        d(text="A").click()
        if d(text="Wrong password").exists():
            print("refused")
            return
        assert d(text="B").exists()
"#,
    );
    assert_eq!(dmf.preconditions.len(), 2);
    assert_eq!(dmf.preconditions[1].relation, Relation::NotIn);
    let refused = dmf.widget(dmf.refusal.as_deref().unwrap()).unwrap();
    assert_eq!(refused.selector.text, TextPattern::Is("Wrong password".to_owned()));
}

#[test]
fn what_a_called_function_leaves_out_is_not_taken_for_the_whole() {
    let dmf = only(
        r#"
    def open(self):
        if d(text="Open").exists():
            return
        d(text="Menu").click()

    @precondition(lambda self: d(text="A").exists())
    @precondition(lambda self: d(text="B").exists())
    def test_it(self):
        d(text="A").click()
        self.open()
        assert d(text="C").exists()
"#,
    );
    assert_eq!(dmf.preconditions.len(), 2);
    let why = dmf.not_judged.unwrap();
    assert_eq!(why, "line 6: whether the rest of this function is done depends on the screen");
}

#[test]
fn what_is_done_beside_a_value_is_not_lost() {
    let dmf = only(
        r#"
    def open(self):
        d(text="Menu").click()
        d(text="Open").click()

    @precondition(lambda self: d(text="A").exists())
    def test_it(self):
        done = d(text="A").click_exists(timeout=3)
        found = d(scrollable=True).scroll.to(text="Far")
        shown = self.open()
        assert d(text="C").exists()
"#,
    );
    assert_eq!(dmf.not_judged, None);
    let steps: Vec<Action> = dmf.steps.iter().map(|step| step.action).collect();
    assert_eq!(steps, [Action::Click, Action::ScrollTo, Action::Click, Action::Click]);
    for line in [
        "done = safe_click(d, 'A')",
        "done = d(text='A').drag_to(text='B')",
        "d(text='A').exists() and d(text='A').click()",
        "d(text='A').click() if d(text='A').exists() else None",
        "d(text='A').set_text(random.choice(['a', 'b']))",
        "d.drag(0.1, 0.5, 0.9, 0.5)",
    ] {
        let body =
            format!("    @rule()\n    def f(self):\n        {line}\n        assert d(text='B').exists()\n");
        let why = only(&body).not_judged;
        assert!(why.as_deref().is_some_and(|why| why.starts_with("line 6: ")), "{line}: {why:?}");
    }
}

#[test]
fn each_class_has_functions_and_constants_of_its_own() {
    let text = r#"
class Page:
    NAME = "Base"
    def shown(self):
        return d(text=self.NAME).exists()

class First(Page):
    NAME = "One"
    @precondition(lambda self: self.shown())
    def test_first(self):
        self.open()
        assert d(text="C").exists()
    def open(self):
        d(text="first").click()

class Second(Page):
    NAME = "Two"
    @precondition(lambda self: self.shown())
    def test_second(self):
        self.open()
        assert d(text="C").exists()
    def open(self):
        d(text="second").long_click()
"#;
    let dmfs = parse_kea(text).unwrap().spec.dmfs;
    let of = |dmf: &Dmf| (said(&dmf.preconditions, dmf), dmf.steps[0].action);
    assert_eq!(of(&dmfs[0]), (vec!["pre_widget (text \"One\") is shown".to_owned()], Action::Click));
    assert_eq!(of(&dmfs[1]), (vec!["pre_widget (text \"Two\") is shown".to_owned()], Action::LongClick));
}

#[test]
fn a_part_before_a_bundle_is_changed_is_not_run() {
    let file = file(
        r#"
    _notes = Bundle("note")

    @rule()
    def add(self):
        st = d(resourceId="org.ex:id/st")
        name = random.choice(self._notes.get_all_data())
        d(text=name).click()
        title = "note " + self._notes.get_random_text()
        d(resourceId="org.ex:id/title").set_text(title)
        assert st.get_text() == "Add"
        d(text="Done").click()
        self._notes.add(title)
        assert "x" in d.xpath("//A | //B").get_text()
"#,
    );
    let [part, whole] = &file.spec.dmfs[..] else { panic!("{:?}", file.spec.dmfs) };
    assert!(part.not_judged.as_deref().unwrap().contains("may change a bundle after"), "{part:?}");
    assert!(whole.runs() && whole.impacts.len() == 1, "{whole:?}");
    assert!(whole.widgets.iter().any(|it| it.selector.text == TextPattern::Existing("note".to_owned())));
    assert!(said(&whole.postconditions, whole)[0].contains("(//A | //B)[contains("), "{whole:?}");
    let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("the whole text is made up")), "{notes:?}");
}

#[test]
fn a_word_of_specifications_is_not_typed_as_a_text() {
    let read = |text: &str| {
        only(&format!(
            "    @rule()\n    def f(self):\n        d(text='A').set_text('{text}')\n        assert d(text='B').exists()\n"
        ))
    };
    assert_eq!(read("Random").not_judged, None);
    assert!(read("random").not_judged.unwrap().contains("line 6: \"random\" is typed"));
}

#[test]
fn an_invariant_holds_on_every_screen() {
    let file = file(
        r#"
    @invariant
    def no_error(self):
        assert not d(text="Error").exists()
"#,
    );
    let [invariant] = &file.spec.invariants[..] else { panic!() };
    assert_eq!((invariant.name.as_str(), invariant.holds.len()), ("no_error", 1));
}

#[test]
fn a_file_without_properties_is_refused() {
    assert_eq!(parse_kea("class A:\n    def f(self):\n        pass\n").unwrap_err().line, 1);
}
