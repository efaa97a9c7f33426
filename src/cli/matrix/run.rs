//! `taproof matrix run`: runs cells, each in its own workspace.

use super::super::devices::install_file;
use super::super::{CommandEnd, Failure, Outcome, bad_input, broken, fuzz, message, watch_interrupt};
use super::FileArgument;
use super::cell::{Cell, cells_of};
use super::file::Matrix;
use super::lease::{Lease, lock_file};
use super::numbers::{Chosen, parse_part};
use super::status::{CELL_LOCK, CellState};
use crate::cli::fuzz::campaign::OnInterrupt;
use taproof_phone::Apps;
use taproof_results::store::{CampaignRow, StoreError};
use taproof_session::Interrupt;

/// The options of `taproof matrix run`.
#[derive(clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    file: FileArgument,
    /// The number of the cell; by default the scheduler's variable says it
    #[arg(long, value_name = "N", conflicts_with_all = ["part", "all"])]
    cell: Option<usize>,
    /// Run one of N parts of the matrix, such as 0/4 for the first of four
    #[arg(long, value_name = "K/N", value_parser = parse_part, conflicts_with = "all")]
    part: Option<Chosen>,
    /// Run all cells, one after the other
    #[arg(long)]
    all: bool,
    /// The device for the cell, such as an emulator that was started for it, instead of one that the matrix names
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
}

pub fn run(arguments: &RunArguments, apps: &Apps) -> Outcome {
    let matrix = Matrix::read(&arguments.file.file)?;
    let cells = cells_of(&matrix, apps)?;
    let chosen = match (arguments.cell, arguments.part, arguments.all) {
        (Some(cell), ..) => Chosen::One(cell),
        (None, Some(part), _) => part,
        (None, None, true) => Chosen::Part(0, 1),
        (None, None, false) => Chosen::of_scheduler(|name| std::env::var(name).ok())?,
    };
    if let Chosen::One(number) = chosen
        && number >= cells.len()
    {
        let many = cells.len();
        return Err(bad_input(format!(
            "there is no cell {number}: they are numbered from 0, and there are {many}"
        )));
    }
    let interrupt = watch_interrupt(|| {});
    let mut end = CommandEnd::Fine;
    for cell in cells.iter().filter(|cell| chosen.takes(cell.number)) {
        if interrupt.asked() {
            return Ok(CommandEnd::EndedEarly);
        }
        let place = Place { matrix: &matrix, device: arguments.device.as_deref(), interrupt: &interrupt };
        if place.run(cell, apps).map_err(|failure| failure.context(format!("cell {}", cell.number)))?
            != CommandEnd::Fine
        {
            end = CommandEnd::EndedEarly;
        }
    }
    Ok(end)
}

/// Where cells run.
struct Place<'m> {
    matrix: &'m Matrix,
    device: Option<&'m str>,
    interrupt: &'m Interrupt,
}

impl Place<'_> {
    /// Runs a cell to its end, whatever it finds.
    fn run(&self, cell: &Cell<'_>, apps: &Apps) -> Outcome {
        let folder = self.matrix.cells.join(&cell.name);
        let taken = || broken(format!("another program runs it: {}", folder.display()));
        let _lock = lock_file(&folder.join(CELL_LOCK))?.ok_or_else(taken)?;
        let (begun, how) = match CellState::before(&folder)? {
            CellState::Done(_) => {
                message(&format!("cell {} is done: {}", cell.number, folder.display()));
                return Ok(CommandEnd::Fine);
            }
            CellState::Lost(Some(campaign)) => (Some(campaign), "goes on"),
            CellState::Failed(_) => (None, "begins anew"),
            CellState::Running(_) => return Err(taken()),
            CellState::Lost(None) | CellState::Waiting => (None, "begins"),
        };
        message(&format!("cell {} {how}: {}", cell.number, cell.command()));
        let Some(phone) = self.phone(cell, begun.as_ref())? else { return Ok(CommandEnd::EndedEarly) };
        // What began on another phone cannot go on here.
        let begun = begun.filter(|campaign| phone.serial().is_none_or(|serial| campaign.build == serial));
        if let Some(campaign) = begun {
            match self.fuzz(&cell.resumed(campaign.id, &folder)?, apps) {
                Err(failure) if cannot_go_on(&failure) => {
                    message(&format!("cell {} begins anew: {:#}", cell.number, failure.into_error()));
                }
                ended => return ended,
            }
        }
        if let (Some(apk), Some(serial)) = (cell.apk, phone.serial()) {
            install_file(serial, apk)?;
        }
        self.fuzz(&cell.campaign(&folder, phone.serial())?, apps)
    }

    /// The phone of a cell; `None` if the program is to end before one is free.
    fn phone(&self, cell: &Cell<'_>, begun: Option<&CampaignRow>) -> Result<Option<Phone>, Failure> {
        let Some(kind) = cell.kind else { return Ok(Some(Phone::Bundled)) };
        if let Some(serial) = self.device {
            return Ok(Some(Phone::Given(serial.to_owned())));
        }
        if kind.serials.is_empty() {
            let kind = &kind.kind;
            let text = format!("the matrix names no phone of kind {kind}: name one with --device");
            return Err(bad_input(text));
        }
        // Where a campaign began, it can go on.
        let same =
            begun.and_then(|campaign| kind.serials.iter().position(|serial| *serial == campaign.build));
        let lease = Lease::wait(&self.matrix.leases, kind, same.unwrap_or(cell.number), self.interrupt)?;
        Ok(lease.map(Phone::Leased))
    }

    /// Runs a campaign. What it finds is no failure of the cell.
    fn fuzz(&self, options: &fuzz::Options, apps: &Apps) -> Outcome {
        let end = fuzz::run_until(options, apps, OnInterrupt::Leave(self.interrupt.clone()))?;
        Ok(if end == CommandEnd::Found { CommandEnd::Fine } else { end })
    }
}

/// The phone that a cell runs on.
enum Phone {
    Bundled,
    Given(String),
    Leased(Lease),
}

impl Phone {
    fn serial(&self) -> Option<&str> {
        match self {
            Phone::Bundled => None,
            Phone::Given(serial) => Some(serial),
            Phone::Leased(lease) => Some(&lease.serial),
        }
    }
}

/// Whether an interrupted campaign cannot be resumed by this program.
fn cannot_go_on(failure: &Failure) -> bool {
    let (Failure::BadInput(error) | Failure::Broken(error)) = failure;
    matches!(error.downcast_ref(), Some(StoreError::CannotGoOn { .. }))
}
