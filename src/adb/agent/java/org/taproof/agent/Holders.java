package org.taproof.agent;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Finds the program that holds the connection for UI automation: Android does not say which one it is. */
final class Holders {
    private static final String[] NAMES = {"uiautomator", "uia2", "appium", "maestro", "org.taproof.agent"};
    private static final int MOST_BYTES = 1024;

    private Holders() {
    }

    /** What is likely to hold it, such as {@code "; it may be process 12 (uiautomator)"}, or nothing. */
    static String described(int own) {
        StringBuilder found = new StringBuilder();
        File[] processes = new File("/proc").listFiles();
        if (processes != null) {
            for (File process : processes) {
                String name = process.getName();
                if (name.matches("[0-9]+") && !name.equals(String.valueOf(own))) {
                    String command = name(commandLine(new File(process, "cmdline")));
                    found.append(command == null ? "" : "; it may be process " + name + " (" + command + ")");
                }
            }
        }
        return found.toString();
    }

    /** The part of a command line that names a program for UI automation, or null. */
    static String name(String commandLine) {
        // A shell that starts one has it in its arguments, too.
        String[] arguments = commandLine.split("\0");
        boolean shell = arguments[0].endsWith("sh") || commandLine.contains("CLASSPATH=");
        for (String argument : shell ? new String[0] : arguments) {
            for (String name : NAMES) {
                if (argument.toLowerCase(Locale.US).contains(name) && !argument.startsWith("/")) {
                    return argument;
                }
            }
        }
        return null;
    }

    private static String commandLine(File file) {
        byte[] bytes = new byte[MOST_BYTES];
        try {
            InputStream in = new FileInputStream(file);
            try {
                int count = in.read(bytes);
                return count <= 0 ? "" : new String(bytes, 0, count, "UTF-8");
            } finally {
                in.close();
            }
        } catch (IOException e) {
            // The process has ended, or is none of ours.
            return "";
        }
    }
}
