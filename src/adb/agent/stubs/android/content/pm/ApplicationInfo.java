package android.content.pm;

public class ApplicationInfo extends PackageItemInfo {
    public static final int FLAG_SYSTEM = 1;

    public int flags;
}
