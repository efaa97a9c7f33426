//! HTTP over a stream to a server on a device: a request and its answer.

use super::{AdbError, AdbStream, Patience};

/// Sends a request and returns the whole answer, up to `limit` bytes. It is read up to the announced length or to the end:
/// not every server closes the connection.
pub(crate) fn exchange(
    stream: &mut AdbStream,
    request: &str,
    limit: usize,
    patience: &Patience<'_>,
) -> Result<Vec<u8>, AdbError> {
    stream.write_all(request.as_bytes(), patience)?;
    let (mut answer, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    while !complete(&answer) && answer.len() <= limit {
        match stream.read_some(&mut buffer, patience)? {
            0 => break,
            count => answer.extend_from_slice(buffer.get(..count).unwrap_or_default()),
        }
    }
    Ok(answer)
}

/// The body of an answer with status 200; `None` for any other.
pub(crate) fn body_of(answer: &[u8]) -> Option<&[u8]> {
    let (head, body) = head_and_body(answer)?;
    let status = head.lines().next()?.split_whitespace().nth(1)?;
    let body = body.get(..announced(head).unwrap_or(body.len()).min(body.len()))?;
    (status == "200").then_some(body)
}

fn head_and_body(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((std::str::from_utf8(answer.get(..end)?).ok()?, answer.get(end + 4..)?))
}

fn announced(head: &str) -> Option<usize> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, value)| value.trim().parse().ok())
}

fn complete(answer: &[u8]) -> bool {
    head_and_body(answer)
        .is_some_and(|(head, body)| announced(head).is_some_and(|length| body.len() >= length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_to_their_length() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npong";
        assert!(complete(answer) && !complete(&answer[..answer.len() - 1]));
        assert_eq!(body_of(answer).unwrap(), b"pong");
        assert_eq!(body_of(b"HTTP/1.1 500 No\r\n\r\n"), None);
        assert_eq!(body_of(b"garbage"), None);
    }
}
