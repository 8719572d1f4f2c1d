package dev.tandem.engine;

import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// A [ChildServer]'s process.
public final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final InetSocketAddress address;

    /// @param network whose sockets it uses
    /// @param limits a command of the shell that is run first, such as `ulimit -n 64`
    public Child(Network network, String limits, String... flags) throws IOException {
        var java = new ArrayList<String>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(List.of(flags));
        java.add("-D" + Network.PROPERTY + "=" + network.name());
        java.add("--enable-native-access=ALL-UNNAMED");
        java.add("-cp");
        java.add(classPath());
        java.add(ChildServer.class.getName());
        var command = new ArrayList<>(List.of("sh", "-c", limits + "; exec \"$@\"", "sh"));
        command.addAll(java);
        process = new ProcessBuilder(command).start();
        out = process.inputReader();
        in = process.outputWriter();
        BufferedReader err = process.errorReader();
        Thread.ofPlatform().daemon().start(() -> err.lines().forEach(errors::add));
        address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line()));
    }

    private static String classPath() {
        return String.join(
                File.pathSeparator,
                Path.of("target", "test-classes").toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""));
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the child ended: " + errors);
        }
        return line;
    }

    /// Returns its response to a question; see [ChildServer].
    public String ask(String question) throws IOException {
        in.write(question + "\n");
        in.flush();
        return line();
    }

    public InetSocketAddress address() {
        return address;
    }

    public RawClient client() throws IOException {
        return RawClient.connect(address);
    }

    /// What it wrote to its standard error so far.
    String errors() {
        return String.join("\n", errors);
    }

    @Override
    public void close() throws IOException {
        in.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
