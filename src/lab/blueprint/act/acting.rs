//! Performs the acts of a script on both builds.

use taproof_engine::device::DeviceError;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Direction, Event, Gesture, Key, Widget, WidgetIdx};

use super::Act;
use crate::generate::names::{Part, Tag};
use crate::pages::extra_pages::{BLOCKED, HISTORY, OTHER_UNIT, SWAP};
use crate::pages::form_page::DONE;
use crate::pages::list_page::{SHOW_ALL, order_label};
use crate::pages::more_pages::{ALLOW, CONTINUE, OK, START_EMPTY};
use crate::schema::{DataType, DeleteFrom, FormWindow, Shape};
use crate::store::Order;
use crate::witness::{Both, Pair};

impl Pair {
    pub(crate) fn kind(&self) -> &'static DataType {
        &self.plan.blueprint.types[self.data_type]
    }

    fn tag(&self, part: Part) -> Tag {
        self.plan.names[self.data_type].tag(part)
    }

    /// The widgets that have the name of a part: its id, and its description where it has one.
    fn widgets(&self, both: &Both, tag: Tag) -> Vec<WidgetIdx> {
        let id = tag.dumped_id(&self.plan.blueprint.resources());
        let desc = self.plan.translations.said(tag.desc);
        let is = |(_, widget): &(WidgetIdx, &Widget)| {
            id.as_ref().is_none_or(|id| widget.resource_id.as_deref() == Some(id.as_str()))
                && (desc.is_empty() || &*widget.content_desc == desc)
        };
        if id.is_none() && tag.desc.is_empty() {
            return Vec::new();
        }
        both.frame.layout.iter().filter(is).map(|(idx, _)| idx).collect()
    }

    fn tap(&self, both: &mut Both, tag: Tag) -> Result<bool, DeviceError> {
        match self.widgets(both, tag).first() {
            Some(widget) => both.tap_at(*widget, Gesture::Tap).map(|()| true),
            None => Ok(false),
        }
    }

    fn tap_words(&self, both: &mut Both, words: &str) -> Result<bool, DeviceError> {
        let words = self.plan.translations.said(words);
        let named = |(_, it): &(WidgetIdx, &Widget)| &*it.text == words || &*it.content_desc == words;
        // Of a title and a button with the same words, the button comes last.
        let last = both.frame.layout.iter().rfind(named).map(|(idx, _)| idx);
        match last {
            Some(widget) => both.tap_at(widget, Gesture::Tap).map(|()| true),
            None => Ok(false),
        }
    }

    /// The fields for texts on the screen.
    fn inputs(both: &Both) -> Vec<WidgetIdx> {
        both.frame.layout.iter().filter(|(_, it)| it.is_text_field()).map(|(idx, _)| idx).collect()
    }

    fn write(both: &mut Both, place: usize, text: &str) -> Result<(), DeviceError> {
        match Pair::inputs(both).get(place) {
            Some(widget) => both.tap_at(*widget, Gesture::SetText(text.to_owned())),
            None => Ok(()),
        }
    }

    /// Closes what is open until the list is there.
    fn begin(&self, both: &mut Both) -> Result<(), DeviceError> {
        let title = self.plan.names[self.data_type].title;
        for _ in 0..8 {
            if !self.widgets(both, self.tag(Part::New)).is_empty() || both.differ {
                return Ok(());
            }
            let on_main = both.frame.layout.activity().ends_with("MainActivity");
            let moved = match on_main {
                _ if self.tap_words(both, "Discard")? => true,
                true => self.tap_words(both, title)? || self.tap_words(both, "Open navigation drawer")?,
                false => false,
            };
            if !moved {
                both.perform(Event::Key(Key::Back))?;
            }
        }
        Ok(())
    }

    fn open_row(&self, both: &mut Both, row: usize) -> Result<(), DeviceError> {
        self.begin(both)?;
        Pair::tap_in_row(both, &self.rows(both), row)
    }

    /// Taps the widget of this row, or of the last one.
    fn tap_in_row(both: &mut Both, widgets: &[WidgetIdx], row: usize) -> Result<(), DeviceError> {
        match widgets.get(row).or(widgets.last()) {
            Some(widget) => both.tap_at(*widget, Gesture::Tap),
            None => Ok(()),
        }
    }

    /// The names of the objects in the rows of the list: the first text of what is around the button for the menu.
    fn rows(&self, both: &Both) -> Vec<WidgetIdx> {
        let layout = &both.frame.layout;
        let says = |it: &WidgetIdx| !layout.widget(*it).text.is_empty();
        let name = |menu: WidgetIdx| {
            let row = layout.ancestors(menu).find(|it| layout.widget(*it).clickable())?;
            layout.subtree(row).find(says)
        };
        self.widgets(both, self.tag(Part::RowMenu)).into_iter().filter_map(name).collect()
    }

    fn open_row_menu(&self, both: &mut Both, row: usize) -> Result<(), DeviceError> {
        self.begin(both)?;
        let layout = &both.frame.layout;
        let in_row = |menu: &WidgetIdx| layout.ancestors(*menu).any(|it| layout.widget(it).clickable());
        let menus: Vec<WidgetIdx> =
            self.widgets(both, self.tag(Part::RowMenu)).into_iter().filter(in_row).collect();
        Pair::tap_in_row(both, &menus, row)
    }

    /// Opens the form of a new object. A permission that is asked for is granted.
    fn begin_new(&self, both: &mut Both) -> Result<(), DeviceError> {
        self.tap(both, self.tag(Part::New))?;
        if self.plan.blueprint.changes.asks_how {
            self.tap_words(both, START_EMPTY)?;
        }
        if self.kind().form.permission.is_some() {
            self.tap_words(both, CONTINUE)?;
            self.tap_words(both, ALLOW)?;
        }
        Ok(())
    }

    fn edit(&self, both: &mut Both, row: usize) -> Result<(), DeviceError> {
        self.open_row_menu(both, row)?;
        self.tap_words(both, "Edit").map(|_| ())
    }

    fn save(&self, both: &mut Both) -> Result<(), DeviceError> {
        let kind = self.kind();
        while kind.form.window == FormWindow::Wizard && self.tap(both, self.tag(Part::Next))? {
            // A name that the app refuses keeps the first page.
            if both.differ || both.events.len() > 400 || self.is_refused(both) {
                return Ok(());
            }
        }
        match kind.form.window {
            FormWindow::Dialog => self.tap_words(both, "Save")?,
            _ if kind.form.autosave => self.tap_words(both, DONE)?,
            FormWindow::Page | FormWindow::Wizard => self.tap(both, self.tag(Part::Save))?,
        };
        if self.plan.blueprint.changes.says_saved {
            self.tap_words(both, OK)?;
        }
        Ok(())
    }

    fn is_refused(&self, both: &Both) -> bool {
        let refused = |text: &str| {
            ["Enter a name", "This name exists", "Fill in this field"].contains(&text)
                || text.starts_with("Enter a number")
        };
        both.frame.layout.widgets().iter().any(|it| refused(&it.text))
    }

    /// The place among the fields for texts of a page.
    fn input_place(&self, field: usize) -> usize {
        let kind = self.kind();
        let is_text = |it: &usize| kind.fields[*it].shape.is_typed();
        match self.plan.blueprint.changes.fields_reversed {
            _ if kind.form.window == FormWindow::Wizard => 0,
            true => (field + 1..kind.fields.len()).filter(is_text).count(),
            false => (0..field).filter(is_text).count(),
        }
    }

    fn turn_to(&self, both: &mut Both, field: usize) -> Result<(), DeviceError> {
        let kind = self.kind();
        if kind.form.window == FormWindow::Wizard {
            for _ in 0..field {
                self.tap(both, self.tag(Part::Next))?;
            }
        }
        Ok(())
    }

    fn fill(&self, both: &mut Both, field: usize, text: &str) -> Result<(), DeviceError> {
        self.turn_to(both, field)?;
        Pair::write(both, self.input_place(field), text)
    }

    /// Begins to make an object with this name.
    fn draft(&self, both: &mut Both, name: &str) -> Result<(), DeviceError> {
        self.begin(both)?;
        self.begin_new(both)?;
        Pair::write(both, self.input_place(0), name)
    }

    fn delete(&self, both: &mut Both, row: usize) -> Result<(), DeviceError> {
        let plan = self.kind().delete;
        match plan.from {
            DeleteFrom::RowMenu => {
                self.open_row_menu(both, row)?;
                self.tap_words(both, "Delete")?;
            }
            DeleteFrom::Swipe => {
                self.begin(both)?;
                let rows = self.rows(both);
                if let Some(row) = rows.get(row.min(rows.len().saturating_sub(1))) {
                    both.tap_at(*row, Gesture::Swipe(Direction::Left))?;
                    self.tap_words(both, "Delete")?;
                }
            }
            DeleteFrom::Detail => {
                self.open_row(both, row)?;
                self.tap(both, self.tag(Part::Delete))?;
            }
        }
        if plan.confirm {
            self.tap_words(both, "Delete")?;
        }
        Ok(())
    }

    fn query(&self, both: &mut Both, text: &str) -> Result<(), DeviceError> {
        self.begin(both)?;
        self.open_search_menu(both)?;
        if self.tap(both, self.tag(Part::Search))? {
            Pair::write(both, 0, text)?;
            both.perform(Event::Key(Key::ImeAction))?;
        }
        Ok(())
    }

    /// Opens the menu that holds the search, where it is an entry of it.
    fn open_search_menu(&self, both: &mut Both) -> Result<(), DeviceError> {
        if self.plan.blueprint.changes.search_in_menu {
            self.tap_words_first(both, "More options")?;
        }
        Ok(())
    }

    fn choose_in_menu(&self, both: &mut Both, words: &str) -> Result<(), DeviceError> {
        self.begin(both)?;
        self.tap_words_first(both, "More options")?;
        self.tap_words(both, words).map(|_| ())
    }

    /// The first row of the history: the first text below its title.
    fn played(&self, both: &Both) -> Option<WidgetIdx> {
        let named = self.widgets(both, self.tag(Part::Played)).first().copied();
        named.or_else(|| both.frame.layout.iter().filter(|(_, it)| !it.text.is_empty()).nth(1).map(|it| it.0))
    }

    fn settings(&self, both: &mut Both) -> Result<(), DeviceError> {
        self.begin(both)?;
        self.tap_words_first(both, "More options")?;
        self.tap_words(both, "Settings").map(|_| ())
    }

    fn tap_words_first(&self, both: &mut Both, words: &str) -> Result<(), DeviceError> {
        let words = self.plan.translations.said(words);
        let first = both.frame.layout.iter().find(|(_, it)| &*it.content_desc == words).map(|(idx, _)| idx);
        first.map_or(Ok(()), |widget| both.tap_at(widget, Gesture::Tap))
    }

    pub(crate) fn act(&self, both: &mut Both, act: &Act) -> Result<(), DeviceError> {
        let kind = self.kind();
        match act {
            Act::Begin => self.begin(both),
            Act::Add(name) => {
                self.draft(both, name)?;
                self.save(both)
            }
            Act::Rename(row, name) => {
                self.edit(both, *row)?;
                Pair::write(both, self.input_place(0), name)?;
                self.save(both)
            }
            Act::Fill(row, text) => {
                let field = kind.second_text().unwrap_or(0);
                self.edit(both, *row)?;
                self.fill(both, field, text)?;
                self.save(both)
            }
            Act::FillNumber(row, number) => {
                let Some(field) = kind.number() else { return Ok(()) };
                self.edit(both, *row)?;
                self.fill(both, field, &number.to_string())?;
                self.save(both)
            }
            Act::OpenOwners => match self.plan.blueprint.owner_of(self.data_type) {
                Some(data_type) => self.of(data_type).open_row(both, 0),
                None => Ok(()),
            },
            Act::MoveDate(row, days) => {
                self.edit(both, *row)?;
                self.turn_to(both, kind.field_of(Shape::Date).unwrap_or(0))?;
                for _ in 0..days / 7 {
                    self.tap_words(both, "Week after")?;
                }
                for _ in 0..days % 7 {
                    self.tap_words(both, "Day after")?;
                }
                self.save(both)
            }
            Act::Open(row) => self.open_row(both, *row),
            Act::Delete(row) => self.delete(both, *row),
            Act::Undo => self.tap_words(both, "Undo").map(|_| ()),
            Act::Restore => {
                self.begin(both)?;
                self.tap_words_first(both, "More options")?;
                self.tap_words(both, "Trash")?;
                self.tap(both, self.tag(Part::Restore))?;
                self.begin(both)
            }
            Act::Search(text) => {
                self.query(both, text)?;
                self.begin(both)
            }
            Act::Query(text) => self.query(both, text),
            Act::Star(row) => {
                self.begin(both)?;
                let stars = self.widgets(both, self.tag(Part::RowStar));
                stars.get(*row).map_or(Ok(()), |star| both.tap_at(*star, Gesture::Tap))
            }
            Act::Starred => {
                self.begin(both)?;
                if !self.tap(both, self.tag(Part::Starred))? {
                    self.tap_words(both, SHOW_ALL)?;
                }
                Ok(())
            }
            Act::Sort => {
                self.begin(both)?;
                self.tap(both, self.tag(Part::Sort))?;
                self.tap_words(both, order_label(Order::Name)).map(|_| ())
            }
            Act::Settings => {
                self.settings(both)?;
                self.begin(both)
            }
            Act::Reset => {
                self.settings(both)?;
                self.tap_words(both, "Reset settings")?;
                self.tap_words(both, "Reset")?;
                self.begin(both)
            }
            Act::Draft(text) => self.draft(both, text),
            Act::DraftOf(row) => {
                self.edit(both, *row)?;
                let field = kind.second_text().unwrap_or(0);
                self.fill(both, field, "draft")
            }
            Act::SaveEmpty => {
                self.begin(both)?;
                self.begin_new(both)?;
                self.save(both)
            }
            Act::LeaveEmpty(row) => {
                self.edit(both, *row)?;
                Pair::write(both, self.input_place(0), "")?;
                self.tap_words(both, "Navigate up").map(|_| ())
            }
            Act::AddNumber(number) => {
                let Some(field) = kind.number() else { return Ok(()) };
                self.draft(both, "zebra")?;
                self.fill(both, field, &number.to_string())?;
                self.save(both)
            }
            Act::AddChoice(which, name) => {
                let Some((field, words)) = kind.choice() else { return Ok(()) };
                self.draft(both, name)?;
                self.turn_to(both, field)?;
                let word = words.0.get((*which).min(words.0.len() - 1));
                word.map_or(Ok(false), |word| self.tap_words(both, word.0))?;
                self.save(both)
            }
            Act::AddTicked => {
                let Some(field) = kind.field_of(Shape::Check) else { return Ok(()) };
                self.draft(both, "zebra")?;
                self.turn_to(both, field)?;
                self.tap_words(both, kind.fields[field].label.0)?;
                self.save(both)
            }
            Act::Play(row) => {
                self.begin(both)?;
                Pair::tap_in_row(both, &self.widgets(both, self.tag(Part::RowPlay)), *row)
            }
            Act::PagePlay => self.tap(both, self.tag(Part::Play)).map(|_| ()),
            Act::Browse => {
                self.tap(both, self.tag(Part::Browser))?;
                both.perform(Event::Key(Key::Back))
            }
            Act::History => self.choose_in_menu(both, HISTORY),
            Act::PressHistory => {
                let played = self.played(both);
                played.map_or(Ok(()), |it| both.tap_at(it, Gesture::LongPress))
            }
            Act::Block => self.tap(both, self.tag(Part::Block)).map(|_| ()),
            Act::ClearBlocked => {
                self.choose_in_menu(both, BLOCKED)?;
                self.tap(both, self.tag(Part::ClearBlocked)).map(|_| ())
            }
            Act::Members => match self.plan.blueprint.members_of(self.data_type).next() {
                Some(data_type) => self.of(data_type).begin(both),
                None => Ok(()),
            },
            Act::BlockOwner(row) => match self.plan.blueprint.owner_of(self.data_type) {
                Some(data_type) => {
                    let owner = self.of(data_type);
                    owner.open_row(both, *row)?;
                    owner.tap(both, owner.tag(Part::Block)).map(|_| ())
                }
                None => Ok(()),
            },
            Act::Refresh => {
                self.begin(both)?;
                self.tap(both, self.tag(Part::Refresh)).map(|_| ())
            }
            Act::Converter => {
                let title = self.plan.blueprint.converter.as_ref().map_or("", |it| it.title.0);
                self.choose_in_menu(both, title)
            }
            Act::SwapUnits => {
                self.tap_words_first(both, OTHER_UNIT)?;
                self.tap_words(both, SWAP).map(|_| ())
            }
            Act::ActionKey => both.perform(Event::Key(Key::ImeAction)),
            Act::Larger => self.tap(both, self.tag(Part::Larger)).map(|_| ()),
            Act::PageStar => self.tap(both, self.tag(Part::PageStar)).map(|_| ()),
            Act::Wait(seconds) => both.perform(Event::Wait(DeviceDuration::from_secs(*seconds))),
            Act::Deny => {
                self.begin(both)?;
                self.tap(both, self.tag(Part::New))?;
                self.tap_words(both, CONTINUE)?;
                self.tap_words(both, "DENY").map(|_| ())
            }
            Act::SecondTab => {
                let tabs = self.plan.blueprint.object_tabs(&self.plan.names, self.data_type);
                tabs.map_or(Ok(()), |[_, second]| self.tap_words(both, second).map(|_| ()))
            }
            Act::DeleteOwner(row) => match self.plan.blueprint.owner_of(self.data_type) {
                Some(data_type) => self.of(data_type).delete(both, *row),
                None => Ok(()),
            },
            Act::Around(what) => {
                both.perform(Event::System(*what))?;
                self.tap_words(both, "DECLINE").map(|_| ())
            }
            Act::Rotate => both.perform(Event::Rotate),
            Act::Back => both.perform(Event::Key(Key::Back)),
        }
    }
}
