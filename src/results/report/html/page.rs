//! What the pages of findings and of campaigns have in common: the frame around them and the style sheet.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use crate::report::ReportFacts;
use crate::report::plain::literal_parts;
use crate::report::text::printable;
use taproof_engine::device::Environment;

/// A text that the app under test may have supplied. It is escaped, and its writing direction does not affect the text
/// after it.
pub struct Escaped<'a>(pub &'a str);

impl Render for Escaped<'_> {
    fn render(&self) -> Markup {
        html! { bdi { (printable(self.0)) } }
    }
}

/// A sentence. Texts between quotation marks in it that may be taken for a fault of the page are set as what was typed.
pub(crate) fn marked(sentence: &str) -> Markup {
    html! {
        @for (text, literal) in literal_parts(sentence) {
            @if literal { code.typed title="typed literally" { (Escaped(text)) } } @else { (Escaped(text)) }
        }
    }
}

/// A whole page. It loads nothing and contains no scripts.
pub(crate) fn page(title: &str, body: &Markup) -> Vec<u8> {
    styled_page(title, body, "")
}

/// A whole page in the style of all pages. It loads nothing and contains no scripts. `style` is added to the style sheet,
/// without being escaped.
pub fn styled_page(title: &str, body: &Markup, style: &'static str) -> Vec<u8> {
    // The only text here that is not escaped is our own style sheet.
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; img-src data:; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (printable(title)) " \u{2013} Taproof" }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { main { (body) } }
        }
    };
    markup.into_string().into_bytes()
}

/// The origin of the findings, as a list of names and values.
pub(crate) fn run_facts(facts: &ReportFacts) -> Markup {
    html! {
        dt { "App" } dd { (Escaped(&facts.app_in_words())) }
        @if !facts.serials.is_empty() {
            dt { "Device" } dd { (Escaped(&facts.serials.values().cloned().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", "))) }
        }
        dt { "Taproof" } dd { "version " (facts.tool_version) }
        dt { "Engine" } dd {
            (Escaped(&facts.engine)) @if !facts.mode.is_empty() { ", mode " (Escaped(&facts.mode)) } ", seed " (facts.seed)
        }
        @if !facts.date.is_empty() { dt { "Date" } dd { (Escaped(&facts.date)) } }
        @if let Some(first) = &facts.initialiser { dt { "Before each test" } dd { (Escaped(&first.words())) } }
        @if !facts.specs.is_empty() { dt { "Specification" } dd { (Escaped(&facts.specs_in_words())) } }
    }
}

/// The device and the version of the app with which a finding was seen, for a list of facts.
pub(crate) fn environment_facts(environment: Option<&Environment>) -> Markup {
    html! {
        @if let Some(environment) = environment {
            dt { "Seen on" } dd { (Escaped(&environment.device_words())) }
            @if !environment.app_version.is_empty() {
                dt { "Version of the app" } dd { (Escaped(&environment.app_version)) }
            }
        }
    }
}

/// The footer of a page.
pub(crate) fn footer(facts: &ReportFacts) -> Markup {
    footer_of(&facts.tool_version)
}

/// The footer of a page that this version has written.
pub fn footer_of(version: &str) -> Markup {
    html! { footer { "Written by Taproof " (version) ". This page is complete in itself: it loads nothing." } }
}

/// The same design tokens as the window's, light and dark; four font sizes; a grid of 4.
const STYLE: &str = "
:root{--base:#eef0f3;--panel:#f8f9fb;--raised:#fff;--line:#d5dae1;--text:#1b212a;--quiet:#5b6675;--accent:#00746a;
--accent-soft:#d2ece8;--bad:#b92c25;--bad-soft:#fbe3e1;--warn:#8a5a00;--warn-soft:#faecce;--good:#1e7a35;--good-soft:#dbf0df}
@media (prefers-color-scheme:dark){:root{--base:#12151a;--panel:#191d24;--raised:#21262f;--line:#323945;--text:#e6eaf0;
--quiet:#9aa5b4;--accent:#4cc2b4;--accent-soft:#1c3f3f;--bad:#ff7b72;--bad-soft:#432326;--warn:#e8b34b;
--warn-soft:#3d321c;--good:#6cc67a;--good-soft:#1f3826}}
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--text);font:14px/1.5 Roboto,system-ui,sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{max-width:1120px;margin:0 auto;padding:32px 24px}
h1{font-size:24px;line-height:1.3;margin:8px 0 12px;font-weight:500}
section>h1{margin-top:48px}
h2{font-size:17px;margin:32px 0 12px;font-weight:500}
h3{font-size:15px;margin:0;font-weight:500}
h4{font-size:12px;margin:16px 0 4px;font-weight:500;color:var(--quiet)}
p{margin:8px 0}
.quiet{color:var(--quiet)}
.card{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:16px;margin:12px 0}
.chips{display:flex;flex-wrap:wrap;gap:8px}
.chip{display:inline-block;border-radius:12px;padding:1px 10px;font-size:12px;background:var(--base);border:1px solid var(--line)}
.card .chip{background:var(--panel)}
.card>.chips{margin:8px 0 12px}
.facts>:first-child{margin-top:0}.way .chip{font-size:11px;padding:0 8px;margin-left:4px;color:var(--quiet)}
.chip.bad,.card .chip.bad{background:var(--bad-soft);color:var(--bad);border-color:transparent}
.chip.good,.card .chip.good{background:var(--good-soft);color:var(--good);border-color:transparent}
.chip.warn,.card .chip.warn{background:var(--warn-soft);color:var(--warn);border-color:transparent}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0}
dt{grid-column:1}dd{grid-column:2}
dt{color:var(--quiet)}dd{margin:0}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:12px;margin:8px 0;overflow-x:auto;
white-space:pre-wrap;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
code{font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
code.typed{font-size:.9em;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:0 4px}
table{border-collapse:collapse;width:100%}
th{font-weight:500;color:var(--quiet);text-align:left;font-size:12px}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
.n{text-align:right;white-space:nowrap}
a{color:var(--accent)}
ol.way{margin:0;padding-left:24px}ol.way li{padding:1px 0}
.judged{border-left:4px solid var(--bad)}
.judged p{font-weight:500;margin:0 0 8px}
.judged p:not(:first-child){margin-top:16px}
.step>header{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline}
.step>header .no{color:var(--quiet);font-size:12px;white-space:nowrap}
.sides{display:grid;grid-template-columns:minmax(0,280px) minmax(0,280px) minmax(0,1fr);gap:16px 24px;margin-top:12px}
.sides>figure,.screens>figure{margin:0}
.screens{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:16px 24px;margin:12px 0}
figcaption{color:var(--quiet);font-size:12px;margin-bottom:4px}
header.plain{display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start}
header.plain>figure{margin:0;width:180px;flex:none}
header.plain>div{flex:1;min-width:280px}
svg.screen{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
.missing{border:2px dashed var(--bad);color:var(--bad);border-radius:6px;padding:4px 8px;margin-top:8px;font-size:13px}
ul.changes{list-style:none;margin:0;padding:0}ul.changes li{padding:1px 0 1px 20px;text-indent:-20px}
ul.changes b{display:inline-block;width:20px;text-indent:0;font-weight:500}
.new b{color:var(--good)}.gone b{color:var(--bad)}.changed b{color:var(--warn)}
summary{cursor:pointer;color:var(--quiet);font-size:12px;margin-top:16px}
.defs{position:absolute;width:0;height:0;overflow:hidden}
.plot{width:100%;height:auto;display:block}
footer{margin-top:32px;color:var(--quiet);font-size:12px}
:target{outline:2px solid var(--accent);outline-offset:4px}
@media (max-width:860px){.sides{grid-template-columns:1fr 1fr}.sides>.facts{grid-column:1/-1}}
@media print{body{background:#fff}main{max-width:none;padding:0}.step{break-inside:avoid}
details::details-content{content-visibility:visible;height:auto}*{print-color-adjust:exact}}
";
