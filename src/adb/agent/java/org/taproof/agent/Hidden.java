package org.taproof.agent;

/**
 * Everything that is reflected on, in one table. What AOSP has at each API level was read in its sources and is recorded
 * in {@code reflection.txt}; a test holds the two against each other. The form of an entry: see {@link Member}.
 */
final class Hidden {
    // The user that the agent runs as. Later levels know a package of root.
    static final Member SET_GROUP = new Member("become the shell user",
            "19-30 android.os.Process.setGid(int #0)");
    static final Member SET_USER = new Member("become the shell user",
            "19-30 android.os.Process.setUid(int #0)");

    // The connection for UI automation.
    static final Member NEW_CONNECTION = new Member("connect to the UI automation",
            "19- new android.app.UiAutomationConnection()");
    static final Member NEW_AUTOMATION = new Member("connect to the UI automation",
            "19- new android.app.UiAutomation(android.os.Looper #0, android.app.IUiAutomationConnection #1)");
    /** Flag 1 leaves other accessibility services running. */
    static final Member CONNECT = new Member("connect to the UI automation",
            "24- android.app.UiAutomation.connect(int 1)",
            "19-23 android.app.UiAutomation.connect()");
    static final Member DISCONNECT = new Member("disconnect from the UI automation",
            "19- android.app.UiAutomation.disconnect()");

    // The caches of layouts.
    static final Member CLEAR_AUTOMATION_CACHE = new Member("clear the cache of layouts",
            "34- android.app.UiAutomation.clearCache()");
    static final Member INTERACTION_CLIENT = new Member("clear the cache of layouts",
            "19- android.view.accessibility.AccessibilityInteractionClient.getInstance()");
    static final Member CONNECTION_ID = new Member("clear the cache of layouts",
            "19- android.app.UiAutomation.getConnectionId()");
    static final Member CLEAR_CACHE = new Member("clear the cache of layouts",
            "33- android.view.accessibility.AccessibilityInteractionClient.clearCache(int #0)",
            "19-32 android.view.accessibility.AccessibilityInteractionClient.clearCache()");

    // The display.
    static final Member DISPLAYS = new Member("read the size of the screen",
            "19- android.hardware.display.DisplayManagerGlobal.getInstance()");
    static final Member DISPLAY_INFO = new Member("read the size of the screen",
            "19- android.hardware.display.DisplayManagerGlobal.getDisplayInfo(int 0)");
    static final Member DISPLAY_WIDTH = new Member("read the size of the screen",
            "19- field android.view.DisplayInfo.logicalWidth");
    static final Member DISPLAY_HEIGHT = new Member("read the size of the screen",
            "19- field android.view.DisplayInfo.logicalHeight");
    static final Member APP_WIDTH = new Member("read the size of the screen",
            "19- field android.view.DisplayInfo.appWidth");
    static final Member APP_HEIGHT = new Member("read the size of the screen",
            "19- field android.view.DisplayInfo.appHeight");
    static final Member ROTATION = new Member("read the rotation of the screen",
            "19- field android.view.DisplayInfo.rotation");

    // System services.
    static final Member SERVICE = new Member("find a system service",
            "19- android.os.ServiceManager.getService(String #0)");
    static final Member ACTIVITY_MANAGER = new Member("manage apps",
            "26- android.app.ActivityManager.getService()",
            "19-25 android.app.ActivityManagerNative.getDefault()");
    static final Member ACTIVITY_TASK_MANAGER = new Member("find the activity in front",
            "29- android.app.ActivityTaskManager.getService()");
    static final Member WINDOW_MANAGER = new Member("read the state of the lock screen",
            "19- android.view.IWindowManager$Stub.asInterface(android.os.IBinder #0)");
    static final Member POWER_MANAGER = new Member("read the state of the screen",
            "19- android.os.IPowerManager$Stub.asInterface(android.os.IBinder #0)");
    static final Member CLIPBOARD_SERVICE = new Member("use the clipboard",
            "19- android.content.IClipboard$Stub.asInterface(android.os.IBinder #0)");
    static final Member PACKAGE_MANAGER = new Member("grant a permission",
            "19-29 android.content.pm.IPackageManager$Stub.asInterface(android.os.IBinder #0)");
    static final Member PERMISSION_MANAGER = new Member("grant a permission",
            "30- android.permission.IPermissionManager$Stub.asInterface(android.os.IBinder #0)");

    // Apps.
    static final Member TASK_MANAGER_TASKS = new Member("find the activity in front",
            "34- android.app.IActivityTaskManager.getTasks(int 1, boolean false, boolean false, int -1)",
            "31-33 android.app.IActivityTaskManager.getTasks(int 1, boolean false, boolean false)",
            "29-30 android.app.IActivityTaskManager.getTasks(int 1)");
    static final Member TASKS = new Member("find the activity in front",
            "28- android.app.IActivityManager.getTasks(int 1)",
            "21-27 android.app.IActivityManager.getTasks(int 1, int 0)",
            "19-20 android.app.IActivityManager.getTasks(int 1, int 0, android.app.IThumbnailReceiver null)");
    static final Member PROCESSES = new Member("list the processes",
            "19- android.app.IActivityManager.getRunningAppProcesses()");
    static final Member STOP = new Member("stop an app",
            "19- android.app.IActivityManager.forceStopPackage(String #0, int 0)");
    static final Member CLEAR = new Member("delete the data of an app",
            "28- android.app.IActivityManager.clearApplicationUserData(String #0, boolean false, "
                    + "android.content.pm.IPackageDataObserver #1, int 0)",
            "19-27 android.app.IActivityManager.clearApplicationUserData(String #0, "
                    + "android.content.pm.IPackageDataObserver #1, int 0)");
    static final Member START = new Member("start an activity",
            "21- android.app.IActivityManager.startActivityAsUser(android.app.IApplicationThread null, String shell, "
                    + "android.content.Intent #0, String null, android.os.IBinder null, String null, int 0, int 0, "
                    + "android.app.ProfilerInfo null, android.os.Bundle null, int 0)",
            "19-20 android.app.IActivityManager.startActivityAsUser(android.app.IApplicationThread null, "
                    + "String shell, android.content.Intent #0, String null, android.os.IBinder null, String null, "
                    + "int 0, int 0, String null, android.os.ParcelFileDescriptor null, android.os.Bundle null, int 0)");
    static final Member GRANT_BY_PERMISSION_MANAGER = new Member("grant a permission",
            "35- android.permission.IPermissionManager.grantRuntimePermission(String #0, String #1, "
                    + "String 'default:0', int 0)",
            "some android.permission.IPermissionManager.grantRuntimePermission(String #0, String #1, int 0, int 0)",
            "30-34 android.permission.IPermissionManager.grantRuntimePermission(String #0, String #1, int 0)");
    static final Member GRANT = new Member("grant a permission",
            "23-29 android.content.pm.IPackageManager.grantRuntimePermission(String #0, String #1, int 0)");

    // A context, for labels and icons of apps.
    static final Member NEW_THREAD = new Member("read the labels of apps",
            "19- new android.app.ActivityThread()");
    static final Member CURRENT_THREAD = new Member("read the labels of apps",
            "19- field android.app.ActivityThread.sCurrentActivityThread");
    static final Member SYSTEM_THREAD = new Member("read the labels of apps",
            "19- field android.app.ActivityThread.mSystemThread");
    static final Member CONFIGURATION = new Member("read the labels of apps",
            "31- field android.app.ActivityThread.mConfigurationController");
    static final Member NEW_CONFIGURATION = new Member("read the labels of apps",
            "31- new android.app.ConfigurationController(android.app.ActivityThreadInternal #0)");
    static final Member SYSTEM_CONTEXT = new Member("read the labels of apps",
            "19- android.app.ActivityThread.getSystemContext()");

    // Settings.
    static final Member PROVIDER = new Member("read settings",
            "29- android.app.IActivityManager.getContentProviderExternal(String #0, int 0, android.os.IBinder #1, "
                    + "String null)",
            "19-28 android.app.IActivityManager.getContentProviderExternal(String #0, int 0, "
                    + "android.os.IBinder #1)");
    static final Member HELD_PROVIDER = new Member("read settings",
            "26- field android.app.ContentProviderHolder.provider",
            "19-25 field android.app.IActivityManager$ContentProviderHolder.provider");
    /** Given: the caller from 31 on (else null), the method, the name, the extras. */
    static final Member PROVIDER_CALL = new Member("read settings",
            "31- android.content.IContentProvider.call(android.content.AttributionSource #0, String 'settings', "
                    + "String #1, String #2, android.os.Bundle #3)",
            "30 android.content.IContentProvider.call(String shell, String null, String 'settings', String #1, "
                    + "String #2, android.os.Bundle #3)",
            "29 android.content.IContentProvider.call(String shell, String 'settings', String #1, String #2, "
                    + "android.os.Bundle #3)",
            "19-28 android.content.IContentProvider.call(String shell, String #1, String #2, android.os.Bundle #3)");
    /** Given: the address of the setting. Later levels delete by a call. */
    static final Member PROVIDER_DELETE = new Member("delete a setting",
            "19-28 android.content.IContentProvider.delete(String shell, android.net.Uri #0, String null, "
                    + "String[] null)");

    // The clipboard.
    static final Member SET_CLIP = new Member("change the clipboard",
            "34- android.content.IClipboard.setPrimaryClip(android.content.ClipData #0, String shell, String null, "
                    + "int 0, int 0)",
            "some android.content.IClipboard.setPrimaryClip(android.content.ClipData #0, String shell, String null, "
                    + "int 0)",
            "29-33 android.content.IClipboard.setPrimaryClip(android.content.ClipData #0, String shell, int 0)",
            "19-28 android.content.IClipboard.setPrimaryClip(android.content.ClipData #0, String shell)");
    static final Member CLIP = new Member("read the clipboard",
            "34- android.content.IClipboard.getPrimaryClip(String shell, String null, int 0, int 0)",
            "some android.content.IClipboard.getPrimaryClip(String shell, String null, int 0)",
            "29-33 android.content.IClipboard.getPrimaryClip(String shell, int 0)",
            "19-28 android.content.IClipboard.getPrimaryClip(String shell)");

    // The screen and its lock.
    static final Member INTERACTIVE = new Member("read the state of the screen",
            "21- android.os.IPowerManager.isInteractive()",
            "19-20 android.os.IPowerManager.isScreenOn()");
    static final Member LOCKED = new Member("read the state of the lock screen",
            "19- android.view.IWindowManager.isKeyguardLocked()");
    static final Member SECURE = new Member("read the state of the lock screen",
            "29- android.view.IWindowManager.isKeyguardSecure(int 0)",
            "19-28 android.view.IWindowManager.isKeyguardSecure()");
    static final Member DISMISS = new Member("dismiss the lock screen",
            "28- android.view.IWindowManager.dismissKeyguard(com.android.internal.policy.IKeyguardDismissCallback "
                    + "null, CharSequence null)",
            "26-27 android.view.IWindowManager.dismissKeyguard("
                    + "com.android.internal.policy.IKeyguardDismissCallback null)");

    private Hidden() {
    }
}
