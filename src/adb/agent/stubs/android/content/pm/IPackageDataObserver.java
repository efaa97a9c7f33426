package android.content.pm;

import android.os.Binder;

public interface IPackageDataObserver {
    void onRemoveCompleted(String packageName, boolean succeeded);

    abstract class Stub extends Binder implements IPackageDataObserver {
    }
}
