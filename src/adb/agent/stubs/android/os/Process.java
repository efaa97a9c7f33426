package android.os;

public class Process {
    public static final int SHELL_UID = 2000;

    public static int myUid() { return SHELL_UID; }
    public static int myPid() { return 0; }
}
