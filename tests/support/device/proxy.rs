//! A proxy between a client and the adb server that harms answers: which ones, and how, follows from its seed and their
//! number.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use taproof_adb::host::{AdbServer, ServerAddress};
use taproof_screen::determinism::Rng;

/// What the server says before it passes on what the device says: `OKAY` to the choice of the device, and `OKAY` to what
/// was asked.
const HEAD: usize = 8;

/// What happens to an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Harm {
    /// One of its bytes is another one.
    Corrupted,
    /// The connection ends before it does.
    Cut,
    /// It comes so much later.
    Delayed(Duration),
}

/// Which answers are harmed.
#[derive(Clone, Debug)]
pub enum Noise {
    /// One in so many, each in one of these ways.
    Answers(usize, Vec<Harm>),
    /// Whichever has one of the bytes of which one in so many is corrupted.
    Bytes(usize),
}

/// How many answers were harmed, by the way.
#[derive(Debug, Default)]
pub struct Harmed {
    pub answers: AtomicU64,
    pub corrupted: AtomicU64,
    pub cut: AtomicU64,
    pub delayed: AtomicU64,
}

impl Harmed {
    pub fn corrupted(&self) -> u64 {
        self.corrupted.load(Ordering::SeqCst)
    }

    pub fn all(&self) -> u64 {
        [&self.corrupted, &self.cut, &self.delayed].map(|count| count.load(Ordering::SeqCst)).iter().sum()
    }
}

/// Stands between a client and the server until it is dropped.
pub struct Proxy {
    pub server: AdbServer,
    pub harmed: Arc<Harmed>,
    stop: Arc<AtomicBool>,
}

impl Proxy {
    pub fn to(server: &AdbServer, noise: Noise, seed: u64) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (harmed, stop) = (Arc::new(Harmed::default()), Arc::new(AtomicBool::new(false)));
        let (counted, stopped, server) = (Arc::clone(&harmed), Arc::clone(&stop), server.clone());
        let rng = Rng::from_seed(seed);
        let serve = move || {
            for (number, client) in (0..).zip(listener.incoming().flatten()) {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let rng = rng.fork_indexed("answer", number);
                let (noise, server, counted) = (noise.clone(), server.clone(), Arc::clone(&counted));
                let carry = move || carry(client, &server, &noise, rng, &counted);
                std::thread::Builder::new().name("proxy".to_owned()).spawn(carry).unwrap();
            }
        };
        std::thread::Builder::new().name("proxies".to_owned()).spawn(serve).unwrap();
        let address = ServerAddress { host: "127.0.0.1".to_owned(), port };
        Proxy { server: AdbServer::at(address), harmed, stop }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.server.address.port)));
    }
}

fn carry(client: TcpStream, server: &AdbServer, noise: &Noise, rng: Rng, harmed: &Harmed) {
    let server = TcpStream::connect((server.address.host.as_str(), server.address.port)).unwrap();
    for socket in [&client, &server] {
        socket.set_nodelay(true).unwrap();
    }
    let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let up = move || {
        drop(std::io::copy(&mut from_client, &mut to_server));
        drop(to_server.shutdown(Shutdown::Write));
    };
    std::thread::Builder::new().name("proxy up".to_owned()).spawn(up).unwrap();
    harmed.answers.fetch_add(1, Ordering::SeqCst);
    // Whoever has heard enough closes the connection.
    drop(answer(&mut &client, &mut &server, noise, rng, harmed));
    drop(client.shutdown(Shutdown::Both));
    drop(server.shutdown(Shutdown::Both));
}

fn answer(
    client: &mut &TcpStream,
    server: &mut &TcpStream,
    noise: &Noise,
    mut rng: Rng,
    harmed: &Harmed,
) -> std::io::Result<()> {
    match noise {
        Noise::Answers(one_in, harms) if rng.below(*one_in) == 0 => {
            let harm = harms[rng.below(harms.len())];
            harmed_answer(client, server, harm, rng, harmed)
        }
        Noise::Answers(..) => std::io::copy(server, client).map(drop),
        Noise::Bytes(one_in) => {
            let mut buffer = [0; 4096];
            let mut whole = true;
            while let count @ 1.. = server.read(&mut buffer)? {
                for byte in &mut buffer[..count] {
                    if rng.below(*one_in) == 0 {
                        *byte ^= 1 + rng.below(255) as u8;
                        harmed.corrupted.fetch_add(u64::from(std::mem::take(&mut whole)), Ordering::SeqCst);
                    }
                }
                client.write_all(&buffer[..count])?;
            }
            Ok(())
        }
    }
}

/// The server waits for the client after its first words, so only what comes behind them is waited for before one byte of
/// it is chosen.
fn harmed_answer(
    client: &mut &TcpStream,
    server: &mut &TcpStream,
    harm: Harm,
    mut rng: Rng,
    harmed: &Harmed,
) -> std::io::Result<()> {
    let in_head = (rng.below(10) == 0).then(|| rng.below(HEAD));
    for place in 0..HEAD {
        let mut byte = [0];
        if server.read(&mut byte)? == 0 {
            return Ok(());
        }
        if in_head == Some(place) && !harm_at(&mut byte, 0, harm, &mut rng, harmed) {
            return Ok(());
        }
        client.write_all(&byte)?;
    }
    if in_head.is_some() {
        return std::io::copy(server, client).map(drop);
    }
    let mut rest = Vec::new();
    server.read_to_end(&mut rest)?;
    if rest.is_empty() {
        return Ok(());
    }
    let place = rng.below(rest.len());
    if !harm_at(&mut rest, place, harm, &mut rng, harmed) {
        rest.truncate(place);
    }
    client.write_all(&rest)
}

/// False where the answer ends at this place.
fn harm_at(bytes: &mut [u8], place: usize, harm: Harm, rng: &mut Rng, harmed: &Harmed) -> bool {
    match harm {
        Harm::Corrupted => {
            bytes[place] ^= 1 + rng.below(255) as u8;
            harmed.corrupted.fetch_add(1, Ordering::SeqCst);
            true
        }
        Harm::Cut => {
            harmed.cut.fetch_add(1, Ordering::SeqCst);
            false
        }
        Harm::Delayed(span) => {
            harmed.delayed.fetch_add(1, Ordering::SeqCst);
            assert!(crossbeam_channel::never::<()>().recv_timeout(span).is_err());
            true
        }
    }
}
