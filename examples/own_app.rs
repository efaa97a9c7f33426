//! An app of your own on the bundled phone: a to-do list with a bug that can be switched on, and the functions that find it.
//!
//! `cargo run --example own_app` tests it and prints the finding. With arguments this is the whole program with the app in it:
//! `cargo run --example own_app -- fuzz --app todo`, `cargo run --example own_app -- dump --app todo`; and with
//! `--workspace DIR` alone it opens the studio.

use std::error::Error;
use std::process::ExitCode;

use taproof::phone::{
    App, Apps, Bug, BugSet, BundledApp, Env, Icon, Manifest, Package, ShippedSpec, Surface, System, View,
    dialog, fab, list_row, toolbar,
};
use taproof::{Build, Campaign};

const PACKAGE: &str = "org.example.todo";
const WRONG_ITEM: &str = "todo-deletes-first";

/// The app with its specification: the functions *add item*, *edit item* and *delete item*.
pub fn todo() -> BundledApp {
    const SPEC: &[ShippedSpec] = &[ShippedSpec { path: "own_app.json", text: include_str!("own_app.json") }];
    BundledApp::of::<Todo>().specs(SPEC)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if std::env::args_os().len() > 1 {
        return Ok(taproof::cli::run_with(Apps::with([todo()])?));
    }
    let campaign = || Campaign::new(PACKAGE).app(todo()).events(2_000);

    campaign().build(Build::Sound).run()?.assert_sound();
    println!("Without its bug, the app does what the specification says.");

    let outcome = campaign().run()?;
    println!("With its bug:\n\n{}", outcome.explained().join("\n\n"));
    let found = outcome.findings.iter().any(|found| found.finding.attribution.bugs() == [WRONG_ITEM]);
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The app: its data and its process's memory.
#[derive(Clone)]
struct Todo {
    items: Vec<String>,
    deletes_first: bool,
}

/// What can be on the stack of pages.
#[derive(Clone)]
enum Page {
    List,
    New { text: String },
    Item { at: usize, text: String },
}

/// What views send.
#[derive(Clone)]
enum Msg {
    OpenNew,
    Typed(String),
    Add,
    OpenItem(usize),
    Save,
    Delete,
    Cancel,
}

static MANIFEST: Manifest = Manifest {
    icon: Icon::Check,
    bugs: &[Bug::new(WRONG_ITEM, "Deleting an item deletes the first one")],
    ..Manifest::new(PACKAGE, "To-do")
};

impl Package for Todo {
    fn manifest() -> &'static Manifest {
        &MANIFEST
    }

    fn install(bugs: &BugSet) -> Self {
        Todo { items: Vec::new(), deletes_first: bugs.has(WRONG_ITEM) }
    }
}

impl App for Todo {
    type Page = Page;
    type Msg = Msg;

    fn start(&mut self) -> Page {
        Page::List
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::List => Surface::Activity("MainActivity"),
            Page::New { .. } | Page::Item { .. } => Surface::Dialog,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::List => {
                let row = |at: usize| {
                    let text = self.items.get(at).cloned().unwrap_or_default();
                    list_row(None, ("item", text), ("", String::new()), Vec::new()).click(Msg::OpenItem(at))
                };
                let list = View::list("items", env, self.items.len(), 56, row);
                let add = fab("add", Icon::Add, "Add", env.accent, Msg::OpenNew);
                View::column(vec![
                    toolbar(env.accent, None, "To-do", Vec::new()),
                    View::frame(vec![list, add]).grow_y(),
                ])
            }
            Page::New { text } => {
                let field =
                    View::field("text", text.clone(), Msg::Typed).hint("What is to be done?").auto_focus();
                let buttons = vec![("Cancel", Msg::Cancel), ("Add", Msg::Add)];
                dialog("New item", vec![field], env.accent, buttons)
            }
            Page::Item { text, .. } => {
                let field = View::field("text", text.clone(), Msg::Typed);
                let buttons = vec![("Close", Msg::Cancel), ("Save", Msg::Save), ("Delete", Msg::Delete)];
                dialog("Item", vec![field], env.accent, buttons)
            }
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (_, Msg::OpenNew) => sys.open(Page::New { text: String::new() }),
            (_, Msg::OpenItem(at)) => {
                sys.open(Page::Item { at, text: self.items.get(at).cloned().unwrap_or_default() });
            }
            (Page::New { text } | Page::Item { text, .. }, Msg::Typed(typed)) => *text = typed,
            (Page::New { text }, Msg::Add) if !text.is_empty() => {
                self.items.push(text.clone());
                sys.finish();
            }
            (Page::Item { at, text }, Msg::Save) if !text.is_empty() => {
                if let Some(item) = self.items.get_mut(*at) {
                    item.clone_from(text);
                }
                sys.finish();
            }
            (Page::Item { at, .. }, Msg::Delete) => {
                // The bug.
                let at = if self.deletes_first { 0 } else { *at };
                if at < self.items.len() {
                    self.items.remove(at);
                }
                sys.finish();
            }
            (_, Msg::Cancel) => sys.finish(),
            (_, Msg::Typed(_) | Msg::Add | Msg::Save | Msg::Delete) => {}
        }
    }
}
