//! Properties of Kea.

use super::FuzzTarget;
use taproof_spec::format::{DmfFile, parse_kea};
use taproof_spec::{CompiledSpec, lint};

pub(super) const KEA: FuzzTarget = FuzzTarget {
    name: "kea",
    about: "properties of Kea: read, written as a specification and read again, linted",
    inputs: 3000,
    prepare: || Box::new(use_properties),
    seeds: || vec![SEED.as_bytes().to_vec()],
    files: &[".py"],
    words: &[
        "    @rule()\n",
        "    @precondition(lambda self: d(text='A').exists())\n",
        "    @invariant\n",
        "    @prob(1e300)\n",
        "    def f(self):\n",
        "        assert d(text='A').count >= -1\n",
        "        for _ in range(1000000): f()\n",
        "        self.f()\n",
        "        if d(text='A').exists():\n            return\n",
        "        while True: pass\n",
        "self._f.update(a, b)",
        "[99999999999]",
        ".child(text=x)",
        ".right()",
        " or ",
        " and ",
        "not ",
        " ^ ",
        "lambda: ",
        "f\"{x}\"",
        "'\\u0000\\ud800'",
        "\"\"\"",
        "(",
        ")",
        ":",
        "\t",
        "\n",
    ],
};

const SEED: &str = r#"from kea2 import *
PKG = "org.ex"
class Test(KeaTest):
    _f = Bundle("files")
    @initializer()
    def first(self):
        for _ in range(2):
            d(resourceId=f"{PKG}:id/next").click()
    @mainPath()
    def way(self):
        d(description="Menu").click()
    @prob(0.5)
    @max_tries(2)
    @precondition(lambda self: (d(text="A").exists() and self._f.get_all_data()) or not d(text="B")[1].exists)
    @rule()
    def change(self):
        a = self._f.get_random_data()
        b = self._f.get_random_text()
        t = d(resourceId="org.ex:id/t").get_text()
        if d(text="OK").exists():
            d(text="OK").click()
        d(text=a).right(className="android.widget.ImageView").click()
        d(text="Name").set_text(b)
        self._f.update(a, b)
        assert d(text=b).exists() and d(resourceId="org.ex:id/t").get_text() == t
        d.press("back")
        assert "x" in d(resourceId="org.ex:id/t").info["text"] or d(text=a).count == 0
"#;

fn use_properties(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(read) = parse_kea(&text) else { return };
    let written = DmfFile::new(&read.spec);
    let again = DmfFile::parse(written.source()).expect("what is written is read");
    assert_eq!(again.spec.dmfs.len(), read.spec.dmfs.len(), "no function is lost");
    drop(lint(&read.spec));
    drop(CompiledSpec::new(&read.spec));
}
