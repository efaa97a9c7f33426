package org.taproof.agent;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * A method, constructor or field that is not part of the public API. Its form may differ between API levels: the first
 * of its variants that is present is used, whatever the level, since vendors and updates change more than a level says.
 *
 * <p>A variant is {@code LEVELS [new|field] CLASS[.NAME](TYPE ARGUMENT, ...)}. LEVELS, such as {@code 19-27} or
 * {@code 28-}, say where AOSP has it, {@code some} that releases between two levels do; nothing at run time depends on
 * them. An ARGUMENT is {@code #0} for the first one that the caller gives, {@code shell} for the name of the calling
 * package, or a literal.
 */
final class Member {
    private final String purpose;
    private final String[] variants;
    private Variant found;
    private boolean searched;

    Member(String purpose, String... variants) {
        this.purpose = purpose;
        this.variants = variants;
    }

    /** Calls it on the object, which is null for a static method and for a constructor. */
    Object call(Object target, Object... given) throws Exception {
        Variant variant = find();
        try {
            return variant.call(target, given);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof Exception) {
                throw (Exception) cause;
            }
            throw e;
        }
    }

    /** The value of a field; the object is null for a static one. */
    Object get(Object target) throws Exception {
        return ((Field) find().member).get(target);
    }

    void set(Object target, Object value) throws Exception {
        ((Field) find().member).set(target, value);
    }

    boolean exists() {
        return search() != null;
    }

    private Variant find() throws Failure {
        Variant variant = search();
        if (variant == null) {
            throw new Failure(Failure.Kind.UNSUPPORTED, "this Android has no way to " + purpose);
        }
        return variant;
    }

    /** The first variant that is present, or null. It is looked for once. */
    private synchronized Variant search() {
        for (int at = 0; !searched && found == null && at < variants.length; at++) {
            found = Variant.find(variants[at]);
        }
        searched = true;
        return found;
    }

    /** A form that is present. */
    private static final class Variant {
        private final AccessibleObject member;
        private final String[] arguments;

        private Variant(AccessibleObject member, String[] arguments) {
            this.member = member;
            this.arguments = arguments;
            member.setAccessible(true);
        }

        static Variant find(String variant) {
            String form = variant.substring(variant.indexOf(' ') + 1);
            try {
                if (form.startsWith("field ")) {
                    String path = form.substring("field ".length());
                    return new Variant(owner(path).getDeclaredField(name(path)), new String[0]);
                }
                int open = form.indexOf('(');
                String path = form.substring(0, open);
                List<Class<?>> types = new ArrayList<Class<?>>();
                List<String> arguments = new ArrayList<String>();
                for (String parameter : form.substring(open + 1, form.length() - 1).split(", ")) {
                    if (!parameter.isEmpty()) {
                        String[] parts = parameter.split(" ");
                        types.add(type(parts[0]));
                        arguments.add(parts[1]);
                    }
                }
                Class<?>[] parameters = types.toArray(new Class<?>[0]);
                return new Variant(executable(path, parameters), arguments.toArray(new String[0]));
            } catch (ClassNotFoundException e) {
                return null;
            } catch (NoSuchMethodException e) {
                return null;
            } catch (NoSuchFieldException e) {
                return null;
            }
        }

        private static AccessibleObject executable(String path, Class<?>[] types)
                throws ClassNotFoundException, NoSuchMethodException {
            if (path.startsWith("new ")) {
                return Class.forName(path.substring("new ".length())).getDeclaredConstructor(types);
            }
            return owner(path).getDeclaredMethod(name(path), types);
        }

        private static Class<?> owner(String path) throws ClassNotFoundException {
            return Class.forName(path.substring(0, path.lastIndexOf('.')));
        }

        private static String name(String path) {
            return path.substring(path.lastIndexOf('.') + 1);
        }

        private static Class<?> type(String name) throws ClassNotFoundException {
            if (name.equals("int")) {
                return int.class;
            } else if (name.equals("boolean")) {
                return boolean.class;
            } else if (name.equals("String")) {
                return String.class;
            } else if (name.equals("CharSequence")) {
                return CharSequence.class;
            }
            return name.equals("String[]") ? String[].class : Class.forName(name);
        }

        Object call(Object target, Object[] given) throws Exception {
            Object[] values = new Object[arguments.length];
            for (int at = 0; at < values.length; at++) {
                values[at] = value(arguments[at], given);
            }
            if (member instanceof Constructor) {
                return ((Constructor<?>) member).newInstance(values);
            }
            return ((Method) member).invoke(target, values);
        }

        private static Object value(String argument, Object[] given) {
            if (argument.startsWith("#")) {
                return given[Integer.parseInt(argument.substring(1))];
            } else if (argument.equals("shell")) {
                return Services.callingPackage();
            } else if (argument.equals("true") || argument.equals("false")) {
                return argument.equals("true");
            } else if (argument.startsWith("'")) {
                return argument.substring(1, argument.length() - 1);
            }
            return argument.equals("null") ? null : Integer.valueOf(argument);
        }
    }
}
