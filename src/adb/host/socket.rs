//! A plain TCP connection for protocols other than the adb server's, whose clients work on any stream.

use std::io::{self, ErrorKind, Read, Write};

use super::{AdbError, AdbStream, Patience, ServerAddress};

/// A connection whose reads and writes fail with [`ErrorKind::TimedOut`] once its [`Patience`] ends.
pub struct PatientSocket<'p> {
    stream: AdbStream,
    patience: Patience<'p>,
}

impl<'p> PatientSocket<'p> {
    /// Connects to `address`. Errors name `what` the connection is for.
    ///
    /// # Errors
    ///
    /// [`AdbError::NotRunning`] if nobody listens on this machine, [`AdbError::RemoteRefused`] or
    /// [`AdbError::Unreachable`] for other machines, [`AdbError::Cancelled`] and [`AdbError::Deadline`].
    pub fn connect(address: &ServerAddress, what: &str, patience: Patience<'p>) -> Result<Self, AdbError> {
        Ok(PatientSocket { stream: AdbStream::connect(address, what.to_owned(), &patience)?, patience })
    }
}

impl Read for PatientSocket<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read_some(buffer, &self.patience).map_err(io_error)
    }
}

impl Write for PatientSocket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write_all(bytes, &self.patience).map_err(io_error)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn io_error(error: AdbError) -> io::Error {
    let over = matches!(error, AdbError::Deadline { .. } | AdbError::Cancelled { .. });
    let kind = if over { ErrorKind::TimedOut } else { ErrorKind::ConnectionReset };
    io::Error::new(kind, error)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;

    #[test]
    fn silence_is_a_timeout_and_an_end_is_an_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let address = ServerAddress { host: "127.0.0.1".to_owned(), port };
        let never = || false;
        let soon = Patience::new(Duration::from_millis(50), &never);
        let mut socket = PatientSocket::connect(&address, "a test", soon).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        assert_eq!(socket.read(&mut [0; 4]).unwrap_err().kind(), ErrorKind::TimedOut);
        let later = Patience::new(Duration::from_secs(5), &never);
        let mut socket = PatientSocket { patience: later, ..socket };
        peer.write_all(b"hi").unwrap();
        let mut buffer = [0; 4];
        assert_eq!(socket.read(&mut buffer).unwrap(), 2);
        drop(peer);
        assert_eq!(socket.read(&mut buffer).unwrap(), 0);
        drop(listener);
        assert!(matches!(
            PatientSocket::connect(&address, "a test", later),
            Err(AdbError::NotRunning { .. })
        ));
    }
}
