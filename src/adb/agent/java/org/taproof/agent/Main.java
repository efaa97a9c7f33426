package org.taproof.agent;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.os.Looper;
import android.os.Process;
import android.os.SystemClock;
import java.io.IOException;

/**
 * The agent: started by {@code CLASSPATH=JAR app_process / org.taproof.agent.Main SOCKET [--screenless]}, it listens on
 * an abstract local socket of that name and prints one line: {@code READY SOCKET}, {@code BUSY REASON} if another
 * program holds the connection for UI automation, or {@code FAILED REASON}. It ends with the last stream that it serves.
 * With {@code --screenless} it leaves that connection to others, and what needs the screen fails.
 */
public final class Main {
    /** Limit on the time until a client has come, and on that without any request. */
    private static final long LIMIT_MILLIS = 60 * 1000;
    private static final long IDLE_LIMIT_MILLIS = 30 * 60 * 1000;

    private static final String SCREENLESS = "--screenless";

    private final ScreenlessPhone phone;
    private final Streams streams = new Streams(SystemClock.uptimeMillis(), LIMIT_MILLIS, IDLE_LIMIT_MILLIS);

    private Main(ScreenlessPhone phone) {
        this.phone = phone;
    }

    /** Runs the agent on the socket whose name is the first argument. */
    public static void main(String[] arguments) {
        boolean screenless = arguments.length == 2 && arguments[1].equals(SCREENLESS);
        if (arguments.length != 1 && !screenless) {
            end("FAILED expected the name of a socket, and " + SCREENLESS + " or nothing");
            return;
        }
        LocalServerSocket server;
        ScreenlessPhone phone;
        // What is not caught here would only show as "Killed", since there is no app to report it.
        try {
            User.becomeKnown();
            Looper.prepareMainLooper();
            server = new LocalServerSocket(arguments[0]);
            phone = screenless ? new ScreenlessPhone() : AndroidPhone.connect();
        } catch (Throwable thrown) {
            end(problem(thrown));
            return;
        }
        System.out.println("READY " + arguments[0]);
        System.out.flush();
        Main main = new Main(phone);
        main.acceptAll(server);
        main.awaitEnd();
        phone.close();
        System.exit(0);
    }

    private static void end(String line) {
        System.out.println(line);
        System.out.flush();
        System.exit(1);
    }

    /** The line for what went wrong. */
    static String problem(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        boolean busy = String.valueOf(cause.getMessage()).contains("already registered");
        // One line, whatever the message contains.
        return (busy ? "BUSY " : "FAILED ") + cause.toString().replace('\n', ' ').replace('\r', ' ');
    }

    private void acceptAll(final LocalServerSocket server) {
        daemon("accept", new Runnable() {
            @Override
            public void run() {
                try {
                    while (true) {
                        accept(server.accept());
                    }
                } catch (IOException e) {
                    System.out.println("FAILED " + e);
                    streams.end();
                }
            }
        });
    }

    /** Serves a stream, unless its peer is an app: any app can connect to an abstract name. */
    private void accept(final LocalSocket socket) throws IOException {
        int uid = socket.getPeerCredentials().getUid();
        if (uid != 0 && uid != Process.SHELL_UID && uid != Process.myUid()) {
            socket.close();
            return;
        }
        daemon("stream", new Runnable() {
            @Override
            public void run() {
                serve(socket);
            }
        });
    }

    private void serve(LocalSocket socket) {
        Session session = new Session(phone, new Session.Listener() {
            @Override
            public void greeted() {
                streams.opened();
            }

            @Override
            public void requested() {
                streams.requested();
            }

            @Override
            public void answered() {
                streams.answered(SystemClock.uptimeMillis());
            }

            @Override
            public void end() {
                streams.end();
            }
        });
        try {
            session.serve(socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            // The client has gone, or broke the protocol: it loses its stream.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
        if (session.hasGreeted()) {
            streams.closed();
        }
    }

    private static void daemon(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void awaitEnd() {
        try {
            long left = streams.left(SystemClock.uptimeMillis());
            while (left > 0) {
                streams.await(left);
                left = streams.left(SystemClock.uptimeMillis());
            }
        } catch (InterruptedException e) {
            // Then it ends now.
        }
    }
}
