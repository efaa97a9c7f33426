package org.taproof.agent;

import android.content.ClipData;

/** The clipboard, as the shell may use it. */
final class Clipboard {
    /** Returns the content, or null if there is none, and sets a new one unless that is null. */
    String exchange(String content) throws Exception {
        Object service = Services.clipboard();
        ClipData clip = (ClipData) Hidden.CLIP.call(service);
        boolean hasText = clip != null && clip.getItemCount() > 0 && clip.getItemAt(0).getText() != null;
        String before = hasText ? clip.getItemAt(0).getText().toString() : null;
        if (content != null) {
            Hidden.SET_CLIP.call(service, ClipData.newPlainText("", content));
        }
        return before;
    }
}
