package android.app;

import android.content.ComponentName;

public class ActivityManager {
    public static class RunningTaskInfo {
        public ComponentName topActivity;
    }

    public static class RunningAppProcessInfo {
        public String processName;
        public int pid;
    }
}
