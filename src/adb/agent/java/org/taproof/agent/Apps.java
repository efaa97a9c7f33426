package org.taproof.agent;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.IPackageDataObserver;
import android.content.pm.PackageInfo;
import android.os.Build;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Starts, stops and clears apps, and grants their permissions. */
final class Apps {
    private static final long CLEAR_LIMIT_SECONDS = 30;
    /** Results of a start that mean that the activity is in front: as in {@code ActivityManager}. */
    private static final int STARTED = 0;
    private static final int BROUGHT_TO_FRONT = 2;
    private static final int DELIVERED_TO_TOP = 3;
    /** Failures of a start, before and since Android 8. */
    private static final int[] DENIED = {-4, -94};
    private static final int[] NOT_FOUND = {-1, -2, -91, -92};

    private final Packages packages;

    Apps(Packages packages) {
        this.packages = packages;
    }

    /** The activity in front, or null if the device does not report it. */
    static String front() {
        try {
            List<?> tasks = (List<?>) (Hidden.ACTIVITY_TASK_MANAGER.exists()
                    ? Hidden.TASK_MANAGER_TASKS.call(Hidden.ACTIVITY_TASK_MANAGER.call(null))
                    : Hidden.TASKS.call(Services.activityManager()));
            if (tasks == null || tasks.isEmpty()) {
                return null;
            }
            ComponentName top = ((ActivityManager.RunningTaskInfo) tasks.get(0)).topActivity;
            return top == null ? null : top.flattenToShortString();
        } catch (Exception e) {
            return null;
        }
    }

    void stop(String packageName) throws Exception {
        Hidden.STOP.call(Services.activityManager(), packageName);
    }

    void clear(String packageName) throws Exception {
        Observer observer = new Observer();
        boolean begun = (Boolean) Hidden.CLEAR.call(Services.activityManager(), packageName, observer);
        if (!begun) {
            throw new Failure(Failure.Kind.MISSING, packageName + " is not installed");
        }
        boolean done = observer.done.await(CLEAR_LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!done || !observer.succeeded) {
            throw new Failure(Failure.Kind.OTHER, "Android did not delete the data of " + packageName);
        }
    }

    /** Learns when the data of an app are deleted. */
    private static final class Observer extends IPackageDataObserver.Stub {
        final CountDownLatch done = new CountDownLatch(1);
        volatile boolean succeeded;

        @Override
        public void onRemoveCompleted(String packageName, boolean succeeded) {
            this.succeeded = succeeded;
            done.countDown();
        }
    }

    /** Starts an activity as the launcher does. */
    void start(String component) throws Exception {
        ComponentName name = ComponentName.unflattenFromString(component);
        if (name == null) {
            throw new Failure(Failure.Kind.MISSING, "there is no activity " + component);
        }
        Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER).setComponent(name);
        intent.setFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_RESET_TASK_IF_NEEDED);
        int result = (Integer) Hidden.START.call(Services.activityManager(), intent);
        if (isOneOf(result, NOT_FOUND)) {
            throw new Failure(Failure.Kind.MISSING, "there is no activity " + component);
        } else if (isOneOf(result, DENIED)) {
            throw new Failure(Failure.Kind.FORBIDDEN, "Android does not let the shell start " + component);
        } else if (result != STARTED && result != BROUGHT_TO_FRONT && result != DELIVERED_TO_TOP) {
            throw new Failure(Failure.Kind.OTHER, "Android did not start " + component + ": result " + result);
        }
    }

    private static boolean isOneOf(int result, int[] results) {
        for (int one : results) {
            if (one == result) {
                return true;
            }
        }
        return false;
    }

    /** Grants permissions, or all that a user is asked for. Returns those refused, each followed by the reason. */
    List<String> grant(String packageName, List<String> permissions) throws Exception {
        PackageInfo info = packages.require(packageName);
        List<String> refused = new ArrayList<String>();
        List<String> wanted = permissions.isEmpty() ? packages.ungranted(info) : permissions;
        for (String permission : wanted) {
            try {
                grant(packageName, permission);
            } catch (Exception e) {
                refused.add(permission);
                refused.add(e instanceof Failure ? e.getMessage() : e.toString());
            }
        }
        return refused;
    }

    private static void grant(String packageName, String permission) throws Exception {
        if (Build.VERSION.SDK_INT < 30) {
            Object manager = Hidden.PACKAGE_MANAGER.call(null, Services.binder("package"));
            Hidden.GRANT.call(manager, packageName, permission);
        } else {
            Object manager = Hidden.PERMISSION_MANAGER.call(null, Services.binder("permissionmgr"));
            Hidden.GRANT_BY_PERMISSION_MANAGER.call(manager, packageName, permission);
        }
    }
}
