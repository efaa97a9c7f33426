package android.content.pm;

import android.graphics.drawable.Drawable;

public class PackageItemInfo {
    public String name;
    public String packageName;

    public CharSequence loadLabel(PackageManager manager) { return null; }
    public Drawable loadIcon(PackageManager manager) { return null; }
}
