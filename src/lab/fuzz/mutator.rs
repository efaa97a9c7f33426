//! Makes inputs of valid ones: the same for the same seed.

use crate::targets::PART;
use taproof_screen::determinism::Rng;

/// Inputs longer than this and than every seed are cut.
const LONGEST: usize = 64 << 10;
/// One input in so many may be as long as `VERY_LONG`, to see what memory and time go with length.
const ONE_IN: usize = 400;
const VERY_LONG: usize = 2 << 20;

/// Numbers at which something ends, as text.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "127",
    "128",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e400",
];

/// Bytes that are odd in texts: surrogates, bare continuations, overlong forms, marks, invisible letters, controls.
const ODD: [&[u8]; 14] = [
    b"\xed\xa0\x80",
    b"\x80",
    b"\xc0\xaf",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xef\xbf\xbe",
    b"\xe2\x80\xae",
    b"\xe2\x80\x8b",
    b"\0",
    b"\x1b[2J",
    b"\xf0\x9f\x98\x80",
    b"\xcc\x81",
    b"\xe2\x80\xa8",
];

/// What opens and what closes it.
const PAIRS: [(&[u8], &[u8]); 8] = [
    (b"[", b"]"),
    (b"{\"a\":", b"}"),
    (b"(", b")"),
    (b"<node>", b"</node>"),
    (b"$(", b")"),
    (b"\"", b"\""),
    (b"{ ", "; }".as_bytes()),
    (b"not(", b")"),
];

/// A source of inputs.
pub struct Mutator {
    rng: Rng,
    seeds: Vec<Vec<u8>>,
    words: Vec<&'static [u8]>,
    longest: usize,
}

impl Mutator {
    /// Inputs made of these, in an order that goes by the number.
    pub fn new(number: u64, seeds: Vec<Vec<u8>>, words: &[&'static str]) -> Self {
        let mut words: Vec<&'static [u8]> = words.iter().map(|word| word.as_bytes()).collect();
        words.push(PART);
        let longest = seeds.iter().map(Vec::len).max().unwrap_or(0).max(LONGEST);
        Mutator { rng: Rng::from_seed(number), seeds, words, longest }
    }

    /// The next input.
    pub fn next(&mut self) -> Vec<u8> {
        let mut bytes = match self.rng.below(20) {
            0 => self.of_words(),
            _ => self.seed(),
        };
        let longest = if self.rng.chance(1, ONE_IN) { VERY_LONG } else { self.longest };
        for _ in 0..1 + self.rng.below(8) {
            self.change(&mut bytes, longest);
            bytes.truncate(longest);
        }
        bytes
    }

    fn seed(&mut self) -> Vec<u8> {
        self.rng.pick(&self.seeds).cloned().unwrap_or_default()
    }

    fn of_words(&mut self) -> Vec<u8> {
        (0..self.rng.below(30))
            .flat_map(|_| self.rng.pick(&self.words).copied().unwrap_or_default())
            .copied()
            .collect()
    }

    /// A place in so many bytes, their end among them.
    fn place(&mut self, bytes: &[u8]) -> usize {
        self.rng.below(bytes.len() + 1)
    }

    /// A piece, mostly a short one.
    fn range(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.place(bytes);
        let most = if self.rng.chance(1, 4) { bytes.len() - start } else { (bytes.len() - start).min(40) };
        start..start + self.rng.below(most + 1)
    }

    fn change(&mut self, bytes: &mut Vec<u8>, longest: usize) {
        match self.rng.below(14) {
            0 => self.flip(bytes),
            1 => {
                let (place, byte) = (self.place(bytes), self.rng.below(256) as u8);
                bytes.insert(place, byte);
            }
            2 => {
                let range = self.range(bytes);
                bytes.drain(range);
            }
            3 => self.repeat(bytes, longest),
            4 | 5 => self.insert_word(bytes),
            6 | 7 => self.replace_number(bytes),
            8 => self.splice(bytes),
            9 => {
                let place = self.place(bytes);
                bytes.truncate(place);
            }
            10 => {
                let (place, odd) = (self.place(bytes), self.rng.pick(&ODD).copied().unwrap_or_default());
                bytes.splice(place..place, odd.iter().copied());
            }
            11 => self.nest(bytes, longest),
            12 => self.binary_number(bytes),
            _ => {
                let (from, to) = (self.range(bytes), self.place(bytes));
                let piece: Vec<u8> = bytes[from].to_vec();
                bytes.splice(to..to, piece);
            }
        }
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let place = self.rng.below(bytes.len().max(1));
        let bit = self.rng.below(8);
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= 1 << bit;
        }
    }

    fn insert_word(&mut self, bytes: &mut Vec<u8>) {
        let word = self.rng.pick(&self.words).copied().unwrap_or_default();
        let place = self.place(bytes);
        // In the place of what stands there, or before it.
        let end = if self.rng.chance(1, 2) { (place + word.len()).min(bytes.len()) } else { place };
        bytes.splice(place..end, word.iter().copied());
    }

    /// A piece many times, now and then very many times.
    fn repeat(&mut self, bytes: &mut Vec<u8>, longest: usize) {
        let range = self.range(bytes);
        let piece = bytes[range.clone()].to_vec();
        let most = if self.rng.chance(1, 10) { longest } else { 64 };
        let times = 1 + self.rng.below(most) / piece.len().max(1);
        let room = longest.saturating_sub(bytes.len()) / piece.len().max(1);
        let repeated = piece.repeat(times.min(room));
        bytes.splice(range.end..range.end, repeated);
    }

    fn nest(&mut self, bytes: &mut Vec<u8>, longest: usize) {
        let (open, close) = self.rng.pick(&PAIRS).copied().unwrap_or_default();
        let most = if self.rng.chance(1, 10) { longest / 16 } else { 200 };
        let times = 1 + self.rng.below(most);
        let range = self.range(bytes);
        bytes.splice(range.end..range.end, close.repeat(times));
        bytes.splice(range.start..range.start, open.repeat(times));
    }

    /// A number that stands there becomes another one.
    fn replace_number(&mut self, bytes: &mut Vec<u8>) {
        let from = self.place(bytes);
        let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) else {
            return;
        };
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = match self.rng.below(3) {
            0 => self.rng.below(100_000).to_string(),
            _ => self.rng.pick(&NUMBERS).copied().unwrap_or_default().to_owned(),
        };
        bytes.splice(start..start + length, number.into_bytes());
    }

    fn binary_number(&mut self, bytes: &mut [u8]) {
        const LIMITS: [u32; 8] = [0, 1, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x0010_0000];
        let value = self.rng.pick(&LIMITS).copied().unwrap_or_default();
        let written = if self.rng.chance(1, 2) { value.to_le_bytes() } else { value.to_be_bytes() };
        let place = self.rng.below(bytes.len().max(1));
        for (byte, new) in bytes.iter_mut().skip(place).zip(written) {
            *byte = new;
        }
    }

    /// The beginning of this and the end of another one.
    fn splice(&mut self, bytes: &mut Vec<u8>) {
        let other = self.seed();
        let (place, from) = (self.place(bytes), self.place(&other));
        bytes.truncate(place);
        bytes.extend_from_slice(&other[from..]);
    }
}
