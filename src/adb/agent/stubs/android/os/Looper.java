package android.os;

public class Looper {
    public static void prepareMainLooper() { }
}
