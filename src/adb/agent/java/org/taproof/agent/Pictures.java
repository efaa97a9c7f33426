package org.taproof.agent;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Build;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Takes pictures of the screen. */
final class Pictures {
    private static final int BYTES_PER_PIXEL = 4;
    /** Formats of pixels in the output of {@code screencap}. */
    private static final int RGBA = 1;
    private static final int RGBX = 2;
    private static final int RGB_565 = 4;
    private static final int MOST_PIXELS = Frames.MOST_ANSWERED / BYTES_PER_PIXEL;

    private final UiAutomation ui;
    /** Whether Android gave no picture, as with a screen that is drawn without a graphics processor. */
    private boolean byCommand;
    private ByteBuffer pixels = ByteBuffer.allocate(0);

    Pictures(UiAutomation ui) {
        this.ui = ui;
    }

    /** Raw (width, height, then red, green, blue and alpha of each pixel) with quality 0, else JPEG. */
    synchronized byte[] picture(int quality, int width) throws Exception {
        Bitmap bitmap = scaled(take(), width);
        try {
            if (quality == 0) {
                return raw(bitmap);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(65536);
            bitmap.compress(Bitmap.CompressFormat.JPEG, quality, out);
            return out.toByteArray();
        } finally {
            bitmap.recycle();
        }
    }

    private static Bitmap scaled(Bitmap bitmap, int width) {
        if (width == 0 || width >= bitmap.getWidth()) {
            return bitmap;
        }
        int height = Math.max(1, (int) ((long) bitmap.getHeight() * width / bitmap.getWidth()));
        Bitmap scaled = Bitmap.createScaledBitmap(bitmap, width, height, true);
        bitmap.recycle();
        return scaled;
    }

    private byte[] raw(Bitmap bitmap) {
        ByteBuffer read = pixels(bitmap);
        ByteBuffer raw = ByteBuffer.allocate(8 + read.remaining());
        raw.putInt(bitmap.getWidth()).putInt(bitmap.getHeight()).put(read);
        return raw.array();
    }

    /** The checksum of the picture, never 0, which stands for none. */
    synchronized int hash() throws Exception {
        Bitmap bitmap = take();
        try {
            ByteBuffer read = pixels(bitmap);
            CRC32 crc = new CRC32();
            crc.update(read.array(), 0, read.remaining());
            int hash = (int) crc.getValue();
            return hash == 0 ? 1 : hash;
        } finally {
            bitmap.recycle();
        }
    }

    private ByteBuffer pixels(Bitmap bitmap) {
        int size = bitmap.getWidth() * bitmap.getHeight() * BYTES_PER_PIXEL;
        if (pixels.capacity() != size) {
            pixels = ByteBuffer.allocate(size);
        }
        pixels.clear();
        bitmap.copyPixelsToBuffer(pixels);
        pixels.flip();
        return pixels;
    }

    /** Takes a picture with four bytes for each pixel. */
    private Bitmap take() throws Exception {
        if (!byCommand) {
            Bitmap taken = ui.takeScreenshot();
            if (taken != null) {
                return inMemory(taken);
            }
        }
        Bitmap taken = inMemory(byCommand());
        byCommand = true;
        return taken;
    }

    private static Bitmap inMemory(Bitmap bitmap) {
        if (bitmap.getConfig() == Bitmap.Config.ARGB_8888) {
            return bitmap;
        }
        Bitmap copy = bitmap.copy(Bitmap.Config.ARGB_8888, false);
        bitmap.recycle();
        return copy;
    }

    private static Bitmap byCommand() throws Exception {
        Process process = new ProcessBuilder("/system/bin/screencap").start();
        try {
            return read(new DataInputStream(new BufferedInputStream(process.getInputStream(), 65536)));
        } catch (IOException e) {
            throw new Failure(Failure.Kind.UNSUPPORTED, "this screen cannot be taken as a picture: " + e);
        } finally {
            process.destroy();
        }
    }

    private static Bitmap read(DataInputStream in) throws IOException {
        int width = Integer.reverseBytes(in.readInt());
        int height = Integer.reverseBytes(in.readInt());
        int format = Integer.reverseBytes(in.readInt());
        if (Build.VERSION.SDK_INT >= 26) {
            in.readInt(); // The colour space.
        }
        boolean known = format == RGBA || format == RGBX || format == RGB_565;
        if (!known || width <= 0 || height <= 0 || (long) width * height > MOST_PIXELS) {
            throw new IOException("screencap has " + width + "x" + height + " pixels of format " + format);
        }
        byte[] pixels = new byte[width * height * (format == RGB_565 ? 2 : BYTES_PER_PIXEL)];
        in.readFully(pixels);
        Bitmap.Config config = format == RGB_565 ? Bitmap.Config.RGB_565 : Bitmap.Config.ARGB_8888;
        Bitmap bitmap = Bitmap.createBitmap(width, height, config);
        bitmap.copyPixelsFromBuffer(ByteBuffer.wrap(pixels));
        return bitmap;
    }
}
