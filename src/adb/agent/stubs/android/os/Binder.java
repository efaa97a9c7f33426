package android.os;

import java.io.FileDescriptor;

public class Binder implements IBinder {
    public void dumpAsync(FileDescriptor out, String[] arguments) throws RemoteException { }
}
