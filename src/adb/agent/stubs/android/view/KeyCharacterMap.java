package android.view;

public class KeyCharacterMap {
    public static KeyCharacterMap load(int device) { return null; }
    public KeyEvent[] getEvents(char[] text) { return null; }
}
