package org.taproof.agent;

import android.os.Build;
import android.os.Bundle;
import android.os.SystemClock;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/**
 * Types text, by the first method that works. A device may report a key as delivered although nothing arrives, so the
 * field is read after each attempt.
 */
final class Typing {
    /** Limit on the time until a text shows up in its field. */
    private static final long ARRIVAL_MILLIS = 400;
    private static final long PAUSE_MILLIS = 20;
    private static final int VIRTUAL_KEYBOARD = -1;
    /** Classes of the input type of fields that do not accept any character: numbers, phone numbers, dates. */
    private static final int TYPE_CLASS = 0xf;
    private static final int TEXT_CLASS = 1;

    private final Automation automation;
    private final Touches touches;
    private final Clipboard clipboard;

    Typing(Automation automation, Touches touches, Clipboard clipboard) {
        this.automation = automation;
        this.touches = touches;
        this.clipboard = clipboard;
    }

    /** Types at the cursor of the field that has the focus. */
    Seen.Typed type(String text) throws Exception {
        AccessibilityNodeInfo field = automation.focusedField();
        if (field == null) {
            // What draws its own fields, such as a game, has none to read.
            boolean pressed = press(text);
            return new Seen.Typed(pressed ? Seen.TypedBy.KEYS : Seen.TypedBy.NOTHING, null);
        }
        String before = shown(field);
        Change change = new Change(field, before, null);
        if (text.isEmpty() || press(text) && change.arrived()) {
            return new Seen.Typed(Seen.TypedBy.KEYS, shown(field));
        }
        // Before hints can be told from texts, an empty field's hint would be kept as text.
        boolean inserts = Layouts.tellsHints();
        if (inserts && setText(field, inserted(field, before, text)) && change.arrived()) {
            select(field, cursor(field, before) + text.length());
            return new Seen.Typed(Seen.TypedBy.SET_TEXT, shown(field));
        }
        boolean pasted = paste(field, text) && change.arrived();
        return new Seen.Typed(pasted ? Seen.TypedBy.PASTE : Seen.TypedBy.NOTHING, shown(field));
    }

    /** Replaces the content of the field at a point. Returns null if there is none. */
    Seen.Typed setText(int x, int y, String text) throws Exception {
        automation.clearCache();
        AccessibilityNodeInfo field = Layouts.fieldAt(automation.root(), x, y);
        if (field == null) {
            return null;
        }
        if (!field.isFocused()) {
            field.performAction(AccessibilityNodeInfo.ACTION_FOCUS);
            field.refresh();
        }
        Seen.TypedBy by = replace(field, text);
        return new Seen.Typed(by, shown(field));
    }

    private Seen.TypedBy replace(AccessibilityNodeInfo field, String text) throws Exception {
        Change change = new Change(field, shown(field), text);
        // Setting the text passes by what a keyboard for numbers cannot type, so keys come first there.
        boolean restricted = isRestricted(field);
        if (!restricted && setText(field, text) && change.arrived()) {
            return Seen.TypedBy.SET_TEXT;
        }
        selectAll(field);
        if (pressOver(text) && change.arrived()) {
            return Seen.TypedBy.KEYS;
        }
        selectAll(field);
        boolean replaced = text.isEmpty() ? cut(field) : paste(field, text);
        if (replaced && change.arrived()) {
            return Seen.TypedBy.PASTE;
        }
        boolean set = restricted && setText(field, text) && change.arrived();
        return set ? Seen.TypedBy.SET_TEXT : Seen.TypedBy.NOTHING;
    }

    private static boolean isRestricted(AccessibilityNodeInfo field) {
        return (field.getInputType() & TYPE_CLASS) > TEXT_CLASS;
    }

    /** What a field showed before, to see whether a text has arrived. */
    private static final class Change {
        private final AccessibilityNodeInfo field;
        private final String before;
        private final String wanted;

        /** With the whole content that is wanted, or null if any change will do. */
        Change(AccessibilityNodeInfo field, String before, String wanted) {
            this.field = field;
            this.before = before;
            this.wanted = wanted;
        }

        boolean arrived() throws InterruptedException {
            long deadline = SystemClock.uptimeMillis() + ARRIVAL_MILLIS;
            while (true) {
                boolean there = field.refresh();
                String now = shown(field);
                if (!there || !now.equals(before) || now.equals(wanted)) {
                    return there;
                }
                if (SystemClock.uptimeMillis() >= deadline) {
                    return false;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** What the field shows; a hint counts as nothing where it can be told. */
    private static String shown(AccessibilityNodeInfo field) {
        boolean hint = Layouts.tellsHints() && field.isShowingHintText();
        return hint ? "" : Automation.text(field.getText());
    }

    private static int cursor(AccessibilityNodeInfo field, String before) {
        int end = field.getTextSelectionEnd();
        return end < 0 || end > before.length() ? before.length() : end;
    }

    private static String inserted(AccessibilityNodeInfo field, String before, String text) {
        int at = cursor(field, before);
        return before.substring(0, at) + text + before.substring(at);
    }

    private boolean setText(AccessibilityNodeInfo field, String text) {
        if (Build.VERSION.SDK_INT < 21) {
            return false;
        }
        Bundle arguments = new Bundle();
        arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
        return field.performAction(AccessibilityNodeInfo.ACTION_SET_TEXT, arguments);
    }

    private boolean press(String text) {
        KeyEvent[] events = KeyCharacterMap.load(VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
        return events != null && touches.keys(events);
    }

    /** Types over what is selected. */
    private boolean pressOver(String text) {
        return text.isEmpty() ? touches.key(KeyEvent.KEYCODE_DEL, 0) : press(text);
    }

    private boolean paste(AccessibilityNodeInfo field, String text) throws Exception {
        String before = clipboard.exchange(text);
        boolean pasted = field.performAction(AccessibilityNodeInfo.ACTION_PASTE);
        clipboard.exchange(Automation.text(before));
        return pasted;
    }

    private boolean cut(AccessibilityNodeInfo field) throws Exception {
        String before = clipboard.exchange(null);
        boolean cut = field.performAction(AccessibilityNodeInfo.ACTION_CUT);
        clipboard.exchange(Automation.text(before));
        return cut;
    }

    private static void selectAll(AccessibilityNodeInfo field) {
        field.refresh();
        select(field, 0, shown(field).length());
    }

    private static void select(AccessibilityNodeInfo field, int at) {
        select(field, at, at);
    }

    private static void select(AccessibilityNodeInfo field, int from, int to) {
        Bundle arguments = new Bundle();
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT, from);
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT, to);
        field.performAction(AccessibilityNodeInfo.ACTION_SET_SELECTION, arguments);
    }
}
