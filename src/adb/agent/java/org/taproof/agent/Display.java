package org.taproof.agent;

import android.os.Build;

/** The size and the rotation of the screen at one moment. */
final class Display {
    final int width;
    final int height;
    /** Quarter turns. */
    final int rotation;
    /** To what dumps clip the bounds of widgets: the part that apps have, since Android 14 the whole screen. */
    final Area dumped;

    private Display(int width, int height, int rotation, Area dumped) {
        this.width = width;
        this.height = height;
        this.rotation = rotation;
        this.dumped = dumped;
    }

    static Display read() throws Exception {
        Object info = Hidden.DISPLAY_INFO.call(Hidden.DISPLAYS.call(null));
        if (info == null) {
            throw new Failure(Failure.Kind.OTHER, "the device has no display");
        }
        int width = (Integer) Hidden.DISPLAY_WIDTH.get(info);
        int height = (Integer) Hidden.DISPLAY_HEIGHT.get(info);
        Area dumped = new Area(0, 0, width, height);
        if (Build.VERSION.SDK_INT < 34) {
            dumped = new Area(0, 0, (Integer) Hidden.APP_WIDTH.get(info), (Integer) Hidden.APP_HEIGHT.get(info));
        }
        return new Display(width, height, (Integer) Hidden.ROTATION.get(info), dumped);
    }
}
