package android.os;

import java.util.HashMap;
import java.util.Map;

/** Keeps its values, for tests. */
public class Bundle {
    private final Map<String, Object> values = new HashMap<String, Object>();

    public void putInt(String key, int value) {
        values.put(key, value);
    }

    public int getInt(String key) {
        return (Integer) values.get(key);
    }

    public void putString(String key, String value) {
        values.put(key, value);
    }

    public void putCharSequence(String key, CharSequence value) {
        values.put(key, value);
    }

    public String getString(String key) {
        return (String) values.get(key);
    }
}
