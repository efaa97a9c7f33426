package org.taproof.agent;

import android.os.Build;

/** The power of the screen, and the lock screen. */
final class Lock {
    private static final int MENU = 82;
    private static final int POWER = 26;
    /** A key that only wakes up, which older devices lack. */
    private static final int WAKE_UP = 224;
    /** Screens light up and lock screens disappear within a second, even on slow devices. */
    private static final int LOOKS = 10;
    private static final long PAUSE_MILLIS = 200;

    private final Touches touches;
    private final Settings settings;

    Lock(Touches touches, Settings settings) {
        this.touches = touches;
        this.settings = settings;
    }

    /** Switches the screen on and dismisses the lock screen, as far as that goes without a code. */
    Phone.Power wake() throws Exception {
        Phone.Power power = read();
        if (!power.awake) {
            touches.key(Build.VERSION.SDK_INT >= 20 ? WAKE_UP : POWER, 0);
        }
        for (int looks = LOOKS; looks > 0 && !power.awake; looks--) {
            Thread.sleep(PAUSE_MILLIS);
            power = read();
        }
        if (power.awake && power.locked) {
            // A phone in a trusted place is unlocked without its code, so one attempt is made with any lock.
            dismiss();
        }
        for (int looks = LOOKS; looks > 0 && power.awake && power.locked; looks--) {
            Thread.sleep(PAUSE_MILLIS);
            power = read();
        }
        return power;
    }

    private void dismiss() throws Exception {
        if (Hidden.DISMISS.exists()) {
            Hidden.DISMISS.call(Services.windowManager());
        } else {
            touches.key(MENU, 0);
        }
    }

    private Phone.Power read() throws Exception {
        Object windows = Services.windowManager();
        Phone.Power power = new Phone.Power();
        power.awake = (Boolean) Hidden.INTERACTIVE.call(Services.powerManager());
        power.secure = (Boolean) Hidden.SECURE.call(windows);
        boolean restricted = (Boolean) Hidden.LOCKED.call(windows);
        power.locked = restricted && shows(power.secure, settings.get("global", "device_provisioned"));
        return power;
    }

    /**
     * Whether a lock screen that Android reports is there to be seen. Before a device has been set up, Android reports
     * one, since it holds back keys, and shows it only to ask for the code of a SIM.
     */
    static boolean shows(boolean secure, String provisioned) {
        return secure || (provisioned != null && !provisioned.equals("0"));
    }
}
