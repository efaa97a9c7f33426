package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;

final class TypingTest {
    private static final int NUMBER = 2;

    private TypingTest() {
    }

    /** A device with one field, which loses what its flags say. */
    private static final class Device extends FakeNode implements Typing.Source {
        final int sdk;
        String content;
        int from;
        int to;
        String clipboard = "mine";
        boolean focused = true;
        boolean losesKeys;
        boolean refusesSetText;
        boolean refusesPaste;
        boolean password;
        int inputType = 1;
        long now = 1000;

        Device(int sdk, String content) {
            this.sdk = sdk;
            this.content = content;
            from = content.length();
            to = from;
            editable = true;
        }

        private void insert(String text) {
            content = content.substring(0, from) + text + content.substring(to);
            from += text.length();
            to = from;
        }

        @Override
        public int sdk() {
            return sdk;
        }

        @Override
        public AccessibilityNodeInfo focusedField() {
            return focused ? this : null;
        }

        @Override
        public AccessibilityNodeInfo fieldAt(int x, int y) {
            return x == 1 ? this : null;
        }

        @Override
        public boolean press(String text) {
            for (int at = 0; at < text.length(); at++) {
                if (text.charAt(at) > '~') {
                    return false;
                }
            }
            if (!losesKeys) {
                insert(inputType == NUMBER ? text.replaceAll("[^0-9]", "") : text);
            }
            return true;
        }

        @Override
        public boolean pressDelete() {
            if (!losesKeys) {
                insert("");
            }
            return true;
        }

        @Override
        public String exchangeClipboard(String text) {
            String before = clipboard;
            clipboard = text == null ? clipboard : text;
            return before;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public void pause(long millis) {
            now += millis;
        }

        @Override
        public boolean refresh() {
            return true;
        }

        @Override
        public CharSequence getText() {
            String shown = password ? content.replaceAll(".", "*") : content;
            return content.isEmpty() && hint != null ? hint : shown;
        }

        @Override
        public boolean isShowingHintText() {
            return content.isEmpty() && hint != null;
        }

        @Override
        public boolean isPassword() {
            return password;
        }

        @Override
        public boolean isFocused() {
            return focused;
        }

        @Override
        public int getInputType() {
            return inputType;
        }

        @Override
        public int getTextSelectionStart() {
            return from;
        }

        @Override
        public int getTextSelectionEnd() {
            return to;
        }

        @Override
        public boolean performAction(int action) {
            if (action == ACTION_PASTE && !refusesPaste) {
                insert(clipboard);
            } else if (action == ACTION_CUT && !refusesPaste) {
                clipboard = content.substring(from, to);
                insert("");
            } else if (action == ACTION_FOCUS) {
                focused = true;
            } else {
                return false;
            }
            return true;
        }

        @Override
        public boolean performAction(int action, Bundle arguments) {
            if (action == ACTION_SET_TEXT) {
                if (refusesSetText) {
                    return false;
                }
                content = arguments.getString(ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE);
                from = 0;
                to = 0;
                return true;
            }
            int start = arguments.getInt(ACTION_ARGUMENT_SELECTION_START_INT);
            int end = arguments.getInt(ACTION_ARGUMENT_SELECTION_END_INT);
            if (end > content.length()) {
                return false;
            }
            from = start;
            to = end;
            return true;
        }
    }

    private static void check(Seen.TypedBy by, String content, Device device, Seen.Typed typed) {
        equal(by, typed.by);
        equal(content, device.content);
        equal("mine", device.clipboard);
    }

    private static void types(Seen.TypedBy by, String content, Device device, String text) throws Exception {
        Seen.Typed typed = new Typing(device).type(text);
        check(by, content, device, typed);
        equal(content, typed.shows);
    }

    private static void sets(Seen.TypedBy by, String content, Device device, String text) throws Exception {
        check(by, content, device, new Typing(device).setText(1, 0, text));
    }

    public static void textIsTypedByKeysWhereTheyArrive() throws Exception {
        types(Seen.TypedBy.KEYS, "ab", new Device(19, "a"), "b");
        types(Seen.TypedBy.KEYS, "ab", new Device(34, "a"), "b");
        types(Seen.TypedBy.KEYS, "a", new Device(34, "a"), "");
    }

    public static void textWithoutKeysIsSetOrPasted() throws Exception {
        types(Seen.TypedBy.PASTE, "a\u00fc", new Device(19, "a"), "\u00fc");
        types(Seen.TypedBy.PASTE, "a\u00fc", new Device(21, "a"), "\u00fc");
        types(Seen.TypedBy.SET_TEXT, "a\u00fc", new Device(26, "a"), "\u00fc");
        Device empty = new Device(26, "");
        empty.hint = "Name";
        types(Seen.TypedBy.SET_TEXT, "\u00fc", empty, "\u00fc");
    }

    public static void theCursorEndsBehindASetText() throws Exception {
        Device device = new Device(26, "ab");
        device.from = 1;
        device.to = 1;
        types(Seen.TypedBy.SET_TEXT, "a\u00fcb", device, "\u00fc");
        equal(2, device.to);
        Device selected = new Device(26, "abc");
        selected.from = 1;
        selected.to = 2;
        types(Seen.TypedBy.SET_TEXT, "a\u00fcc", selected, "\u00fc");
    }

    public static void keysThatDoNotArriveAreNoticed() throws Exception {
        Device device = new Device(19, "a");
        device.losesKeys = true;
        types(Seen.TypedBy.PASTE, "ab", device, "b");
        device.refusesPaste = true;
        types(Seen.TypedBy.NOTHING, "ab", device, "c");
    }

    public static void whatHasNoFieldGetsKeys() throws Exception {
        Device device = new Device(19, "");
        device.focused = false;
        Seen.Typed typed = new Typing(device).type("b");
        equal(Seen.TypedBy.KEYS, typed.by);
        equal(null, typed.shows);
        equal(Seen.TypedBy.NOTHING, new Typing(device).type("\u00fc").by);
    }

    public static void aFieldIsToldItsTextWhereThatIsPossible() throws Exception {
        Device device = new Device(21, "old");
        device.focused = false;
        sets(Seen.TypedBy.SET_TEXT, "\u00fc", device, "\u00fc");
        equal(true, device.focused);
        sets(Seen.TypedBy.SET_TEXT, "", new Device(21, "old"), "");
        sets(Seen.TypedBy.SET_TEXT, "old", new Device(21, "old"), "old");
    }

    public static void anOldFieldIsSelectedAndPastedOver() throws Exception {
        sets(Seen.TypedBy.PASTE, "new", new Device(19, "old"), "new");
        sets(Seen.TypedBy.PASTE, "", new Device(19, "old"), "");
        sets(Seen.TypedBy.PASTE, "\u00fc", new Device(19, "old"), "\u00fc");
        Device device = new Device(19, "old");
        device.refusesPaste = true;
        sets(Seen.TypedBy.KEYS, "new", device, "new");
        device.losesKeys = true;
        sets(Seen.TypedBy.NOTHING, "new", device, "more");
    }

    public static void anOldFieldForNumbersGetsKeys() throws Exception {
        Device device = new Device(19, "7");
        device.inputType = NUMBER;
        sets(Seen.TypedBy.KEYS, "12", device, "1a2");
    }

    public static void aFieldForNumbersGetsWhatAKeyboardCanType() throws Exception {
        Device device = new Device(34, "7");
        device.inputType = NUMBER;
        sets(Seen.TypedBy.KEYS, "12", device, "1a2");
    }

    public static void aPasswordIsKnownByItsLength() throws Exception {
        Device device = new Device(21, "abc");
        device.password = true;
        sets(Seen.TypedBy.SET_TEXT, "xyz", device, "xyz");
    }

    public static void aPointWithoutAFieldIsSaid() throws Exception {
        equal(null, new Typing(new Device(19, "")).setText(5, 5, "a"));
    }
}
