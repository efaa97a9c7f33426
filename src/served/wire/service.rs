//! Which service of the device a stream is for.

use std::io::Write;
use std::sync::Arc;

use super::connection::Link;
use super::shell_service::{self, ShellRequest};
use super::stream::Opening;
use super::{SocketHandler, sync_service};

/// What sockets of the device begin with.
const SOCKETS: [&str; 6] =
    ["tcp:", "localabstract:", "localreserved:", "localfilesystem:", "local:", "vsock:"];

/// Accepts and serves a stream, or refuses it; `reverse` is the answer where it is for `reverse:`.
pub(super) fn serve(link: &Arc<Link>, opening: Opening, service: &str, reverse: Option<Vec<u8>>) {
    let Some(identity) = link.identity() else { return };
    if let Some(answer) = reverse {
        if let Some(mut stream) = opening.accept() {
            // The host may have gone; then nobody wants the answer.
            drop(stream.write_all(&answer));
        }
        return;
    }
    if let Some(request) = ShellRequest::parse(service, &identity) {
        if let Some(stream) = opening.accept() {
            shell_service::serve(stream, &request, &identity, link.services());
        }
        return;
    }
    if service == "sync:" {
        if let Some(mut stream) = opening.accept() {
            // An error here is a host that left or broke the protocol: the stream ends either way.
            drop(sync_service::serve(&mut stream, link.services(), link.uploads()));
        }
        return;
    }
    if let Some(handler) = handler(link, service)
        && let Some(stream) = opening.accept()
    {
        handler(stream);
    }
}

fn handler(link: &Link, service: &str) -> Option<SocketHandler> {
    // These the wire knows; where they came here, the device is one that has not got them.
    if ["shell:", "shell,", "exec:", "reverse:"].iter().any(|known| service.starts_with(known)) {
        return None;
    }
    match SOCKETS.iter().any(|socket| service.starts_with(socket)) {
        true => link.services().socket(service),
        false => link.services().other(service),
    }
}
