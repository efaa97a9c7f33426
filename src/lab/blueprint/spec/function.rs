//! A function while it is written.

use taproof_screen::Direction;
use taproof_spec::{
    Action, Condition, Dmf, DmfStep, Impact, ImpactOp, Input, NamedSelector, Relation, SpecSelector,
    TextPattern,
};

/// A function while it is written: each step adds a layout, on which later widgets are.
pub(super) struct Function {
    pub(super) dmf: Dmf,
    layout: usize,
}

impl Function {
    pub(super) fn new(dmf: Dmf) -> Function {
        Function { dmf, layout: 0 }
    }

    pub(super) fn widget(&mut self, name: &str, selector: SpecSelector) -> String {
        let layout = self.layout;
        self.dmf.widgets.push(NamedSelector { name: name.to_owned(), layout, selector });
        name.to_owned()
    }

    pub(super) fn step(&mut self, action: Action, widget: Option<String>, input: Input) {
        self.dmf.steps.push(DmfStep { action, widget, input, required: true });
        self.layout += 1;
    }

    pub(super) fn click(&mut self, selector: SpecSelector) {
        let name = self.widget(&format!("e{}_widget", self.layout + 1), selector);
        self.step(Action::Click, Some(name), Input::None);
    }

    /// Taps a widget that is there the first time only.
    pub(super) fn click_once(&mut self, selector: SpecSelector) {
        self.click(selector);
        if let Some(step) = self.dmf.steps.last_mut() {
            step.required = false;
        }
    }

    /// Swipes a row to the left.
    pub(super) fn swipe(&mut self, name: &str) {
        self.step(Action::Scroll(Direction::Left), Some(name.to_owned()), Input::None);
    }

    pub(super) fn click_named(&mut self, name: &str, selector: SpecSelector) {
        let name = self.widget(name, selector);
        self.step(Action::Click, Some(name), Input::None);
    }

    pub(super) fn write(&mut self, selector: SpecSelector, input: Input) {
        let name = self.widget(&format!("e{}_widget", self.layout + 1), selector);
        self.step(Action::Edit, Some(name), input);
    }

    /// A condition before the function begins.
    pub(super) fn before(&mut self, name: &str, relation: Relation, selector: SpecSelector) {
        let layout = std::mem::take(&mut self.layout);
        let widget = self.widget(name, selector);
        self.layout = layout;
        self.dmf.preconditions.push(Condition::on_widget(widget, relation));
    }

    /// A row with an object that the functions know must be on the screen.
    pub(super) fn needs_row(&mut self, row: SpecSelector) {
        let data_type = Some(self.dmf.data_type.clone());
        let widget = self.widget("row_widget", row);
        self.dmf.preconditions.push(Condition { data_type, ..Condition::on_widget(widget, Relation::In) });
    }

    pub(super) fn data(&mut self, relation: Relation) {
        self.dmf.preconditions.push(Condition::on_data(self.dmf.data_type.clone(), relation));
    }

    /// A condition after the last step.
    pub(super) fn after(&mut self, name: &str, relation: Relation, selector: SpecSelector) {
        let widget = self.widget(name, selector);
        self.dmf.postconditions.push(Condition::on_widget(widget, relation));
    }

    pub(super) fn impact(&mut self, op: ImpactOp, widget: &str) {
        self.dmf.impacts.push(Impact { op, object: TextPattern::FromRead(widget.to_owned()) });
    }
}

pub(super) fn with_text(text: &str) -> SpecSelector {
    SpecSelector { text: TextPattern::Is(text.to_owned()), ..SpecSelector::default() }
}

pub(super) fn described(desc: &str) -> SpecSelector {
    SpecSelector { content_desc: Some(desc.to_owned()), ..SpecSelector::default() }
}
