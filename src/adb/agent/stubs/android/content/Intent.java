package android.content;

public class Intent {
    public static final String ACTION_MAIN = "android.intent.action.MAIN";
    public static final String CATEGORY_LAUNCHER = "android.intent.category.LAUNCHER";
    public static final int FLAG_ACTIVITY_NEW_TASK = 0x10000000;
    public static final int FLAG_ACTIVITY_RESET_TASK_IF_NEEDED = 0x00200000;

    public Intent(String action) { }
    public Intent addCategory(String category) { return this; }
    public Intent setComponent(ComponentName component) { return this; }
    public Intent setFlags(int flags) { return this; }
}
