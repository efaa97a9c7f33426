package org.taproof.agent;

import android.content.AttributionSource;
import android.net.Uri;
import android.os.Binder;
import android.os.Build;
import android.os.Bundle;
import android.os.Process;
import java.util.ArrayList;
import java.util.List;

/** Reads and changes settings through their provider. */
final class Settings {
    private final Binder token = new Binder();
    private Object provider;

    /** Returns the values before the changes. */
    synchronized List<String> change(List<Phone.SettingRequest> requests) throws Exception {
        List<String> before = new ArrayList<String>();
        for (Phone.SettingRequest request : requests) {
            check(request.namespace);
            before.add(get(request.namespace, request.name));
            if (request.changes && request.value == null) {
                delete(request);
            } else if (request.changes) {
                call("PUT_" + request.namespace, request.name, request.value);
            }
        }
        return before;
    }

    private static void check(String namespace) throws WireException {
        if (!namespace.equals("system") && !namespace.equals("secure") && !namespace.equals("global")) {
            throw WireException.unexpected("the namespace", "system, secure or global", namespace);
        }
    }

    /** The value, or null if the setting does not exist. */
    synchronized String get(String namespace, String name) throws Exception {
        Bundle answer = call("GET_" + namespace, name, null);
        return answer == null ? null : answer.getString("value");
    }

    /** By a call since Android 10, before by the address of the setting. */
    private void delete(Phone.SettingRequest request) throws Exception {
        if (Build.VERSION.SDK_INT >= 29) {
            call("DELETE_" + request.namespace, request.name, null);
        } else {
            Uri address = Uri.parse("content://settings/" + request.namespace + "/" + Uri.encode(request.name));
            Hidden.PROVIDER_DELETE.call(provider(), address);
        }
    }

    private Bundle call(String method, String name, String value) throws Exception {
        Bundle extras = new Bundle();
        extras.putInt("_user", 0);
        if (value != null) {
            extras.putString("value", value);
        }
        Object caller = Build.VERSION.SDK_INT >= 31 ? Caller.source() : null;
        return (Bundle) Hidden.PROVIDER_CALL.call(provider(), caller, method, name, extras);
    }

    private Object provider() throws Exception {
        if (provider == null) {
            Object holder = Hidden.PROVIDER.call(Services.activityManager(), "settings", token);
            if (holder == null) {
                throw new Failure(Failure.Kind.UNSUPPORTED, "this Android has no provider of settings");
            }
            provider = Hidden.HELD_PROVIDER.get(holder);
        }
        return provider;
    }

    /** Who calls, from API 31 on. Apart from the rest, since older devices lack the class. */
    private static final class Caller {
        static Object source() {
            return new AttributionSource.Builder(Process.myUid()).setPackageName(Services.callingPackage()).build();
        }
    }
}
