package org.taproof.agent;

import java.io.IOException;
import java.util.List;

/** What the agent can do with the device that it runs on. Any exception becomes a {@link Failure}. */
interface Phone {
    /** The API level. */
    int sdk();

    int uid();

    int pid();

    Seen act(Act act) throws Exception;

    /** A picture: raw with quality 0, else JPEG; scaled down to the width unless that is 0. */
    byte[] picture(int quality, int width) throws Exception;

    /** Reads the settings, and changes those that are to be changed. Returns the values before. */
    List<String> settings(List<SettingRequest> requests) throws Exception;

    void stop(String packageName) throws Exception;

    void clear(String packageName) throws Exception;

    void start(String component) throws Exception;

    /** Grants permissions. Returns those that could not be granted, each followed by the reason. */
    List<String> grant(String packageName, List<String> permissions) throws Exception;

    List<PackageEntry> packages(boolean thirdParty, int iconSide) throws Exception;

    /** Returns the clipboard's content, or null, and sets a new one unless that is null. */
    String clipboard(String content) throws Exception;

    Power wake() throws Exception;

    /** Waits for another picture than the one with this checksum. Returns its checksum, or 0 at the limit. */
    int watch(int pictureHash, long limitMillis) throws Exception;

    /** A request about one setting. */
    final class SettingRequest {
        String namespace;
        String name;
        /** Whether to set it to {@link #value}, or to delete it if that is null. */
        boolean changes;
        String value;

        static SettingRequest read(WireReader in) throws WireException {
            SettingRequest request = new SettingRequest();
            request.namespace = in.text("the namespace");
            request.name = in.text("the name of a setting");
            int change = in.u8("the change");
            if (change > 2) {
                throw WireException.unexpected("the change", "0 to 2", change);
            }
            request.changes = change != 0;
            request.value = change == 1 ? in.text("the value") : null;
            return request;
        }
    }

    /** The state of the screen and of its lock. */
    final class Power {
        boolean awake;
        boolean locked;
        boolean secure;
    }

    /** An installed package. */
    final class PackageEntry {
        String packageName;
        String label;
        String version;
        long versionCode;
        /** The class that the launcher starts, or null. */
        String activity;
        /** The process id of the app, or null. */
        Integer pid;
        /** The permissions that a user is asked for, and whether each is granted. */
        List<String> permissions;
        List<Boolean> granted;
        /** The icon as PNG, or null. */
        byte[] icon;

        void write(WireWriter out) throws IOException {
            out.text(packageName);
            out.text(label);
            out.text(version);
            out.u64(versionCode);
            out.optionalText(activity);
            out.flag(pid != null);
            if (pid != null) {
                out.i32(pid);
            }
            out.count(permissions);
            for (int at = 0; at < permissions.size(); at++) {
                out.text(permissions.get(at));
                out.flag(granted.get(at));
            }
            out.flag(icon != null);
            if (icon != null) {
                out.blob(icon);
            }
        }
    }
}
