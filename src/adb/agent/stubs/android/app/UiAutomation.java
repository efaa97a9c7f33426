package android.app;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.graphics.Bitmap;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

public class UiAutomation {
    public interface OnAccessibilityEventListener {
        void onAccessibilityEvent(AccessibilityEvent event);
    }

    public AccessibilityServiceInfo getServiceInfo() { return null; }
    public void setServiceInfo(AccessibilityServiceInfo info) { }
    public void setOnAccessibilityEventListener(OnAccessibilityEventListener listener) { }
    public AccessibilityNodeInfo getRootInActiveWindow() { return null; }
    public List<AccessibilityWindowInfo> getWindows() { return null; }
    public boolean injectInputEvent(InputEvent event, boolean sync) { return false; }
    public boolean setRotation(int rotation) { return false; }
    public Bitmap takeScreenshot() { return null; }
}
