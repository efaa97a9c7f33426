package android.accessibilityservice;

public class AccessibilityServiceInfo {
    public int eventTypes;
    public int flags;
    public long notificationTimeout;
}
