//! The events of campaigns, in compressed blocks: a million of them take about as much as a few pictures.

use rusqlite::params;

use super::{RunningCampaign, StoreError, Workspace, compression};
use taproof_campaign::LoggedEvent;

/// Largest block, unpacked. What is larger is not ours.
const MAX_BYTES: u64 = 64 << 20;

impl Workspace {
    /// Stores events of an engine of a campaign. `run` is the index of the engine in the plan.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn add_events(
        &mut self,
        campaign: &RunningCampaign,
        run: usize,
        events: &[LoggedEvent],
    ) -> Result<(), StoreError> {
        let Some(first) = events.first() else { return Ok(()) };
        let block = packed(events)?;
        self.database.write(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO events (campaign, run, first, block) VALUES (?1, ?2, ?3, ?4)",
                params![campaign.id, run as i64, first.number.cast_signed(), block],
            )?;
            Ok(())
        })
    }

    /// Calls `each` with the events of an engine of a campaign, in order, until it returns false.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read, or a block in it is damaged.
    pub fn each_event(
        &self,
        campaign: i64,
        run: usize,
        mut each: impl FnMut(LoggedEvent) -> bool,
    ) -> Result<(), StoreError> {
        let mut statement = self
            .database
            .reader()
            .prepare("SELECT block FROM events WHERE campaign = ?1 AND run = ?2 ORDER BY first")?;
        let blocks = statement.query_map(params![campaign, run as i64], |row| row.get::<_, Vec<u8>>(0))?;
        for block in blocks {
            for event in unpacked(&block?)? {
                if !each(event) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn packed(events: &[LoggedEvent]) -> Result<Vec<u8>, StoreError> {
    let mut lines = String::new();
    for event in events {
        lines += &serde_json::to_string(event)?;
        lines.push('\n');
    }
    compression::packed(lines.as_bytes()).map_err(|error| StoreError::Damaged { what: error.to_string() })
}

fn unpacked(block: &[u8]) -> Result<Vec<LoggedEvent>, StoreError> {
    let damaged = |problem: &dyn std::fmt::Display| StoreError::Damaged {
        what: format!("a block of events: {problem}"),
    };
    let lines = compression::unpacked(block, MAX_BYTES).map_err(|error| damaged(&error))?;
    let lines = String::from_utf8(lines).map_err(|error| damaged(&error))?;
    lines.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::StepRole;

    fn event(number: u64) -> LoggedEvent {
        LoggedEvent {
            number,
            test: 1,
            millis: number * 10,
            event: format!("Tap \u{201c}{number}\u{201d}\n"),
            role: StepRole::Explored,
            activity: "org.ex/.Main".into(),
            page: "Main".to_owned(),
            led_to: number.is_multiple_of(2).then(|| "org.ex/.Other".into()),
        }
    }

    #[test]
    fn events_survive_their_block_and_take_little_room() {
        let events: Vec<LoggedEvent> = (1..=1000).map(event).collect();
        let block = packed(&events).unwrap();
        assert_eq!(unpacked(&block).unwrap(), events);
        assert!(block.len() < 20_000, "{}", block.len());
        assert!(unpacked(&block[..block.len() / 2]).is_err() && unpacked(b"x").is_err());
    }
}
