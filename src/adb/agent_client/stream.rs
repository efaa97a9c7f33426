//! One stream to the agent: requests with their numbers, and the answers to them.

use crate::host::{AdbError, AdbStream, Patience};
use taproof_engine::agent::{
    Decoder, FRAME_HEAD, Failure, FrameHead, Hello, MOST_ANSWERED, PROTOCOL_VERSION, ProtocolError, Request,
};

/// A stream on which the agent has answered the greeting.
pub(super) struct AgentStream {
    stream: AdbStream,
    /// The number of the last request.
    number: u32,
}

/// Why a stream cannot be used.
pub(super) enum StreamProblem {
    /// The connection failed.
    Link(AdbError),
    /// The agent answers, but refuses the greeting.
    Refused(Failure),
}

impl From<AdbError> for StreamProblem {
    fn from(error: AdbError) -> Self {
        StreamProblem::Link(error)
    }
}

impl AgentStream {
    /// Greets the agent on a stream that was just opened.
    pub fn greet(stream: AdbStream, patience: &Patience<'_>) -> Result<(AgentStream, Hello), StreamProblem> {
        let mut stream = AgentStream { stream, number: 0 };
        let answer = stream.ask(&Request::Hello { version: PROTOCOL_VERSION }, patience)?;
        let mut from = Decoder::new(&answer);
        let hello = Failure::check(&mut from).and_then(|status| match status {
            Ok(()) => Hello::decode(&mut from).map(Ok),
            Err(failure) => Ok(Err(failure)),
        });
        match hello {
            Ok(Ok(hello)) => Ok((stream, hello)),
            Ok(Err(failure)) => Err(StreamProblem::Refused(failure)),
            Err(problem) => Err(stream.violation(&problem).into()),
        }
    }

    /// Sends a request and returns the body of its answer. After an error the stream must not be used again, since its
    /// answer may still come.
    pub fn ask(&mut self, request: &Request, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        self.number = self.number.wrapping_add(1);
        self.stream.write_all(&FrameHead::frame(self.number, &request.encode()), patience)?;
        let mut head = [0; FRAME_HEAD];
        self.stream.read_exact(&mut head, patience)?;
        let head = FrameHead::parse(head, MOST_ANSWERED).map_err(|problem| self.violation(&problem))?;
        if head.number != self.number {
            return Err(self.violation(&ProtocolError::Unexpected {
                field: "the number of the answer",
                expected: "that of the request",
                found: head.number.to_string(),
            }));
        }
        let mut body = Vec::new();
        self.stream.read_behind(&mut body, head.length, MOST_ANSWERED, patience)?;
        head.check(&body).map_err(|_| AdbError::Garbled { what: self.stream.what().to_owned() })?;
        Ok(body)
    }

    /// The error for an answer that violates the protocol, as a bad cable or another program may send it.
    pub fn violation(&self, problem: &ProtocolError) -> AdbError {
        AdbError::garbage(self.stream.what(), "an answer of the agent", problem.to_string().as_bytes())
    }
}
