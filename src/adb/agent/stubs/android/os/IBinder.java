package android.os;

import java.io.FileDescriptor;

public interface IBinder {
    void dumpAsync(FileDescriptor out, String[] arguments) throws RemoteException;
}
