package android.content.pm;

public class PermissionInfo {
    public static final int PROTECTION_DANGEROUS = 1;

    public int protectionLevel;
}
