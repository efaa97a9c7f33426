//! MD5, as `md5sum` of devices tells it: what came from a device is compared with what the device had by it.

/// How far each step turns.
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The MD5 of some bytes, in hexadecimal digits (RFC 1321).
pub(super) fn md5(bytes: &[u8]) -> String {
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let constants = constants();
    let mut whole = bytes.chunks_exact(64);
    for block in whole.by_ref() {
        mix(&mut state, block, &constants);
    }
    let mut tail = whole.remainder().to_vec();
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend((bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    for block in tail.chunks_exact(64) {
        mix(&mut state, block, &constants);
    }
    state.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

/// The whole part of 2^32 times the sine of 1 to 64, without the library's sine, which differs between platforms.
fn constants() -> [u32; 64] {
    let mut constants = [0; 64];
    for (place, constant) in (1u32..).zip(constants.iter_mut()) {
        *constant = (libm::sin(f64::from(place)).abs() * 4_294_967_296.0) as u32;
    }
    constants
}

fn mix(state: &mut [u32; 4], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.try_into().map(u32::from_le_bytes).unwrap_or_default();
    }
    let [mut a, mut b, mut c, mut d] = *state;
    for (step, constant) in constants.iter().enumerate() {
        let (value, place) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let word = words.get(place % 16).copied().unwrap_or_default();
        let turn = TURNS.get(step / 16).and_then(|turns| turns.get(step % 4)).copied().unwrap_or_default();
        let turned = a.wrapping_add(value).wrapping_add(*constant).wrapping_add(word).rotate_left(turn);
        (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        assert_eq!(md5(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(md5(b"message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
        let digits = b"12345678901234567890123456789012345678901234567890123456789012345678901234567890";
        assert_eq!(md5(digits), "57edf4a22be3c955ac49da2e2107b67a");
    }
}
