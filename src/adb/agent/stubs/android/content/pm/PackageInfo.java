package android.content.pm;

public class PackageInfo {
    public static final int REQUESTED_PERMISSION_GRANTED = 2;

    public String packageName;
    public String versionName;
    public int versionCode;
    public ApplicationInfo applicationInfo;
    public String[] requestedPermissions;
    public int[] requestedPermissionsFlags;

    public long getLongVersionCode() { return 0; }
}
