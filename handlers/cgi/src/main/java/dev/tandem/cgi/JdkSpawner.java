package dev.tandem.cgi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Starts programs by [ProcessBuilder], on every JDK. The JDK does not fork the JVM but starts a
/// small helper (`jspawnhelper`), which starts `setsid`, where the machine has it, so that the
/// program gets a process group by which it can be killed.
///
/// Bytes of the environment that the JVM's file name encoding cannot represent arrive as question
/// marks; the module `cgi-posix` has no such limit.
final class JdkSpawner implements Spawner {
    static final String NAME = "jdk";

    private static final @Nullable Path SETSID = tool("setsid");

    /// The executable, not the shell's builtin; Java has no means to signal a process group.
    static final @Nullable Path KILL = tool("kill");

    private static @Nullable Path tool(String name) {
        return Stream.of("/usr/bin", "/bin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    @Override
    public ScriptProcess start(Program program) throws IOException {
        checkFormat(program.file());
        boolean hasGroup = SETSID != null && KILL != null;
        var words = new ArrayList<String>();
        if (hasGroup) {
            words.add(String.valueOf(SETSID));
        }
        words.add(program.file().toString());
        var builder = new ProcessBuilder(words).directory(program.folder().toFile());
        fill(builder.environment(), program.environment());
        return process(builder.start(), hasGroup, program.hasInput());
    }

    /// Ends a process for whose pipes there are no threads.
    private static JdkProcess process(Process process, boolean hasGroup, boolean hasInput) {
        JdkProcess made = null;
        try {
            made = new JdkProcess(process, hasGroup, hasInput);
            return made;
        } finally {
            if (made == null) {
                process.destroyForcibly();
            }
        }
    }

    /// Rejects files that the kernel cannot execute: the JDK and `setsid` would run them by a
    /// shell.
    private static void checkFormat(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(2);
            boolean isScript = first.length == 2 && first[0] == '#' && first[1] == '!';
            boolean isBinary = first.length == 2 && (first[0] < ' ' || first[0] == 0x7f);
            if (!isScript && !isBinary) {
                throw new IOException("it is neither an executable nor a script with a #! line");
            }
        }
    }

    private static void fill(Map<String, String> environment, List<String> variables) {
        Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        environment.clear();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            byte[] value = variable.substring(equals + 1).getBytes(StandardCharsets.ISO_8859_1);
            environment.put(variable.substring(0, equals), new String(value, names));
        }
    }
}
