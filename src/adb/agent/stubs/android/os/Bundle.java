package android.os;

public class Bundle {
    public void putInt(String key, int value) { }
    public void putString(String key, String value) { }
    public void putCharSequence(String key, CharSequence value) { }
    public String getString(String key) { return null; }
}
