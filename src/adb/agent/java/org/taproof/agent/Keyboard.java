package org.taproof.agent;

import android.os.IBinder;
import android.os.ParcelFileDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the keyboard on devices before Android 5, whose accessibility services see only one window. */
final class Keyboard {
    private static final Pattern PART = Pattern.compile("\\((-?\\d+),(-?\\d+),(-?\\d+),(-?\\d+)\\)");
    private static final String REGION = "touchable region=SkRegion(";

    /** The area in which the keyboard takes touches, or null if it is hidden. */
    Area area() throws Exception {
        if (!dump("input_method").contains("mInputShown=true")) {
            return null;
        }
        return region(dump("window", "InputMethod"));
    }

    /** The bounding box of the region of touches in the state of the keyboard's window, or null. */
    static Area region(String state) {
        int window = state.indexOf(" InputMethod}");
        int start = window < 0 ? -1 : state.indexOf(REGION, window);
        if (start < 0) {
            return null;
        }
        int end = state.indexOf('\n', start);
        Matcher parts = PART.matcher(state.substring(start + REGION.length(), end < 0 ? state.length() : end));
        Area region = null;
        while (parts.find()) {
            Area part = new Area(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)),
                    Integer.parseInt(parts.group(3)), Integer.parseInt(parts.group(4)));
            region = region == null ? part : region.with(part);
        }
        return region == null || region.isEmpty() ? null : region;
    }

    /** What {@code dumpsys} prints of a service, without its process. */
    private static String dump(String service, String... arguments) throws Exception {
        IBinder binder = Services.binder(service);
        ParcelFileDescriptor[] pipe = ParcelFileDescriptor.createPipe();
        InputStream in = new ParcelFileDescriptor.AutoCloseInputStream(pipe[0]);
        try {
            binder.dumpAsync(pipe[1].getFileDescriptor(), arguments);
            pipe[1].close();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                out.write(part, 0, count);
            }
            return out.toString("UTF-8");
        } finally {
            in.close();
        }
    }
}
