//! The file of a bundled app, so that tools can pull it from the phone and install it again: a ZIP with one stored
//! entry that names the app. Its code is part of this program.

/// The entry that names the app.
const ENTRY: &str = "assets/taproof-app";
const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_HEADER: [u8; 4] = *b"PK\x01\x02";
const END_HEADER: [u8; 4] = *b"PK\x05\x06";
/// 1980-01-01, the first day that a ZIP can name.
const DATE: [u8; 4] = [0, 0, 0x21, 0];
const LOCAL_LENGTH: usize = 30;

/// The APK of an app.
pub(super) fn apk(package: &str) -> Vec<u8> {
    let (name, data) = (ENTRY.as_bytes(), package.as_bytes());
    // Version 2.0, no flags, stored; then time, checksum, both sizes, lengths of the name and of the extra field.
    let mut common = vec![20, 0, 0, 0, 0, 0];
    common.extend(DATE);
    common.extend(crc32fast::hash(data).to_le_bytes());
    common.extend((data.len() as u32).to_le_bytes());
    common.extend((data.len() as u32).to_le_bytes());
    common.extend((name.len() as u16).to_le_bytes());
    common.extend([0, 0]);
    let local = [&LOCAL_HEADER[..], &common, name, data].concat();
    // Comment length, disk, attributes, offset: all zero.
    let central = [&CENTRAL_HEADER[..], &[20, 0], &common, &[0; 14], name].concat();
    let mut end = END_HEADER.to_vec();
    end.extend([0, 0, 0, 0, 1, 0, 1, 0]);
    end.extend((central.len() as u32).to_le_bytes());
    end.extend((local.len() as u32).to_le_bytes());
    end.extend([0, 0]);
    [local, central, end].concat()
}

/// The package that an APK names, or what is wrong with it.
pub(super) fn package_of(bytes: &[u8]) -> Result<&str, &'static str> {
    const FOREIGN: &str = "it is an app for a real phone; the bundled phone runs the bundled apps only";
    if !bytes.starts_with(&LOCAL_HEADER) {
        return Err("it is no APK");
    }
    let name_end = LOCAL_LENGTH + ENTRY.len();
    let size = bytes.get(18..22).and_then(|size| <[u8; 4]>::try_from(size).ok()).map(u32::from_le_bytes);
    let (Some(name), Some(size)) = (bytes.get(LOCAL_LENGTH..name_end), size) else {
        return Err("it is cut off");
    };
    if name != ENTRY.as_bytes() {
        return Err(FOREIGN);
    }
    let data = bytes.get(name_end..name_end.saturating_add(size as usize)).ok_or("it is cut off")?;
    std::str::from_utf8(data).map_err(|_| FOREIGN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apk_names_its_app() {
        let bytes = apk("org.ex");
        assert_eq!(package_of(&bytes), Ok("org.ex"));
        assert_eq!(package_of(&bytes[..40]), Err("it is cut off"));
        assert_eq!(package_of(b"text"), Err("it is no APK"));
        let mut foreign = bytes;
        foreign[31] = b'x';
        assert!(package_of(&foreign).unwrap_err().contains("real phone"));
    }
}
