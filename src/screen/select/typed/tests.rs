//! What people type, and what it names.

use crate::{Selector, WidgetIdx, layout_from};

const SCREEN: &str = "FrameLayout\n  Button#save \"Save it\" (Keep)\n  TextView#save_hint \"Not \"\n  \
                      EditText#title \"x\"\n";

fn check(query: &str, expected: &[u32]) {
    let named = Selector::search(query).unwrap().matches(&layout_from(SCREEN));
    assert_eq!(named, expected.iter().map(|idx| WidgetIdx(*idx)).collect::<Vec<_>>(), "{query}");
}

#[test]
fn queries_name_widgets() {
    check("", &[]);
    check("id:save", &[1]);
    check("ID:org.ex:id/save", &[1]);
    check("org.ex:id/save", &[1, 2]);
    check("SAVE", &[1, 2]);
    check("save keep", &[1]);
    check("text:\"Save it\"", &[1]);
    check("\"save it\"", &[1]);
    check("class:Button desc:Keep", &[1]);
    check("class:Button desc:Other", &[]);
    check("//android.widget.EditText", &[3]);
    check("//TextView/following-sibling::EditText | //Button", &[1, 3]);
    check("(//TextView | //Button)[1]", &[1]);
    check("( //Button )/..", &[0]);
    check("xpath:FrameLayout[count(TextView) = 1]", &[0]);
    check(".//EditText", &[3]);
    check("(save", &[]);
    check("class:EditText xpath://*[@text='x']", &[3]);
    check("xpath:\"//*[@text='x']\" class:Button", &[]);
    check("wörter \u{1f600}:", &[]);
    check("//Button", &[1]);
    check("id:save, text:\"Save it\", //Button", &[1]);
    check("id:save, class:Button", &[1]);
}

#[test]
fn what_other_tools_copy_names_widgets() {
    check("xpath=//android.widget.Button", &[1]);
    check("d.xpath('//*[@text=\"Save it\"]')", &[1]);
    check("d(resourceId=\"org.ex:id/save\", text='Save it')", &[1]);
    check("d(textContains=\"ave\")", &[1]);
    check("d(className=\"android.widget.TextView\", instance=0)", &[2]);
    check("d(className=\"android.widget.TextView\", instance=1)", &[]);
    check("new UiSelector().className(\"android.widget.Button\").description(\"Keep\")", &[1]);
    check("/hierarchy/android.widget.FrameLayout/android.widget.EditText[1]", &[3]);
    let error = Selector::search("d(blue=true)").unwrap_err().to_string();
    assert!(error.starts_with("\u{201c}blue\u{201d} is no attribute"), "{error}");
}

#[test]
fn what_is_no_query_says_why() {
    let say = |query: &str| Selector::search(query).unwrap_err().to_string();
    assert!(say("text:\"a").starts_with("a quote is not closed. Try a word"), "{}", say("text:\"a"));
    assert!(say("id:").starts_with("nothing stands behind \u{201c}id:\u{201d}"));
    assert!(say("//a[").contains("expected"), "{}", say("//a["));
    for odd in ["\"\\", "(/", "xpath:", "id: x", "\u{e4}\u{e4}", "te\u{1f600}xt:a", "\"", "::", "/"] {
        drop(Selector::search(odd).map(|query| query.matches(&layout_from(SCREEN))));
    }
}

const FORM: &str = "FrameLayout\n  RecyclerView#list\n    LinearLayout#row\n      TextView#label \"Name\"\n      \
                    EditText#field \"Pia\"\n    LinearLayout#row\n      TextView#label \"News by mail\"\n      \
                    Switch#news (News switch)\n  Button#save \"SAVE\" (Save changes)\n";

/// What a selector names on the form. A line break is written as `/n`.
fn on_form(text: &str) -> Result<Vec<u32>, String> {
    let selector = Selector::search(&text.replace("/n", "\n")).map_err(|error| error.to_string())?;
    Ok(selector.matches(&layout_from(FORM)).iter().map(|idx| idx.0).collect())
}

#[test]
fn selectors_of_other_tools_name_what_they_name_there() {
    for (text, expected) in [
        ("self.d(text='SAVE').click()", &[8][..]),
        ("d(textContains='mail', enabled=True)", &[6]),
        ("d(textStartsWith='news')", &[6]),
        ("d(resourceIdMatches='.*:id/l.*')", &[1, 3, 6]),
        ("d(resourceId='org.ex:id/label')[1]", &[6]),
        ("d(resourceId='org.ex:id/label')[-2].info['text']", &[3]),
        ("d(resourceId='org.ex:id/label', instance=1)", &[6]),
        ("d(resourceId='org.ex:id/list').child(text='Name')", &[3]),
        ("d(text='Name').sibling(className='android.widget.EditText')", &[4]),
        ("d(text='Name').down(className='android.widget.TextView')", &[6]),
        ("d(text='SAVE').up(resourceId='org.ex:id/label')", &[6]),
        ("d(resourceId='org.ex:id/list').child_by_text('Name', resourceId='org.ex:id/row')", &[2]),
        ("d(scrollable=True).scroll.to(text='SAVE')", &[8]),
        ("d.xpath('%mail%').get()", &[6]),
        ("d.xpath('@org.ex:id/row')[1]", &[5]),
        ("d.xpath('//*[@text=\"Pia\"]').parent()", &[2]),
        ("new UiSelector().className(\"android.widget.TextView\").instance(1)", &[6]),
        ("UiSelector().resourceId(\"org.ex:id/row\").childSelector(text(\"Pia\"))", &[4]),
        ("new UiSelector().text(\"Name\").fromParent(new UiSelector().index(1))", &[4]),
        (
            "new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text(\"SAVE\"));",
            &[8],
        ),
        ("mDevice.findObject(new UiSelector().textMatches(\"S.*\")).click();", &[8]),
        ("By.id(\"save\")", &[8]),
        ("AppiumBy.accessibilityId(\"Save changes\")", &[8]),
        ("AppiumBy.ID, 'org.ex:id/save'", &[8]),
        ("SAVE = (AppiumBy.ID, 'org.ex:id/save')", &[8]),
        ("driver.find_elements(by=AppiumBy.CLASS_NAME, value='android.widget.TextView')[1]", &[6]),
        (
            "WebElement row = driver.findElement(By.id(\"list\")).findElement(By.xpath(\".//*[@text='Pia']\"));",
            &[4],
        ),
        ("driver.findElementByAndroidUIAutomator(\"text(\\\"SAVE\\\")\")", &[8]),
        ("find_element(:accessibility_id, 'Save changes')", &[8]),
        (
            "new WebDriverWait(driver, 10).until(ExpectedConditions.visibilityOfElementLocated(By.id(\"save\")))",
            &[8],
        ),
        (
            "@AndroidFindBy(uiAutomator = \"new UiSelector().text(\\\"SAVE\\\")\") private WebElement save;",
            &[8],
        ),
        ("~Save changes", &[8]),
        ("await $('~Save changes').click()", &[8]),
        ("$$('android.widget.TextView')[1]", &[6]),
        ("$('android=new UiSelector().text(\"SAVE\")')", &[8]),
        ("accessibility_id=Save changes", &[8]),
        ("{\"using\": \"id\", \"value\": \"save\"}", &[8]),
        ("By.res(\"org.ex\", \"save\").clickable(true)", &[8]),
        ("By.clazz(\"android.widget\", \"LinearLayout\").hasDescendant(By.text(\"Pia\"))", &[2]),
        ("device.wait(Until.findObject(By.descContains(\"changes\")), 5000)", &[8]),
        ("device/n  .findObjects(By.clazz(TextView::class.java)).get(1)?.text", &[6]),
        ("By.text(Pattern.compile(\"save\", Pattern.CASE_INSENSITIVE))", &[8]),
        ("onView(allOf(withId(R.id.label), not(withText(containsString(\"mail\"))))).perform(click())", &[3]),
        ("onView(allOf(withId(R.id.label), hasSibling(withText(\"Pia\"))))", &[3]),
        ("composeTestRule.onAllNodesWithTag(\"label\")[1].performClick()", &[6]),
        ("element(by.id('label')).atIndex(1)", &[6]),
        ("id: \"save\"", &[8]),
        ("- tapOn: \"sav.\"", &[8]),
        ("tapOn:/n    id: label/n    index: 1/n    optional: true", &[6]),
        ("R.id.save", &[8]),
        ("android.widget.Switch", &[7]),
        ("resource-id=\"org.ex:id/label\" text=\"Name\"", &[3]),
        ("d(resourceId='org.ex:id/row') \\/n  .child(text='SA' 'VE')", &[]),
        ("d(resourceId='org.ex:id/row').child(index=\"1\")", &[4, 7]),
        ("d(resourceId='org.ex:id/list').child_by_description('witch', resourceId='org.ex:id/row')", &[5]),
        ("assert d(resourceId='org.ex:id/field').get_text() == 'Pia'", &[4]),
        ("'save': (AppiumBy.ID, 'org.ex:id/save'),", &[8]),
        ("[\"//android.widget.Switch\"]", &[7]),
        ("'new UiSelector().text(\"Name\")'/n  '.fromParent(new UiSelector().index(1))'", &[4]),
        ("private static final String SAVE=\"new UiSelector().text(\\\"SAVE\\\")\";", &[8]),
        (
            "(MobileElement) ((FindsByAndroidUIAutomator) driver).findElementByAndroidUIAutomator(\"text(\\\"SAVE\\\")\")",
            &[8],
        ),
        ("rows.getChildByText(new UiSelector().resourceId(\"org.ex:id/row\"), \"Name\")", &[2]),
        ("device.wait(Until.findObject(By.text(\"SAVE\")), 5 * 1000)", &[8]),
        ("By.text(Pattern.compile(\"sa.e\", Pattern.CASE_INSENSITIVE or Pattern.UNICODE_CASE))", &[8]),
        ("By.text(Pattern.compile(\"sa.e\", Pattern.DOTALL))", &[]),
        ("get save() { return $('~Save changes'); }", &[8]),
        ("this.save = () => $('~Save changes');", &[8]),
        ("private fun save(): UiObject2 = device.findObject(By.text(\"SAVE\"))", &[8]),
        ("def save(self):/n    return self.driver.find_element(AppiumBy.ID, 'save')", &[8]),
        ("waitForSave(By.text(\"SAVE\"), 5).click()", &[8]),
        ("is_shown(driver, AppiumBy.ID, 'save', 10)", &[8]),
        ("wait_for(by=AppiumBy.ID, value='save', timeout=10)", &[8]),
        (
            "@CacheLookup // once/n@iOSXCUITFindBy(id = \"a\")/n@AndroidFindBy(id = \"save\")/nprivate WebElement save;",
            &[8],
        ),
        ("- tapOn: Save changes # the button: at the bottom", &[8]),
        ("- tapOn: # below/n    id: 'save'", &[8]),
        ("tapOn: 'S''?AVE'", &[8]),
        ("device.findObject(By.text(\"SAVE\")) ?: error(\"gone\")", &[8]),
        ("device.wait(Until.findObject(By.text(\"SAVE\")), (end - now()).coerceAtLeast(1)) ?: break", &[8]),
        ("WebDriverWait(dr, 10).until(lambda d: d.find_element(AppiumBy.ID, 'save'))", &[8]),
        ("wait.until(driver -> driver.findElement(By.id(\"save\")))", &[8]),
        (
            "new UiScrollable(new UiSelector().scrollable(true)).scrollForward().scrollTextIntoView(\"SAVE\")",
            &[8],
        ),
        ("Target.the(\"button\").located(AppiumBy.id(\"save\"))", &[8]),
        ("get #save() { return $('~Save changes') }", &[8]),
        ("$('[resource-id=\"org.ex:id/label\"][text^=\"news\"]')", &[6]),
        ("android.widget.TextView[text='Name']", &[3]),
        ("Click Element    accessibility_id=Save changes    5", &[8]),
        ("${SAVE}\txpath=//*[@text='SAVE']", &[8]),
        ("...    save=id=org.ex:id/save", &[8]),
        ("locate(\"id=org.ex:id/save\")", &[8]),
        ("// driver.findElement(By.id(\"save\")).click();", &[8]),
        ("# d(text='SAVE').click()", &[8]),
        ("##save = d(text='SAVE')", &[8]),
        ("print(d(resourceId='org.ex:id/field').info['text'])", &[4]),
        ("for row in (d(resourceId='org.ex:id/row').all() or []):", &[2, 5]),
        ("device.findObject(By.text(\"SAVE\")).also { log(\"} $it\"); keep { it } }.click()", &[8]),
        ("device.findObject(By.text(\"SAVE\")) ?: return@measure // not there", &[8]),
        ("if not d(text='SAVE').exists(timeout=2):", &[8]),
        ("while (device.findObject(By.text(\"SAVE\")) != null) {", &[8]),
        ("for row in d(resourceId='org.ex:id/row').all():", &[2, 5]),
        ("if driver.find_elements(AppiumBy.ID, 'save').size() > 0 {", &[8]),
        ("save = wait.until { @driver.find_element(:id, 'save') rescue nil }", &[8]),
        ("find_elements(:id, 'label').last", &[6]),
        ("@AndroidBy(id = \"save\") WebElement save;", &[8]),
        ("@AndroidFindBys({@AndroidBy(id = \"list\"), @AndroidBy(id = \"news\")})", &[7]),
        (
            "@AndroidFindAll({@AndroidBy(id = \"news\"), @AndroidBy(accessibility = \"Save changes\")})",
            &[7, 8],
        ),
    ] {
        assert_eq!(on_form(text), Ok(expected.to_vec()), "{text}");
    }
}

#[test]
fn what_looks_like_code_is_refused_with_the_reason() {
    for (text, reason) in [
        ("d(text=NAME)", "\u{201c}NAME\u{201d} stands for a value"),
        ("d(text=f\"{name}\")", "stands for a value"),
        ("d(text=\"a\" + name)", "stands for a value"),
        ("d(text='a').swallow()", "character 13: what \u{201c}.swallow\u{201d} leads to is not known"),
        ("d(text='a', instance=0)[1]", "two indices"),
        ("d(text='a')[1:2]", "] is expected"),
        ("d(textMatches='(?=a)')", "look-around"),
        ("d(text='a'", ") is expected, not the end"),
        ("By.res(PACKAGE, \"save\")", "\u{201c}PACKAGE\u{201d} stands for a value"),
        ("driver.find_element(By.CSS_SELECTOR, '#save')", "looks into a web page"),
        ("$('h2.title a')", "looks into a web page"),
        ("#save", "looks like CSS"),
        ("@iOSXCUITFindBy(id = \"a\")", "is for iOS"),
        ("-ios predicate string:name == 'a'", "is for iOS"),
        ("onView(withText(R.string.save))", "the text of a resource is not known"),
        ("onView(withTagValue(is(\"a\")))", "cannot be seen in a layout"),
        ("tapOn:/n  below: \"Name\"", "understood in a flow only"),
        ("- tapOn:/n    text: SAVE/n    childOf:/n      id: label", "understood in a flow only"),
        ("- tapOn: Name/n- tapOn: SAVE", "several commands"),
        ("tapOn: (?!a).*", "looks ahead"),
        ("tapOn: ${NAME}", "has a variable"),
        ("@AndroidFindBy(id = \"label\") @AndroidFindBy(id = \"save\")", "several annotations"),
        ("parentOf(By.id(\"save\"))", "of no tool that is known"),
        ("$('android.widget.Switch[@text=\"a\"]')", "an XPath without its beginning"),
        ("$('[colour=\"red\"]')", "no attribute of a dump"),
        ("d(text='a').click().child(text='b')", "what \u{201c}.child\u{201d} leads to"),
        ("By.text(\"a\").instance(2 * 3)", "leads to"),
        ("getElement(By.id(\"save\"), 2)", "of no tool that is known"),
        ("isEqual(By.id(\"save\"), By.id(\"label\"))", "of no tool that is known"),
        ("(d(text='a') or d(text='b')).click()", ") is expected, not \u{201c}or\u{201d}"),
        ("By.text(\"a\").let { it.parent }", "is not understood here"),
        ("By.text(\"a\").also { it", "is not understood here"),
        ("d(text='a').exists or d(text='b').exists", "\u{201c}or\u{201d} is not understood"),
        ("d(text='a').get_text() == d(text='b').get_text()", "two values"),
        ("row.findElement(By.xpath(\"./ancestor::*[1]\"))", "a widget that is not named here"),
        ("By.text(Pattern.compile(\"a\", Pattern.COMMENTS))", "no flag of a pattern"),
        ("- inputText: ${NAME}", "without a widget"),
        ("Hello ${NAME}", ""),
        ("page.getByText('Save')", "of no tool that is known"),
        ("device/n  .findObject(By.res(PKG))", "line 2, character"),
    ] {
        let error = on_form(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let deep = format!("d({}", "(".repeat(10_000));
    assert!(on_form(&deep).is_err());
}

#[test]
fn rules_take_selectors_but_no_words() {
    let named = |text: &str| Selector::parse(text).map(|selector| selector.matches(&layout_from(FORM)).len());
    assert_eq!(named("d(text='SAVE')"), Ok(1));
    assert_eq!(named("org.ex:id/label"), Ok(2));
    assert_eq!(named("android.widget.FrameLayout/android.widget.Button"), Ok(1));
    assert!(named("save").unwrap_err().to_string().starts_with("\u{201c}save\u{201d} is a word"));
    assert!(named(" ").is_err());
    // What is stored is the XPath, which means the same when it is read again.
    let selector = Selector::parse("d(text='SAVE')").unwrap();
    let stored = serde_json::to_string(&selector).unwrap();
    assert_eq!(serde_json::from_str::<Selector>(&stored).unwrap(), selector);
}
