package org.taproof.agent;

import android.app.ActivityManager;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.ResolveInfo;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.drawable.Drawable;
import android.os.Build;
import android.os.Looper;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists the installed packages, with what a person knows an app by: its label and its icon. */
final class Packages {
    /** The length beyond which a label is cut, and the largest side of an icon: any app can have what it likes. */
    private static final int MOST_LABEL = 200;
    private static final int MOST_SIDE = 256;
    private static final int PROTECTION_BASE = 0xf;
    /** From Android 6 on, a user is asked for permissions when an app needs them. */
    private static final boolean ASKED = Build.VERSION.SDK_INT >= 23;

    private final Map<String, Boolean> dangerous = new HashMap<String, Boolean>();
    private PackageManager manager;

    private synchronized PackageManager manager() throws Exception {
        if (manager == null) {
            manager = context().getPackageManager();
        }
        return manager;
    }

    /** A context, without the rest of an app. */
    private static Context context() throws Exception {
        // Its handlers need a queue of messages, although none ever comes.
        if (Looper.myLooper() == null) {
            Looper.prepare();
        }
        Object thread = Hidden.NEW_THREAD.call(null);
        Hidden.CURRENT_THREAD.set(null, thread);
        Hidden.SYSTEM_THREAD.set(thread, true);
        if (Hidden.CONFIGURATION.exists()) {
            Hidden.CONFIGURATION.set(thread, Hidden.NEW_CONFIGURATION.call(null, thread));
        }
        return (Context) Hidden.SYSTEM_CONTEXT.call(thread);
    }

    /** The package with its permissions; fails if it is not installed. */
    PackageInfo require(String packageName) throws Exception {
        try {
            return manager().getPackageInfo(packageName, PackageManager.GET_PERMISSIONS);
        } catch (PackageManager.NameNotFoundException e) {
            throw new Failure(Failure.Kind.MISSING, packageName + " is not installed");
        }
    }

    /** The permissions that a user is asked for and that are not granted. */
    List<String> ungranted(PackageInfo info) throws Exception {
        Phone.PackageEntry entry = new Phone.PackageEntry();
        addPermissions(entry, info);
        List<String> ungranted = new ArrayList<String>();
        for (int at = 0; at < entry.permissions.size(); at++) {
            if (!entry.granted.get(at)) {
                ungranted.add(entry.permissions.get(at));
            }
        }
        return ungranted;
    }

    List<Phone.PackageEntry> list(boolean thirdParty, int iconSide) throws Exception {
        Map<String, String> launched = launched();
        Map<String, Integer> pids = pids();
        List<Phone.PackageEntry> entries = new ArrayList<Phone.PackageEntry>();
        for (PackageInfo info : manager().getInstalledPackages(PackageManager.GET_PERMISSIONS)) {
            boolean system = (info.applicationInfo.flags & ApplicationInfo.FLAG_SYSTEM) != 0;
            if (!thirdParty || !system) {
                Phone.PackageEntry entry = entry(info, iconSide);
                entry.activity = launched.get(info.packageName);
                entry.pid = pids.get(info.packageName);
                entries.add(entry);
            }
        }
        return entries;
    }

    private Phone.PackageEntry entry(PackageInfo info, int iconSide) throws Exception {
        Phone.PackageEntry entry = new Phone.PackageEntry();
        entry.packageName = info.packageName;
        entry.label = label(info.applicationInfo);
        entry.version = Automation.text(info.versionName);
        entry.versionCode = Build.VERSION.SDK_INT >= 28 ? info.getLongVersionCode() : info.versionCode;
        addPermissions(entry, info);
        entry.icon = iconSide == 0 ? null : icon(info.applicationInfo, Math.min(iconSide, MOST_SIDE));
        return entry;
    }

    private void addPermissions(Phone.PackageEntry entry, PackageInfo info) throws Exception {
        entry.permissions = new ArrayList<String>();
        entry.granted = new ArrayList<Boolean>();
        int count = ASKED && info.requestedPermissions != null ? info.requestedPermissions.length : 0;
        for (int at = 0; at < count; at++) {
            if (isDangerous(info.requestedPermissions[at])) {
                int flags = info.requestedPermissionsFlags[at];
                entry.permissions.add(info.requestedPermissions[at]);
                entry.granted.add((flags & PackageInfo.REQUESTED_PERMISSION_GRANTED) != 0);
            }
        }
    }

    private synchronized boolean isDangerous(String permission) throws Exception {
        Boolean known = dangerous.get(permission);
        if (known == null) {
            try {
                int level = manager().getPermissionInfo(permission, 0).protectionLevel & PROTECTION_BASE;
                known = level == PermissionInfo.PROTECTION_DANGEROUS;
            } catch (PackageManager.NameNotFoundException e) {
                known = false;
            }
            dangerous.put(permission, known);
        }
        return known;
    }

    private String label(ApplicationInfo info) throws Exception {
        String label = Automation.text(info.loadLabel(manager()));
        return label.substring(0, Math.min(label.length(), MOST_LABEL));
    }

    /** The icon as PNG, or null if its app has a broken one. */
    private byte[] icon(ApplicationInfo info, int side) {
        try {
            Drawable icon = info.loadIcon(manager());
            Bitmap bitmap = Bitmap.createBitmap(side, side, Bitmap.Config.ARGB_8888);
            icon.setBounds(0, 0, side, side);
            icon.draw(new Canvas(bitmap));
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            bitmap.compress(Bitmap.CompressFormat.PNG, 100, png);
            bitmap.recycle();
            return png.toByteArray();
        } catch (Exception e) {
            return null;
        } catch (OutOfMemoryError e) {
            // Its picture is larger than the memory.
            return null;
        }
    }

    /** The class of the activity that the launcher starts, by package. */
    private Map<String, String> launched() throws Exception {
        Map<String, String> launched = new HashMap<String, String>();
        Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
        for (ResolveInfo found : manager().queryIntentActivities(intent, 0)) {
            if (!launched.containsKey(found.activityInfo.packageName)) {
                launched.put(found.activityInfo.packageName, found.activityInfo.name);
            }
        }
        return launched;
    }

    private static Map<String, Integer> pids() throws Exception {
        Map<String, Integer> pids = new HashMap<String, Integer>();
        List<?> processes = (List<?>) Hidden.PROCESSES.call(Services.activityManager());
        if (processes != null) {
            for (Object process : processes) {
                ActivityManager.RunningAppProcessInfo info = (ActivityManager.RunningAppProcessInfo) process;
                pids.put(info.processName, info.pid);
            }
        }
        return pids;
    }
}
