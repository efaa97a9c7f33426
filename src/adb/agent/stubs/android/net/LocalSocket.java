package android.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

public class LocalSocket {
    public Credentials getPeerCredentials() throws IOException { return null; }
    public InputStream getInputStream() throws IOException { return null; }
    public OutputStream getOutputStream() throws IOException { return null; }
    public void close() throws IOException { }
}
