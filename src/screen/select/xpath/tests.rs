//! XPath 1.0 on layouts, expression by expression.

use proptest::prelude::*;

use super::*;
use crate::{Side, layout_from};

const SCREEN: &str = "FrameLayout#root
  LinearLayout#bar
    TextView#title \"Notes\"
    ImageButton#add (New note)
  ListView#list
    LinearLayout#row
      TextView#name \"buy milk\"
      CheckBox#done
    LinearLayout#row
      TextView#name \"call Ann\"
      CheckBox#done
    LinearLayout#row
      TextView#name \"it's \"
";

fn check(xpath: &str, expected: &[u32]) {
    let named = XPath::parse(xpath).unwrap().select(&layout_from(SCREEN));
    assert_eq!(named.iter().map(|idx| idx.0).collect::<Vec<_>>(), expected, "{xpath}");
}

#[test]
fn paths_go_down_and_up() {
    check("/hierarchy/node", &[0]);
    check("/hierarchy/android.widget.FrameLayout[1]/android.widget.ListView/node[2]/node[1]", &[9]);
    check("/android.widget.FrameLayout", &[]);
    check("/*", &[]);
    check("/*/*/*", &[1, 4]);
    check("node/node", &[1, 4]);
    check(".//android.widget.CheckBox", &[7, 10]);
    check("//android.widget.ListView//android.widget.CheckBox", &[7, 10]);
    check("//node//node//node//node", &[6, 7, 9, 10, 12]);
    check("//*[@text='call Ann']/..", &[8]);
    check("//*[@text='call Ann']/../android.widget.CheckBox", &[10]);
    check("//android.widget.CheckBox/../..", &[4]);
    check("//*", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}

#[test]
fn positions_count_per_parent_and_over_a_group() {
    check("//android.widget.TextView[1]", &[2, 6, 9, 12]);
    check("(//android.widget.TextView)[2]", &[6]);
    check("(//android.widget.TextView)[last()]/..", &[11]);
    check("//android.widget.LinearLayout[last()]", &[1, 11]);
    check("//android.widget.ListView/*[last()-1]", &[8]);
    check("//android.widget.ListView/*[last()-7]", &[]);
    check("//android.widget.ListView/*[position() >= 2]", &[8, 11]);
    check("//android.widget.ListView/*[ position()!=last() ]", &[5, 8]);
    check("//node[@resource-id='org.ex:id/row'][2]/node[1]", &[9]);
    check("//*[0]", &[]);
}

#[test]
fn attributes_are_compared() {
    check("//*[@resource-id=\"org.ex:id/list\"]/android.widget.LinearLayout[3]", &[11]);
    check("//*[@clickable=\"true\" and @content-desc='New note']", &[3]);
    check("//*[@text!=\"\"]", &[2, 6, 9, 12]);
    check("//*[@text=\"it's \" or @bounds='[0,0][1080,100]']", &[0, 12]);
    check("//*[@index=1]", &[3, 4, 7, 8, 10]);
    check("//*[@index='2' and not(@text)]", &[]);
    check("//*[not(contains(@resource-id, 'row') or @package!='org.ex') and @text='']", &[0, 1, 3, 4, 7, 10]);
    check("//*[starts-with(@text,'c')]", &[9]);
    check("//*[contains(@text,'l')][1]", &[6, 9]);
    check("//*[@hint or @NAF]", &[]);
    check("//*[@content-desc]", &[3]);
    check("//*[@content-desc='' and not(@resource-id)]", &[]);
    check("//android.widget.ImageButton[@content-desc and boolean(@resource-id)]", &[3]);
    check("//*[@class='android.widget.ListView' and (@enabled='true')]", &[4]);
    check("//*[@text='a' or @text='Notes' and @text='b']", &[]);
}

#[test]
fn a_dollar_in_a_class_may_be_written_as_uiautomator2_does() {
    assert!(axes::same_class("a.B$C", "a.B$C") && axes::same_class("a.B$C", "a.B-C"));
    assert!(!axes::same_class("a.B-C", "a.B$C") && !axes::same_class("a.B$C", "a.B-D"));
}

#[test]
fn every_axis() {
    check("//*[@text='call Ann']/self::android.widget.TextView", &[9]);
    check("//*[@text='call Ann']/self::android.widget.CheckBox", &[]);
    check("//android.widget.ListView/child::node", &[5, 8, 11]);
    check("//android.widget.ListView/descendant::android.widget.CheckBox", &[7, 10]);
    check("//android.widget.LinearLayout[2]/descendant-or-self::*", &[8, 9, 10]);
    check("//*[@text='call Ann']/parent::android.widget.LinearLayout", &[8]);
    check("//*[@text='call Ann']/parent::android.widget.ListView", &[]);
    check("//*[@text='call Ann']/ancestor::*", &[0, 4, 8]);
    check("//*[@text='call Ann']/ancestor-or-self::node()", &[0, 4, 8, 9]);
    check("//*[@text='call Ann']/following::*", &[10, 11, 12]);
    check("//*[@text='call Ann']/preceding::*", &[1, 2, 3, 5, 6, 7]);
    check("//android.widget.TextView/following-sibling::android.widget.CheckBox", &[7, 10]);
    check("//android.widget.LinearLayout[2]/preceding-sibling::*", &[5]);
    check("//android.widget.LinearLayout/following-sibling::*", &[4, 8, 11]);
    check("//*[attribute::text='call Ann']", &[9]);
    check("//@text/..", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    check("//text()/..", &[2, 6, 9, 12]);
    check("//*[@text='call Ann']/@text/following::*", &[10, 11, 12]);
    check("//*[@*='call Ann']", &[9]);
}

#[test]
fn positions_count_from_the_node_on_every_axis() {
    check("//*[@text='call Ann']/ancestor::*[1]", &[8]);
    check("//*[@text='call Ann']/ancestor::*[last()]", &[]);
    check("(//*[@text='call Ann']/ancestor::node)[1]", &[0]);
    check("//android.widget.LinearLayout[3]/preceding-sibling::*[1]", &[8]);
    check("//*[@text='call Ann']/preceding::*[1]", &[7]);
    check("//*[@text='call Ann']/following::*[2]", &[11]);
    check("//android.widget.CheckBox/following::*[1]", &[8, 11]);
    check("//*[@text='call Ann']/../descendant-or-self::*[2]", &[9]);
    check("//android.widget.TextView[contains(@text,'l')][2]", &[]);
    check("(//android.widget.TextView[contains(@text,'l')])[2]/..", &[8]);
    check("//android.widget.ListView/*[1.5]", &[]);
    check("//android.widget.ListView/*[position() mod 2 = 1]", &[5, 11]);
    check("//android.widget.ListView/*[count(*)]", &[8]);
    check("//android.widget.ListView/*[1 and @index]", &[5, 8, 11]);
    check("//android.widget.ListView/*[@index and 'a' and *][position() = 2]", &[8]);
}

#[test]
fn paths_are_conditions_and_operands() {
    check("//android.widget.LinearLayout[android.widget.TextView]", &[1, 5, 8, 11]);
    check("//android.widget.LinearLayout[android.widget.TextView/@text='call Ann']", &[8]);
    check(
        "//android.widget.LinearLayout[android.widget.TextView[@text='call Ann']]/android.widget.CheckBox",
        &[10],
    );
    check("//*[.//android.widget.CheckBox]", &[0, 4, 5, 8]);
    check("//android.widget.LinearLayout[not(android.widget.CheckBox)]", &[1, 11]);
    check("//*[../@resource-id = 'org.ex:id/bar']", &[2, 3]);
    check("//android.widget.TextView[@text=//android.widget.TextView[2]/@text]", &[]);
    check("//android.widget.TextView[@resource-id=following::*/@resource-id]", &[6, 9]);
    check("//*[android.widget.TextView != 'Notes']", &[5, 8, 11]);
    check("//*[text()='Notes']", &[2]);
    check("//*[.='it' or . = \"it's \"]", &[11, 12]);
    check("//*[text()]", &[2, 6, 9, 12]);
    check("//*[@index < 1]", &[0, 1, 2, 5, 6, 9, 12]);
    check("//*[android.widget.CheckBox = true()]", &[5, 8]);
    check(
        "//*[@class = 'android.widget.CheckBox'] | //android.widget.ListView | //android.widget.CheckBox",
        &[4, 7, 10],
    );
    check("(//android.widget.CheckBox|//android.widget.TextView)[2]/following-sibling::*", &[7]);
    check("/hierarchy/*[count(descendant::*[@text!='']) - 4 = 0]", &[0]);
}

#[test]
fn every_operator_and_function() {
    let yes = |condition: &str| check(&format!("//android.widget.ListView[{condition}]"), &[4]);
    let no = |condition: &str| check(&format!("//android.widget.ListView[{condition}]"), &[]);
    for condition in [
        "1 + 2 * 3 = 7",
        "7 div 2 = 3.5 and -7 mod 3 = -1",
        "1 - -1 = 2 and --1=1",
        "1 < 2 and 2 <= 2 and 3 > 2 and .5 >= 0.5",
        "'2' > '10' or true()",
        "2 > 10 or '10' > '2'",
        "not(1 = 2 or false())",
        "(1 = 1) = true()",
        "1 div 0 > 99999 and string(1 div 0) = 'Infinity'",
        "string(0 div 0) = 'NaN' and string(-0) = '0' and string(1.50) = '1.5'",
        "not(0 div 0 = 0 div 0)",
        "count(*) = 3 and count(//android.widget.TextView | //android.widget.CheckBox) = 6",
        "sum(*/@index) = 3",
        "name() = 'android.widget.ListView' and local-name(..) = 'android.widget.FrameLayout'",
        "name(@*) = 'index' and name(/*) = 'hierarchy' and name(//none) = ''",
        "string() = string(.) and string(*) = 'buy milk' and string(true()) = 'true'",
        "concat('a', 1, @text, 'b') = 'a1b'",
        "contains('abc', 'bc') and starts-with('abc', 'ab') and ends-with('abc', 'bc')",
        "contains('a', '') and not(ends-with('abc', 'ab'))",
        "matches(@class, '^android.*View$') and re:match(@class, 'list', 'i')",
        "not(matches(@class, '^list')) and re:test('a', '[a-c]')",
        "substring('12345', 2) = '2345' and substring('12345', 1.5, 2.6) = '234'",
        "substring('12345', 0, 3) = '12' and substring('12345', 0 div 0) = ''",
        "substring-before('a:b:c', ':') = 'a' and substring-after('a:b:c', ':') = 'b:c'",
        "substring-before('a', ':') = '' and substring-after('a', '') = 'a'",
        "string-length('h\u{fc}') = 2 and string-length() = string-length(.)",
        "normalize-space('  a  b ') = 'a b' and normalize-space(//*[starts-with(@text,'it')]/@text) = \"it's\"",
        "translate('bar', 'abc', 'AB') = 'BAr' and translate('a-b', '-', '') = 'ab'",
        "lower-case('\u{c4}B') = '\u{e4}b' and upper-case('ab') = 'AB'",
        "boolean(*) and not(boolean('')) and boolean('false') and not(boolean(0))",
        "number('  -1.5 ') = -1.5 and number(true()) = 1 and number(.) != number(.)",
        "string(number('1e3')) = 'NaN' and string(number('+1')) = 'NaN'",
        "floor(-1.5) = -2 and ceiling(1.2) = 2 and round(2.5) = 3 and round(-2.5) = -2",
        "position() = last() and 1",
        "not(@hint) and not(@hint = '') and not(@hint != '') and @checked = 'false'",
        "@index = 1 and @index = '1' and @index + 1 = 2",
    ] {
        yes(condition);
    }
    for condition in ["2", "0", "''", "none", "1 = 1 and 2 = 3", "true() and false()", "@text", "1 = '2'"] {
        if condition != "@text" {
            no(condition);
        }
    }
}

#[test]
fn what_names_nothing_by_mistake_is_refused() {
    let check = |xpath: &str, position: usize, expected: &str| {
        let error = XPath::parse(xpath).unwrap_err();
        assert!(error.expected.contains(expected), "{error}");
        assert_eq!(error.position, position, "{error}");
    };
    check("//*[@text=Save]", 10, "a text in quotes, such as 'Save'");
    check("//*[true=@enabled]", 4, "a text in quotes, such as 'true'");
    check("//*[contains(@text, Save)]", 20, "a text in quotes");
    check("//*[contains(., Save)]", 16, "a text in quotes");
    check("//*[text='Save']", 4, "@text");
    check("//*[@contentDescription='a']", 5, "content-desc");
    check("//*[lenght(@text)=1]", 4, "string-length");
    check("//*[beneath::*]", 4, "following-sibling");
    check("//*/namespace::*", 4, "ancestor-or-self");
    check("//*/comment()", 11, "a function stands around a path");
    check("//*/following::text()", 4, "text() behind /, // or descendant::");
    check("//*/@text", 0, "a path to widgets");
    check("//*/text()", 0, "a path to widgets");
    check("//* | //*/@text", 0, "a path to widgets");
    check("count(//*)", 0, "a path to widgets");
    check("//*[count(@text = 'a') = 1]", 10, "a path");
    check("//*['a' | //*]", 4, "a path");
    check("//*[contains(@text)]", 18, ",");
    check("//*[not(@text, 'a')]", 13, ")");
    check("//*[matches(@text, @class)]", 19, "a text in quotes, as a regular expression is one");
    check("//*[matches(@text, '(a')]", 19, "a regular expression (unclosed group)");
    check("//*[matches(@text, 'a', 'q')]", 24, "flags");
    check("//*['a'[1]]", 7, "and, or or ]");
    check("//x:*", 3, "a function stands around a path");
    check("//*[(1)/a]", 7, "and, or or ]");
}

#[test]
fn what_takes_too_long_is_given_up() {
    let screen = format!("FrameLayout\n{}", "  TextView \"a\"\n".repeat(600));
    let layout = layout_from(&screen);
    let slow = XPath::parse("//*[count(//*[count(//*[@text='b']) > 5]) > 5]").unwrap();
    let error = slow.try_select(&layout).unwrap_err().to_string();
    assert!(error.contains("after 50000000 steps on a screen of 601 widgets"), "{error}");
    assert_eq!(slow.given_up().map(|error| error.to_string()), Some(error));
    assert_eq!(slow.given_up(), None, "it is told once");
    for path in [
        "//*/following::*/preceding::*/following-sibling::*/preceding-sibling::*/..//*".repeat(40),
        "//*[.//*[..//*]]".into(),
    ] {
        XPath::parse(&path).unwrap().try_select(&layout).unwrap();
    }
}

#[test]
fn errors_tell_the_place() {
    let check = |xpath: &str, position: usize, expected: &str, found: &str| {
        let error = XPath::parse(xpath).unwrap_err();
        assert_eq!((error.position, &*error.expected, &*error.found), (position, expected, found), "{xpath}");
    };
    let step = "a class name, node, *, . or ..";
    let operand = "a path, @attribute, a position, a function or a text in quotes";
    check("", 0, operand, "the end");
    check("/", 1, step, "the end");
    check("//é[", 4, operand, "the end");
    check("//x[@text='a]", 13, "' after the text", "the end");
    check("//x[@text=a]", 10, "@attribute or a text in quotes, such as 'a'", "\"a\"");
    check("//x[1", 5, "and, or or ]", "the end");
    check("//x[@text='a' xor 1]", 14, "and, or or ]", "\"xor\"");
    check("//x]", 3, "/, //, [, | or the end", "\"]\"");
    check("(//x", 4, ")", "the end");
    check("//x[contains(@text 'a')]", 19, ",", "\"'\"");
    assert!(XPath::parse("//x[@txet='a']").unwrap_err().expected.contains("resource-id"));
    let deep = format!("//x[{}1{}]", "(".repeat(1000), ")".repeat(1000));
    assert_eq!(XPath::parse(&deep).unwrap_err().expected, "at most 32 nested parentheses and brackets");
    assert_eq!(XPath::parse(&"/x".repeat(3000)).unwrap_err().position, 4096);
}

/// The widgets on an axis of a widget, nearest first on axes that go backwards, as the definition of XPath has it.
fn naive(layout: &Layout, axis: &str, from: WidgetIdx) -> Vec<WidgetIdx> {
    if let Some(side) = Side::ALL.into_iter().find(|side| side.key() == axis) {
        let gap = |idx: WidgetIdx| side.gap(&layout.widget(from).bounds, &layout.widget(idx).bounds);
        let mut all: Vec<_> = layout.iter().filter_map(|(idx, _)| Some((gap(idx)?, idx))).collect();
        all.sort_unstable();
        return all.into_iter().map(|(_, idx)| idx).collect();
    }
    let parent = |idx: WidgetIdx| layout.widget(idx).parent;
    let within = |idx: WidgetIdx, around: WidgetIdx| layout.ancestors(idx).any(|above| above == around);
    let on = |idx: &WidgetIdx| match axis {
        "child" => parent(*idx) == Some(from),
        "parent" => parent(from) == Some(*idx),
        "descendant" => within(*idx, from),
        "descendant-or-self" => within(*idx, from) || *idx == from,
        "ancestor" => within(from, *idx),
        "ancestor-or-self" => within(from, *idx) || *idx == from,
        "following" => *idx > from && !within(*idx, from),
        "preceding" => *idx < from && !within(from, *idx),
        "following-sibling" => *idx > from && parent(*idx) == parent(from),
        "preceding-sibling" => *idx < from && parent(*idx) == parent(from),
        _ => *idx == from,
    };
    let mut all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).filter(on).collect();
    if axis.starts_with("ancestor") || axis.starts_with("preceding") {
        all.reverse();
    }
    all
}

/// Trees of two classes.
fn trees() -> impl Strategy<Value = Layout> {
    prop::collection::vec((0..6_usize, any::<bool>()), 1..24).prop_map(|lines| {
        let mut screen = String::from("FrameLayout\n");
        let mut depth = 0;
        for (deeper, button) in lines {
            depth = deeper.min(depth) + 1;
            screen += &format!("{}{}\n", "  ".repeat(depth), if button { "Button" } else { "Switch" });
        }
        layout_from(&screen)
    })
}

proptest! {
    #[test]
    fn every_axis_is_as_defined(layout in trees(), place in 1..4_usize) {
        let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        let class = |idx: &WidgetIdx| layout.widget(*idx).short_class() == "Button";
        for axis in syntax::Axis::ALL.map(syntax::Axis::word).into_iter().filter(|axis| *axis != "attribute") {
            let sets: Vec<Vec<WidgetIdx>> = all.iter().map(|from| naive(&layout, axis, *from)).collect();
            let check = |path: &str, mut expected: Vec<WidgetIdx>| {
                expected.sort_unstable();
                expected.dedup();
                let found = XPath::parse(path).unwrap().try_select(&layout).unwrap();
                assert_eq!(found, expected, "{path} on {layout:?}");
            };
            let buttons = sets.iter().map(|set| set.iter().copied().filter(class).collect::<Vec<_>>());
            let buttons: Vec<Vec<WidgetIdx>> = buttons.collect();
            let name = "android.widget.Button";
            check(&format!("//node/{axis}::{name}"), buttons.concat());
            let placed = buttons.iter().filter_map(|set| set.get(place - 1).copied());
            check(&format!("//node/{axis}::{name}[{place}]"), placed.collect());
            let having = all.iter().zip(&buttons).filter(|(_, set)| set.len() >= place);
            let having = having.map(|(idx, _)| *idx).collect();
            check(&format!("//node[count({axis}::{name}) >= {place}]"), having);
        }
    }
}
