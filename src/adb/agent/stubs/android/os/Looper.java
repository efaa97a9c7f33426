package android.os;

public class Looper {
    public static void prepareMainLooper() { }
    public static void prepare() { }
    public static Looper myLooper() { return null; }
}
