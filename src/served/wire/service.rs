//! Dispatches streams to the services of the device.

use std::io::Write;

use super::connection::Connection;
use super::device_stream::Opening;
use super::shell_service::{self, ShellRequest};
use super::{SocketHandler, sync_service};

/// The prefixes of the names of sockets on the device.
const SOCKETS: [&str; 6] =
    ["tcp:", "localabstract:", "localreserved:", "localfilesystem:", "local:", "vsock:"];

/// Accepts and serves a stream, or refuses it. `reverse` is the answer if it is for `reverse:`.
pub(super) fn serve(connection: &Connection, opening: Opening, service: &str, reverse: Option<Vec<u8>>) {
    let Some(identity) = connection.identity() else { return };
    tracing::debug!(service, "a client opens a stream");
    if let Some(answer) = reverse {
        if let Some(mut stream) = opening.accept() {
            // The host may be gone; then nobody wants the answer.
            drop(stream.write_all(&answer));
        }
        return;
    }
    if let Some(request) = ShellRequest::parse(service, &identity) {
        if let Some(stream) = opening.accept() {
            shell_service::serve(stream, &request, connection.services());
        }
        return;
    }
    if service == "sync:" {
        if let Some(mut stream) = opening.accept() {
            // An error means that the host left or violated the protocol: the stream ends either way.
            drop(sync_service::serve(&mut stream, connection.services(), connection.uploads()));
        }
        return;
    }
    if let Some(handler) = handler(connection, service)
        && let Some(stream) = opening.accept()
    {
        handler(stream);
    }
}

fn handler(connection: &Connection, service: &str) -> Option<SocketHandler> {
    // The wire handles these itself; if one gets here, the device does not have it.
    if ["shell:", "shell,", "exec:", "reverse:"].iter().any(|known| service.starts_with(known)) {
        return None;
    }
    match SOCKETS.iter().any(|socket| service.starts_with(socket)) {
        true => connection.services().socket(service),
        false => connection.services().other(service),
    }
}
