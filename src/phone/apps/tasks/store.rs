//! The data: lists, their tasks, the order, and what has yet to be sent to the server.

use taproof_screen::words;

/// Identifies a task for as long as the app's data exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(u32);

/// Identifies a list for as long as the app's data exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListId(u32);

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    pub id: TaskId,
    pub list: ListId,
    pub title: String,
    pub notes: String,
    pub important: bool,
    /// Whether a notification in the morning reminds of the task.
    pub remind: bool,
    pub done: bool,
    /// Whether the server has the task as it is.
    pub synced: bool,
}

/// A list of tasks.
#[derive(Clone, Debug)]
pub struct List {
    pub id: ListId,
    pub name: String,
    /// The name that the list was created with.
    first_name: String,
}

/// The order of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In the order in which the tasks were added.
    #[default]
    Added,
    /// By title.
    Title,
    /// The important ones first.
    Important,
}

/// The tasks of a list that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    #[default]
    All,
    Open,
    Done,
}

impl Filter {
    fn shows(self, task: &Task) -> bool {
        match self {
            Filter::All => true,
            Filter::Open => !task.done,
            Filter::Done => task.done,
        }
    }
}

/// What the editor of a task contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub title: String,
    pub notes: String,
    pub important: bool,
    pub remind: bool,
}

words! {
    /// Why a name is refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        Empty = "Enter a name",
        Taken = "There is a list of this name",
    }
    /// The message below the field.
    pub fn text;
}

/// All data of the app that are kept in files.
#[derive(Clone, Debug)]
pub struct Store {
    lists: Vec<List>,
    tasks: Vec<Task>,
    /// The list that is shown.
    pub current: ListId,
    pub order: Order,
    /// Whether the order is turned round.
    pub reversed: bool,
    /// The tasks whose latest change has yet to be sent, each once.
    outbox: Vec<TaskId>,
    next: u32,
    /// The largest id of a new installation.
    shipped: u32,
}

/// Title, notes, whether important, whether done.
type Shipped = (&'static str, &'static str, bool, bool);

const HOME: [Shipped; 6] = [
    ("Water the plants", "The fern only once a week", false, false),
    ("Pay the electricity bill", "", true, false),
    ("Return the library books", "", false, true),
    ("Book a dentist appointment", "Ask for a morning", false, false),
    ("Buy a birthday present", "For Anna, by Friday", true, false),
    ("Clean the fridge", "", false, true),
];

const WORK: [Shipped; 3] = [
    ("Prepare the slides", "Ten minutes at most", true, false),
    ("Order a new keyboard", "", false, false),
    ("File the travel expenses", "Receipts are in the blue folder", false, true),
];

impl Store {
    /// The data of a new installation: the first list was renamed, the second was not.
    pub fn shipped() -> Self {
        let mut store = Store {
            lists: Vec::new(),
            tasks: Vec::new(),
            current: ListId(0),
            order: Order::default(),
            reversed: false,
            shipped: 0,
            outbox: Vec::new(),
            next: 0,
        };
        for (name, first_name, tasks) in [("Home", "My tasks", &HOME[..]), ("Work", "Work", &WORK[..])] {
            let id = store.add_list(name, first_name);
            for (title, notes, important, done) in tasks {
                let (title, notes) = ((*title).to_owned(), (*notes).to_owned());
                let draft = Draft { title, notes, important: *important, remind: false };
                let task = store.new_task(id, draft);
                store.tasks.push(Task { done: *done, ..task });
            }
        }
        store.current = store.lists[0].id;
        store.shipped = store.next;
        store
    }

    fn add_list(&mut self, name: &str, first_name: &str) -> ListId {
        self.next += 1;
        let id = ListId(self.next);
        self.lists.push(List { id, name: name.to_owned(), first_name: first_name.to_owned() });
        id
    }

    fn new_task(&mut self, list: ListId, draft: Draft) -> Task {
        self.next += 1;
        let Draft { title, notes, important, remind } = draft;
        Task { id: TaskId(self.next), list, title, notes, important, remind, done: false, synced: true }
    }

    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The name of a list.
    pub fn name(&self, list: ListId) -> &str {
        self.lists.iter().find(|known| known.id == list).map_or("", |list| list.name.as_str())
    }

    /// Number of open tasks in a list.
    pub fn open_in(&self, list: ListId) -> usize {
        self.tasks.iter().filter(|task| task.list == list && !task.done).count()
    }

    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The tasks of the current list that the filter shows, in the chosen order.
    pub fn shown(&self, filter: Filter, completed_last: bool) -> Vec<&Task> {
        let of_list = self.tasks.iter().filter(|task| task.list == self.current && filter.shows(task));
        let mut shown: Vec<&Task> = of_list.collect();
        match self.order {
            Order::Added => {}
            Order::Title => shown.sort_by_key(|task| task.title.to_lowercase()),
            Order::Important => shown.sort_by_key(|task| !task.important),
        }
        if self.reversed {
            shown.reverse();
        }
        if completed_last {
            shown.sort_by_key(|task| task.done);
        }
        shown
    }

    /// The tasks of all lists whose title or notes contain the words, regardless of case.
    pub fn found(&self, words: &str) -> Vec<&Task> {
        let words = words.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        self.tasks.iter().filter(|task| has(&task.title) || has(&task.notes)).collect()
    }

    /// Creates a list and shows it.
    pub fn create_list(&mut self, name: &str) -> Result<(), Refusal> {
        self.check_name(name, None)?;
        self.current = self.add_list(name.trim(), name.trim());
        Ok(())
    }

    pub fn rename_list(&mut self, list: ListId, name: &str) -> Result<(), Refusal> {
        self.check_name(name, Some(list))?;
        if let Some(list) = self.lists.iter_mut().find(|known| known.id == list) {
            name.trim().clone_into(&mut list.name);
        }
        Ok(())
    }

    /// Gives a list the name back that it was created with.
    pub fn restore_name(&mut self, list: ListId) {
        if let Some(list) = self.lists.iter_mut().find(|known| known.id == list) {
            list.name.clone_from(&list.first_name);
        }
    }

    fn check_name(&self, name: &str, own: Option<ListId>) -> Result<(), Refusal> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Refusal::Empty);
        }
        let taken = |list: &List| Some(list.id) != own && list.name.eq_ignore_ascii_case(name);
        if self.lists.iter().any(taken) { Err(Refusal::Taken) } else { Ok(()) }
    }

    /// Adds a task to the current list.
    pub fn add(&mut self, draft: Draft) -> TaskId {
        let task = self.new_task(self.current, draft);
        let id = task.id;
        self.tasks.push(task);
        id
    }

    pub fn change(&mut self, id: TaskId, draft: Draft) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            (task.title, task.notes) = (draft.title, draft.notes);
            (task.important, task.remind) = (draft.important, draft.remind);
        }
    }

    pub fn set_done(&mut self, id: TaskId, done: bool) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.done = done;
        }
    }

    /// Shows the first list.
    pub fn show_first_list(&mut self) {
        if let Some(first) = self.lists.first() {
            self.current = first.id;
        }
    }

    /// Reopens the completed tasks of the current list.
    pub fn reopen_all(&mut self) {
        for task in self.tasks.iter_mut().filter(|task| task.list == self.current) {
            task.done = false;
        }
    }

    pub fn forget_notes(&mut self, id: TaskId) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.notes.clear();
        }
    }

    /// Whether a new installation has this task.
    pub fn is_shipped(&self, id: TaskId) -> bool {
        id.0 <= self.shipped
    }

    pub fn delete(&mut self, gone: impl Fn(&Task) -> bool) {
        self.tasks.retain(|task| !gone(task));
    }

    /// Number of tasks that the server does not have as they are.
    pub fn unsynced(&self) -> usize {
        self.tasks.iter().filter(|task| !task.synced).count()
    }

    /// Queues a changed task, and sends it at once if there is a network. With `keeps`, what was sent stays in the
    /// outbox.
    pub fn queue(&mut self, id: TaskId, network: bool, keeps: bool) {
        if !self.outbox.contains(&id) {
            self.outbox.push(id);
        }
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.synced = network;
        }
        if network && !keeps {
            self.outbox.retain(|queued| *queued != id);
        }
    }

    /// Sends the tasks that the server does not have.
    pub fn catch_up(&mut self) {
        for task in self.tasks.iter_mut().filter(|task| !task.synced) {
            task.synced = true;
            self.outbox.retain(|queued| *queued != task.id);
        }
    }

    /// Empties the outbox because the network is back. What the server has already comes back as a second task.
    pub fn reconnected(&mut self) {
        for id in std::mem::take(&mut self.outbox) {
            let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) else { continue };
            if std::mem::replace(&mut task.synced, true) {
                self.next += 1;
                let copy = Task { id: TaskId(self.next), ..task.clone() };
                self.tasks.push(copy);
            }
        }
    }
}
