package dev.tandem.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `tandem` command in a process of its own, on a free port of 127.0.0.1. The command line is on
/// the class path of the test.
public final class ServerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;
    private static final Pattern GREETING =
            Pattern.compile("tandem: http://127\\.0\\.0\\.1:(\\d+)/ .*");

    private final Process process;
    private final InetSocketAddress address;

    private ServerProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /// Starts it, and returns when it listens.
    ///
    /// @param folder for its temporary files
    /// @param command without `--listen`
    public static ServerProcess start(Path folder, String... command) throws IOException {
        return start(folder, List.of(), command);
    }

    /// @param flags of the JVM
    public static ServerProcess start(Path folder, List<String> flags, String... command)
            throws IOException {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("--enable-native-access=ALL-UNNAMED");
        // It runs for seconds: optimizing compilation would take as long.
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        words.add("-Djava.io.tmpdir=" + folder);
        words.addAll(flags);
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.add("dev.tandem.cli.Main");
        words.addAll(List.of(command));
        words.addAll(List.of("--listen", "127.0.0.1:0"));
        Process process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        Matcher greeting = GREETING.matcher(String.valueOf(line));
        if (!greeting.matches()) {
            process.destroyForcibly();
            throw new IOException("not started, it said: " + line);
        }
        int port = Integer.parseInt(greeting.group(1));
        return new ServerProcess(process, new InetSocketAddress("127.0.0.1", port));
    }

    public InetSocketAddress address() {
        return address;
    }

    /// Sends SIGTERM.
    public void terminate() {
        process.destroy();
    }

    /// Sends SIGHUP.
    public void hangUp() throws IOException, InterruptedException {
        signal("HUP");
    }

    /// Sends a signal, by the shell's kill command.
    ///
    /// @param name such as `USR1`
    public void signal(String name) throws IOException, InterruptedException {
        String command = "kill -" + name + " " + process.pid();
        new ProcessBuilder("sh", "-c", command).start().waitFor();
    }

    /// Waits for the process to end.
    ///
    /// @return its status
    public int end() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("still running after " + PATIENCE_SECONDS + " s");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
