//! The agent's answers in a report.

use image::ImageFormat;
use serde::{Deserialize, Serialize};

use super::scrub::Scrubber;
use taproof_engine::agent::{Decoder, Failure, Power, ProtocolError, Seen};
use taproof_screen::format::{picture_size, write_hierarchy};
use taproof_screen::{PxRect, PxSize};

/// What is kept of an answer of the agent, with the numbers of its protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentSaid {
    /// It could not: the kind of the failure, and what Android said.
    Failed(u8, String),
    /// It did, and the screen was so.
    Seen(Box<SeenScreen>),
    /// The state of the screen: whether it is on, locked, and locked with a code.
    Power(bool, bool, bool),
    /// The values of settings.
    Values(Vec<Option<String>>),
    /// The size of a picture.
    Picture(PxSize),
    /// Anything else: how many bytes it had.
    LeftOut(usize),
}

/// What is kept of the agent's reading of the screen; see [`Seen`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "they are those of `Seen`")]
pub struct SeenScreen {
    pub refused: Option<String>,
    pub quiet: u8,
    pub activity: Option<String>,
    pub uptime_millis: u64,
    pub keyboard: Option<PxRect>,
    pub picture_hash: Option<u32>,
    pub typed_by: Option<u8>,
    /// How many toasts and notifications there were.
    pub announced: usize,
    pub log: Option<String>,
    /// The layout as XML, or the size of the screen and why there is none.
    pub layout: Result<String, (PxSize, String)>,
}

impl AgentSaid {
    /// What is kept of the body of the answer to this request.
    pub(super) fn of(request: &str, body: &[u8], scrubber: &mut Scrubber) -> AgentSaid {
        AgentSaid::read(request, body, scrubber).unwrap_or(AgentSaid::LeftOut(body.len()))
    }

    fn read(request: &str, body: &[u8], scrubber: &mut Scrubber) -> Result<AgentSaid, ProtocolError> {
        let mut from = Decoder::new(body);
        if let Err(failure) = Failure::check(&mut from)? {
            return Ok(AgentSaid::Failed(failure.kind as u8, scrubber.words(&failure.message)));
        }
        let kind = request.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        Ok(match kind {
            "Act" => AgentSaid::Seen(Box::new(SeenScreen::of(Seen::decode(&mut from)?, scrubber))),
            "Wake" => {
                let Power { awake, locked, secure } = Power::decode(&mut from)?;
                AgentSaid::Power(awake, locked, secure)
            }
            "Settings" => {
                let values = from.values()?.into_iter();
                AgentSaid::Values(values.map(|value| value.map(|value| scrubber.value(&value))).collect())
            }
            "Picture" => {
                let bytes = from.bytes()?;
                if let Ok(size) = picture_size(&bytes, ImageFormat::Jpeg) {
                    return Ok(AgentSaid::Picture(size));
                }
                let number = |at: usize| {
                    let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
                    bytes.map_or(0, i32::from_be_bytes)
                };
                AgentSaid::Picture(PxSize { width: number(0), height: number(4) })
            }
            _ => AgentSaid::LeftOut(body.len()),
        })
    }
}

impl SeenScreen {
    fn of(seen: Seen, scrubber: &mut Scrubber) -> SeenScreen {
        SeenScreen {
            refused: seen.refused.map(|text| scrubber.words(&text)),
            quiet: seen.quiet as u8,
            activity: seen.activity.map(|text| scrubber.words(&text)),
            uptime_millis: seen.uptime_millis,
            keyboard: seen.keyboard,
            picture_hash: seen.picture_hash,
            typed_by: seen.typed.map(|typed| typed.by as u8),
            announced: seen.announced.len(),
            log: seen.log.map(|log| scrubber.log(&log)),
            layout: match seen.layout {
                Ok(layout) => Ok(scrubber.layout(&write_hierarchy(&layout))),
                Err((screen, problem)) => Err((screen, scrubber.words(&problem))),
            },
        }
    }
}
