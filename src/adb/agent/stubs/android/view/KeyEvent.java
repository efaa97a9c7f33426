package android.view;

public class KeyEvent extends InputEvent {
    public static final int ACTION_DOWN = 0;
    public static final int ACTION_UP = 1;
    public static final int KEYCODE_DEL = 67;

    public KeyEvent(long downTime, long eventTime, int action, int code, int repeat, int metaState, int deviceId,
            int scanCode, int flags, int source) { }
    public static KeyEvent changeTimeRepeat(KeyEvent event, long time, int repeat) { return event; }
}
