package rival;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;

/// Copies a web application of `jakarta.servlet` as one of `javax.servlet` 3.1: names in its class
/// files change, and two calls that Servlet 3.1 lacks are left out, which set the sessions'
/// time-out and an attribute of their cookie.
///
/// @param from its folder
/// @param to the copy
record Translation(Path from, Path to) {
    private static final String[][] NAMES = {
        {"jakarta/servlet", "javax/servlet"},
        {"jakarta.servlet", "javax.servlet"},
        {"jakarta/websocket", "javax/websocket"},
        {"jakarta.websocket", "javax.websocket"}
    };

    private static final String DESCRIPTOR =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1"
                metadata-complete="true">
            """;

    void run() throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.write(target, content(file.getFileName().toString(), file));
                }
            }
        }
    }

    private static byte[] content(String name, Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (name.endsWith(".class")) {
            return type(bytes);
        }
        if (name.equals("web.xml")) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            int begin = text.indexOf('>', text.indexOf("<web-app")) + 1;
            return (DESCRIPTOR + text.substring(begin)).getBytes(StandardCharsets.UTF_8);
        }
        return name.endsWith(".jar") ? jar(bytes) : bytes;
    }

    private static byte[] jar(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        boolean isChanged = false;
        try (var in = new JarInputStream(new ByteArrayInputStream(bytes));
                var jar = new JarOutputStream(out)) {
            JarEntry entry;
            while ((entry = in.getNextJarEntry()) != null) {
                String name = entry.getName();
                // Signatures no longer hold, and Tomcat 8 reads no module declarations.
                if (name.matches("META-INF/.*\\.(SF|RSA|DSA)|(.*/)?module-info\\.class")) {
                    continue;
                }
                byte[] content = in.readAllBytes();
                jar.putNextEntry(new JarEntry(name));
                byte[] its = name.endsWith(".class") ? type(content) : content;
                isChanged |= its != content;
                jar.write(its);
                jar.closeEntry();
            }
        }
        return isChanged ? out.toByteArray() : bytes;
    }

    private static byte[] type(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!text.contains("jakarta")) {
            return bytes;
        }
        return renamed(text.contains("setSessionTimeout") ? withoutNewCalls(bytes) : bytes);
    }

    private static byte[] withoutNewCalls(byte[] bytes) {
        ClassFile file = ClassFile.of();
        return file.transformClass(
                file.parse(bytes), ClassTransform.transformingMethodBodies(Translation::unlessNew));
    }

    /// Arguments and receiver are dropped instead of the call.
    private static void unlessNew(CodeBuilder code, CodeElement element) {
        boolean isCall = element instanceof InvokeInstruction;
        String call =
                isCall
                        ? ((InvokeInstruction) element).owner().asInternalName()
                                + "."
                                + ((InvokeInstruction) element).name().stringValue()
                        : "";
        switch (call) {
            case "jakarta/servlet/ServletContext.setSessionTimeout" -> code.pop().pop();
            case "jakarta/servlet/SessionCookieConfig.setAttribute" -> code.pop().pop().pop();
            default -> code.with(element);
        }
    }

    /// Changes the names in the constant pool (JVM specification, section 4.4), where all are.
    private static byte[] renamed(byte[] bytes) throws IOException {
        var in = new DataInputStream(new ByteArrayInputStream(bytes));
        var bytesOut = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytesOut);
        out.writeLong(in.readLong());
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(renamed(in.readUTF()));
                case 3, 4, 9, 10, 11, 12, 17, 18 -> out.writeInt(in.readInt());
                case 5, 6 -> {
                    out.writeLong(in.readLong());
                    i++;
                }
                case 7, 8, 16, 19, 20 -> out.writeShort(in.readUnsignedShort());
                case 15 -> {
                    out.writeByte(in.readUnsignedByte());
                    out.writeShort(in.readUnsignedShort());
                }
                default -> throw new IOException("unknown tag " + tag + " in a constant pool");
            }
        }
        in.transferTo(out);
        return bytesOut.toByteArray();
    }

    private static String renamed(String name) {
        String its = name;
        for (String[] pair : NAMES) {
            its = its.replace(pair[0], pair[1]);
        }
        return its;
    }
}
