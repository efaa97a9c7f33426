package android.os;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;

public class ParcelFileDescriptor {
    public static class AutoCloseInputStream extends FileInputStream {
        public AutoCloseInputStream(ParcelFileDescriptor file) throws FileNotFoundException { super("/dev/null"); }
    }

    public static ParcelFileDescriptor[] createPipe() throws IOException { return null; }
    public FileDescriptor getFileDescriptor() { return null; }
    public void close() throws IOException { }
}
