package org.taproof.agent;

/** The size and the rotation of the screen at one moment. */
final class Display {
    final int width;
    final int height;
    /** Quarter turns. */
    final int rotation;
    /** The part that apps have, to which dumps clip the bounds of widgets. */
    final Area appArea;

    private Display(int width, int height, int rotation, Area appArea) {
        this.width = width;
        this.height = height;
        this.rotation = rotation;
        this.appArea = appArea;
    }

    static Display read() throws Exception {
        Object info = Hidden.DISPLAY_INFO.call(Hidden.DISPLAYS.call(null));
        if (info == null) {
            throw new Failure(Failure.Kind.OTHER, "the device has no display");
        }
        Area appArea = new Area(0, 0, (Integer) Hidden.APP_WIDTH.get(info), (Integer) Hidden.APP_HEIGHT.get(info));
        return new Display((Integer) Hidden.DISPLAY_WIDTH.get(info), (Integer) Hidden.DISPLAY_HEIGHT.get(info),
                (Integer) Hidden.ROTATION.get(info), appArea);
    }
}
