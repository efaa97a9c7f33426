package org.taproof.agent;

import android.os.Build;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;

/** Reads what the device's log says of apps that fail. */
final class Log {
    private static final String[] FILTERS =
            {"am_crash:I", "am_anr:I", "AndroidRuntime:E", "DEBUG:I", "ActivityManager:E", "*:S"};
    private static final int MOST_BYTES = 4 << 20;

    private Log() {
    }

    /** The log from a time on; with an empty time, the time itself and the log from now on. */
    static byte[] since(String from) throws IOException {
        String start = from;
        if (from.isEmpty()) {
            start = new SimpleDateFormat("MM-dd HH:mm:ss.SSS", Locale.US).format(new Date());
        } else if (!from.matches("[-0-9:. ]+")) {
            throw WireException.unexpected("the time of the log", "digits", from);
        }
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        if (from.isEmpty()) {
            log.write((start + "\n").getBytes("UTF-8"));
        }
        Process process = new ProcessBuilder(command(Build.VERSION.SDK_INT, start)).redirectErrorStream(true).start();
        try {
            copy(process.getInputStream(), log);
        } finally {
            process.destroy();
        }
        return log.toByteArray();
    }

    /** Devices before Android 5 have no buffer for crashes and cannot start at a time. */
    static List<String> command(int sdk, String start) {
        List<String> command = new ArrayList<String>(Arrays.asList("/system/bin/logcat", "-d", "-v", "threadtime"));
        String[] buffers = {sdk < 21 ? "main" : "crash", "system", "events"};
        for (String buffer : buffers) {
            command.add("-b");
            command.add(buffer);
        }
        command.addAll(sdk < 21 ? Arrays.asList("-t", "300") : Arrays.asList("-T", start));
        command.addAll(Arrays.asList(FILTERS));
        return command;
    }

    private static void copy(InputStream in, ByteArrayOutputStream out) throws IOException {
        byte[] part = new byte[8192];
        int count = in.read(part);
        while (count >= 0 && out.size() < MOST_BYTES) {
            out.write(part, 0, count);
            count = in.read(part);
        }
    }
}
