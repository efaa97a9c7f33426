//! The banners with which device and host introduce themselves.

use super::Identity;

/// The longest banner that hosts accept, in bytes.
const LONGEST: usize = 4096;
/// Limit on the length of a value in characters.
const LONGEST_VALUE: usize = 200;

/// The device's banner. It begins with the state `device`: hosts take a peer with any unknown word for a host.
pub(super) fn device_banner(identity: &Identity) -> Vec<u8> {
    let mut banner = format!(
        "device::ro.product.name={};ro.product.model={};ro.product.device={};",
        value(&identity.name),
        value(&identity.model),
        value(&identity.device)
    );
    let mut prefix = "features=";
    for feature in &identity.features {
        // If the list is too long, its end is dropped rather than breaking the connection.
        if banner.len() + prefix.len() + feature.len() > LONGEST {
            break;
        }
        banner.push_str(prefix);
        banner.push_str(feature);
        prefix = ",";
    }
    banner.into_bytes()
}

/// Hosts split banners at `:`, `;` and `=` and drop a pair with more of them.
fn value(text: &str) -> String {
    let allowed = |c: char| if matches!(c, ':' | ';' | '=') || c.is_control() { '_' } else { c };
    text.chars().map(allowed).take(LONGEST_VALUE).collect()
}

/// The host's banner as printable text.
pub(super) fn host_banner(data: &[u8]) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    String::from_utf8_lossy(data).trim_end_matches('\0').chars().take(LONGEST).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_banner_is_what_hosts_split() {
        let mut identity = Identity::modern("sim", "Sim Phone", "sim");
        let banner = |identity: &Identity| String::from_utf8(device_banner(identity)).unwrap();
        assert_eq!(
            banner(&identity),
            "device::ro.product.name=sim;ro.product.model=Sim Phone;ro.product.device=sim;\
             features=shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir"
        );
        identity.model = "a:b;c=d\ne".to_owned();
        assert!(banner(&identity).contains("model=a_b_c_d_e;"));
        identity.name = "x".repeat(9000);
        identity.features = vec!["a_feature_of_some_length"; 900];
        assert!(banner(&identity).len() <= LONGEST && banner(&identity).ends_with("length"));
        let old = banner(&Identity::old("a", "b", "c"));
        assert_eq!(old, "device::ro.product.name=a;ro.product.model=b;ro.product.device=c;");
    }

    #[test]
    fn a_host_banner_can_be_shown() {
        assert_eq!(host_banner(b"host::features=a\x1b[2J,b\0"), "host::features=a [2J,b");
        assert_eq!(host_banner(b"\xff\0\0"), "\u{fffd}");
    }
}
