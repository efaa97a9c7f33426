package org.taproof.agent;

import android.os.IBinder;
import android.os.Process;

/** The system's services. */
final class Services {
    private static Object activityManager;

    private Services() {
    }

    /** The package in whose name services are called; they compare it with the user that calls: see {@link User}. */
    static String callingPackage() {
        return Process.myUid() == 0 ? "root" : "com.android.shell";
    }

    static IBinder binder(String name) throws Exception {
        IBinder binder = (IBinder) Hidden.SERVICE.call(null, name);
        if (binder == null) {
            throw new Failure(Failure.Kind.UNSUPPORTED, "this Android has no service " + name);
        }
        return binder;
    }

    static synchronized Object activityManager() throws Exception {
        if (activityManager == null) {
            activityManager = Hidden.ACTIVITY_MANAGER.call(null);
        }
        return activityManager;
    }

    static Object windowManager() throws Exception {
        return Hidden.WINDOW_MANAGER.call(null, binder("window"));
    }

    static Object powerManager() throws Exception {
        return Hidden.POWER_MANAGER.call(null, binder("power"));
    }

    static Object clipboard() throws Exception {
        return Hidden.CLIPBOARD_SERVICE.call(null, binder("clipboard"));
    }
}
