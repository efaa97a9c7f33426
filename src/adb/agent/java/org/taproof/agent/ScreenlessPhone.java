package org.taproof.agent;

import android.os.Build;
import android.os.Process;
import java.util.List;

/** The device that the agent runs on, without its screen: what needs no connection for UI automation. */
class ScreenlessPhone implements Phone {
    final Clipboard clipboard = new Clipboard();
    final Settings settings = new Settings();
    private final Packages packages = new Packages();
    private final Apps apps = new Apps(packages);

    void close() {
    }

    @Override
    public int sdk() {
        return Build.VERSION.SDK_INT;
    }

    @Override
    public int uid() {
        return Process.myUid();
    }

    @Override
    public int pid() {
        return Process.myPid();
    }

    private static Failure noScreen() {
        return new Failure(Failure.Kind.UNSUPPORTED, "this agent was started without the screen");
    }

    @Override
    public Seen act(Act act) throws Exception {
        throw noScreen();
    }

    @Override
    public byte[] picture(int quality, int width) throws Exception {
        throw noScreen();
    }

    @Override
    public int watch(int pictureHash, long limitMillis) throws Exception {
        throw noScreen();
    }

    @Override
    public Power wake() throws Exception {
        throw noScreen();
    }

    @Override
    public List<String> settings(List<SettingRequest> requests) throws Exception {
        return settings.change(requests);
    }

    @Override
    public void stop(String packageName) throws Exception {
        apps.stop(packageName);
    }

    @Override
    public void clear(String packageName) throws Exception {
        apps.clear(packageName);
    }

    @Override
    public void start(String component) throws Exception {
        apps.start(component);
    }

    @Override
    public List<String> grant(String packageName, List<String> permissions) throws Exception {
        return apps.grant(packageName, permissions);
    }

    @Override
    public List<PackageEntry> packages(boolean thirdParty, int iconSide) throws Exception {
        return packages.list(thirdParty, iconSide);
    }

    @Override
    public String clipboard(String content) throws Exception {
        return clipboard.exchange(content);
    }
}
