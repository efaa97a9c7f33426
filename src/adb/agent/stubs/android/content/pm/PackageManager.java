package android.content.pm;

import android.content.Intent;
import java.util.List;

public abstract class PackageManager {
    public static final int GET_PERMISSIONS = 0x1000;

    public static class NameNotFoundException extends Exception {
    }

    public abstract PackageInfo getPackageInfo(String packageName, int flags) throws NameNotFoundException;
    public abstract PermissionInfo getPermissionInfo(String name, int flags) throws NameNotFoundException;
    public abstract List<PackageInfo> getInstalledPackages(int flags);
    public abstract List<ResolveInfo> queryIntentActivities(Intent intent, int flags);
}
