package org.taproof.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A phone that writes down what it is asked for. */
final class FakePhone implements Phone {
    final List<String> asked = new ArrayList<String>();
    Exception problem;

    private void ask(String what) throws Exception {
        asked.add(what);
        if (problem != null) {
            throw problem;
        }
    }

    @Override
    public int sdk() {
        return 19;
    }

    @Override
    public int uid() {
        return 2000;
    }

    @Override
    public int pid() {
        return 77;
    }

    @Override
    public Seen act(Act act) throws Exception {
        ask("act " + act.kind);
        return new Seen();
    }

    @Override
    public byte[] picture(int quality, int width) throws Exception {
        ask("picture " + quality + " " + width);
        return new byte[] {1, 2};
    }

    @Override
    public List<String> settings(List<SettingRequest> requests) throws Exception {
        for (SettingRequest request : requests) {
            ask(request.namespace + " " + request.name + " " + request.changes + " " + request.value);
        }
        return Arrays.asList("1", null);
    }

    @Override
    public void stop(String packageName) throws Exception {
        ask("stop " + packageName);
    }

    @Override
    public void clear(String packageName) throws Exception {
        ask("clear " + packageName);
    }

    @Override
    public void start(String component) throws Exception {
        ask("start " + component);
    }

    @Override
    public List<String> grant(String packageName, List<String> permissions) throws Exception {
        ask("grant " + packageName + " " + permissions);
        return Arrays.asList("a", "no");
    }

    @Override
    public List<PackageEntry> packages(boolean thirdParty, int iconSide) throws Exception {
        ask("packages " + thirdParty + " " + iconSide);
        PackageEntry entry = new PackageEntry();
        entry.packageName = "p";
        entry.label = "P";
        entry.version = "1";
        entry.versionCode = 12;
        entry.pid = 321;
        entry.permissions = Arrays.asList("c");
        entry.granted = Arrays.asList(true);
        entry.icon = new byte[] {9};
        return Arrays.asList(entry);
    }

    @Override
    public String clipboard(String content) throws Exception {
        ask("clipboard " + content);
        return null;
    }

    @Override
    public Power wake() throws Exception {
        ask("wake");
        Power power = new Power();
        power.awake = true;
        power.secure = true;
        return power;
    }

    @Override
    public int watch(int pictureHash, long limitMillis) throws Exception {
        ask("watch " + pictureHash + " " + limitMillis);
        return 5;
    }
}
