package android.os;

public class Build {
    public static class VERSION {
        /** Not a constant, which would be compiled into the agent. */
        public static final int SDK_INT = Integer.getInteger("sdk", 19);
    }
}
