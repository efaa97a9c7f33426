package android.net;

import java.io.IOException;

public class LocalServerSocket {
    public LocalServerSocket(String name) throws IOException { }
    public LocalSocket accept() throws IOException { return null; }
}
