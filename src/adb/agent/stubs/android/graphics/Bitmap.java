package android.graphics;

import java.io.OutputStream;
import java.nio.Buffer;

public class Bitmap {
    public enum Config { ALPHA_8, RGB_565, ARGB_4444, ARGB_8888 }

    public enum CompressFormat { JPEG, PNG }

    public static Bitmap createBitmap(int width, int height, Config config) { return null; }
    public static Bitmap createScaledBitmap(Bitmap bitmap, int width, int height, boolean filter) { return null; }
    public int getWidth() { return 0; }
    public int getHeight() { return 0; }
    public Config getConfig() { return null; }
    public Bitmap copy(Config config, boolean mutable) { return null; }
    public void copyPixelsFromBuffer(Buffer pixels) { }
    public void copyPixelsToBuffer(Buffer pixels) { }
    public boolean compress(CompressFormat format, int quality, OutputStream out) { return false; }
    public void recycle() { }
}
