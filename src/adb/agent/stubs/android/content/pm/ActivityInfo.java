package android.content.pm;

public class ActivityInfo extends PackageItemInfo {
}
