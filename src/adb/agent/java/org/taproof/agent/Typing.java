package org.taproof.agent;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;

/**
 * Types text, by the first method that works. A device may report a key as delivered although nothing arrives, so the
 * field is read after each attempt.
 */
final class Typing {
    /** What typing needs of the device. */
    interface Source {
        int sdk();

        /** The field that has the input focus, or null. */
        AccessibilityNodeInfo focusedField() throws Exception;

        /** The field at a point, or null. */
        AccessibilityNodeInfo fieldAt(int x, int y) throws Exception;

        /** Presses the keys for a text. Returns false if it has a character without a key, or Android refused. */
        boolean press(String text);

        boolean pressDelete();

        /** Returns the content of the clipboard, or null, and sets a new one unless that is null. */
        String exchangeClipboard(String content) throws Exception;

        long now();

        void pause(long millis) throws InterruptedException;
    }

    /** Limit on the time until a text shows up in its field. */
    private static final long ARRIVAL_MILLIS = 400;
    private static final long PAUSE_MILLIS = 20;
    /** Classes of the input type of fields that do not accept any character: numbers, phone numbers, dates. */
    private static final int TYPE_CLASS = 0xf;
    private static final int TEXT_CLASS = 1;

    private final Source source;
    /** Whether fields can be told their text. */
    private final boolean setsTexts;
    /** Whether fields say if their text is a hint. */
    private final boolean tellsHints;

    Typing(Source source) {
        this.source = source;
        setsTexts = source.sdk() >= 21;
        tellsHints = source.sdk() >= 26;
    }

    /** Types at the cursor of the field that has the focus. */
    Seen.Typed type(String text) throws Exception {
        AccessibilityNodeInfo field = source.focusedField();
        if (field == null) {
            // What draws its own fields, such as a game, has none to read.
            boolean pressed = source.press(text);
            return new Seen.Typed(pressed ? Seen.TypedBy.KEYS : Seen.TypedBy.NOTHING, null);
        }
        String before = shown(field);
        Change change = new Change(field, before, null);
        if (text.isEmpty() || source.press(text) && change.arrived()) {
            return new Seen.Typed(Seen.TypedBy.KEYS, shown(field));
        }
        // Before hints can be told from texts, an empty field's hint would be kept as text.
        if (tellsHints && insert(field, before, text) && change.arrived()) {
            return new Seen.Typed(Seen.TypedBy.SET_TEXT, shown(field));
        }
        boolean pasted = paste(field, text) && change.arrived();
        return new Seen.Typed(pasted ? Seen.TypedBy.PASTE : Seen.TypedBy.NOTHING, shown(field));
    }

    /** Replaces the content of the field at a point. Returns null if there is none. */
    Seen.Typed setText(int x, int y, String text) throws Exception {
        AccessibilityNodeInfo field = source.fieldAt(x, y);
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
        // Before fields could be told their text: pasted at once, where keys take long for each letter.
        if (!restricted && !setsTexts && pasteOver(field, text) && change.arrived()) {
            return Seen.TypedBy.PASTE;
        }
        selectAll(field);
        if (pressOver(text) && change.arrived()) {
            return Seen.TypedBy.KEYS;
        }
        if (pasteOver(field, text) && change.arrived()) {
            return Seen.TypedBy.PASTE;
        }
        boolean set = restricted && setText(field, text) && change.arrived();
        return set ? Seen.TypedBy.SET_TEXT : Seen.TypedBy.NOTHING;
    }

    private static boolean isRestricted(AccessibilityNodeInfo field) {
        return (field.getInputType() & TYPE_CLASS) > TEXT_CLASS;
    }

    /** What a field showed before, to see whether a text has arrived. */
    private final class Change {
        private final AccessibilityNodeInfo field;
        private final String before;
        private final String wanted;

        /** With the whole content that is wanted, or null if any change will do. */
        Change(AccessibilityNodeInfo field, String before, String wanted) {
            this.field = field;
            this.before = before;
            this.wanted = wanted;
        }

        /** Of a password only the length can be seen. */
        private boolean isWanted(String now) {
            boolean sameLength = wanted != null && now.length() == wanted.length();
            return now.equals(wanted) || sameLength && field.isPassword();
        }

        boolean arrived() throws InterruptedException {
            long deadline = source.now() + ARRIVAL_MILLIS;
            while (true) {
                boolean there = field.refresh();
                String now = shown(field);
                if (!there || !now.equals(before) || isWanted(now)) {
                    return there;
                }
                if (source.now() >= deadline) {
                    return false;
                }
                source.pause(PAUSE_MILLIS);
            }
        }
    }

    /** What the field shows; a hint counts as nothing where it can be told. */
    private String shown(AccessibilityNodeInfo field) {
        boolean hint = tellsHints && field.isShowingHintText();
        return hint ? "" : Automation.text(field.getText());
    }

    /** Sets the text with what is typed in place of the selection, and moves the cursor behind it. */
    private boolean insert(AccessibilityNodeInfo field, String before, String text) {
        int end = Math.max(field.getTextSelectionStart(), field.getTextSelectionEnd());
        int start = Math.min(field.getTextSelectionStart(), field.getTextSelectionEnd());
        if (start < 0 || end > before.length()) {
            start = before.length();
            end = start;
        }
        if (!setText(field, before.substring(0, start) + text + before.substring(end))) {
            return false;
        }
        select(field, start + text.length(), start + text.length());
        return true;
    }

    private boolean setText(AccessibilityNodeInfo field, String text) {
        if (!setsTexts) {
            return false;
        }
        Bundle arguments = new Bundle();
        arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
        return field.performAction(AccessibilityNodeInfo.ACTION_SET_TEXT, arguments);
    }

    /** Types over what is selected. */
    private boolean pressOver(String text) {
        return text.isEmpty() ? source.pressDelete() : source.press(text);
    }

    private boolean paste(AccessibilityNodeInfo field, String text) throws Exception {
        String before = source.exchangeClipboard(text);
        boolean pasted = field.performAction(AccessibilityNodeInfo.ACTION_PASTE);
        source.exchangeClipboard(Automation.text(before));
        return pasted;
    }

    /** Puts the text in place of the whole content. */
    private boolean pasteOver(AccessibilityNodeInfo field, String text) throws Exception {
        selectAll(field);
        return text.isEmpty() ? cut(field) : paste(field, text);
    }

    private boolean cut(AccessibilityNodeInfo field) throws Exception {
        String before = source.exchangeClipboard(null);
        boolean cut = field.performAction(AccessibilityNodeInfo.ACTION_CUT);
        source.exchangeClipboard(Automation.text(before));
        return cut;
    }

    private void selectAll(AccessibilityNodeInfo field) {
        field.refresh();
        select(field, 0, shown(field).length());
    }

    private static void select(AccessibilityNodeInfo field, int from, int to) {
        Bundle arguments = new Bundle();
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT, from);
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT, to);
        field.performAction(AccessibilityNodeInfo.ACTION_SET_SELECTION, arguments);
    }
}
