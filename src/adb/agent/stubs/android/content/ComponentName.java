package android.content;

public class ComponentName {
    public static ComponentName unflattenFromString(String text) { return null; }
    public String flattenToShortString() { return null; }
}
