//! How much room is left on a file system.

/// Parses `df PATH`: the bytes that are free. `None` if the answer does not say it.
pub fn free_bytes(text: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let columns: Vec<&str> = lines.find_map(|line| {
        let columns: Vec<&str> = line.collect();
        (columns.first() == Some(&"Filesystem")).then_some(columns)
    })?;
    let place = columns.iter().position(|column| ["Available", "Avail", "Free"].contains(column))?;
    let unit = columns.iter().find_map(|column| column.strip_suffix("K-blocks")?.parse::<u64>().ok());
    // A long name stands on a line of its own.
    let row: Vec<&str> = lines.flatten().collect();
    bytes(row.get(place)?, unit.unwrap_or(1))
}

/// A number in units of `unit` KiB, or with a suffix such as `8.8G`.
fn bytes(text: &str, unit: u64) -> Option<u64> {
    let (number, scale) = match text.strip_suffix(['K', 'M', 'G', 'T']) {
        None => return text.parse::<u64>().ok()?.checked_mul(unit)?.checked_mul(1024),
        Some(number) => (number, text.chars().next_back()?),
    };
    let scale: u64 = match scale {
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        _ => 1 << 40,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let part = part.parse::<u64>().ok().filter(|_| part.len() == 1)?;
    Some(whole.parse::<u64>().ok()?.checked_mul(scale)? + scale / 10 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_room_of_old_and_new_releases_is_read() {
        let new = "Filesystem      1K-blocks     Used Available Use% Mounted on\r\n\
                   /dev/block/dm-5 112345678 12345678  99999999  12% /data\r\n";
        assert_eq!(free_bytes(new), Some(99_999_999 * 1024));
        let old = "Filesystem               Size     Used     Free   Blksize\n\
                   /data                   12.0G     3.2G     8.8G   4096\n";
        assert_eq!(free_bytes(old), Some((8 << 30) + (1 << 30) / 10 * 8));
        let long =
            "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/a-long-name\n  9 4 5 1% /data\n";
        assert_eq!(free_bytes(long), Some(5 * 1024));
        for text in
            ["", "df: not found", "Filesystem 1K-blocks Used Available\n", "Filesystem Free\n/data x\n"]
        {
            assert_eq!(free_bytes(text), None, "{text}");
        }
    }
}
