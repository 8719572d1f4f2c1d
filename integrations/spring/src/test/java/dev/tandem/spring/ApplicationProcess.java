package dev.tandem.spring;

import dev.tandem.spring.visits.CountingApplication;
import dev.tandem.testkit.RawSite;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// An application in a process of its own, at a free port of this machine.
final class ApplicationProcess extends RawSite implements AutoCloseable {
    private final Process process;
    private final int port;

    private ApplicationProcess(Process process, int port) {
        super(port);
        this.process = process;
        this.port = port;
    }

    /// @param without substrings of the names of jars to exclude
    /// @param properties as `name=value`
    /// @throws IOException if it does not start; with its output
    static ApplicationProcess start(
            Class<?> application, List<String> without, String... properties) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath(without)));
        command.add(application.getName());
        command.addAll(List.of("--server.port=0", "--server.address=127.0.0.1"));
        for (String each : properties) {
            command.add("--" + each);
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new ApplicationProcess(process, readPort(process));
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String classPath(List<String> without) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> without.stream().noneMatch(new File(entry).getName()::contains))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static int readPort(Process process) throws IOException {
        BufferedReader bound = process.inputReader();
        var all = new StringBuilder();
        for (String line = bound.readLine(); line != null; line = bound.readLine()) {
            int at = line.indexOf(CountingApplication.LISTENS);
            if (at >= 0) {
                return Integer.parseInt(
                        line.substring(at + CountingApplication.LISTENS.length()).strip());
            }
            all.append(line).append('\n');
        }
        throw new IOException("it did not start:\n" + all);
    }

    /// Returns the exit status, and all that the process prints until it ends by itself.
    ///
    /// @throws IOException if it does not end within a minute
    Ended awaitEnd() throws IOException, InterruptedException {
        String printed = process.inputReader().lines().collect(Collectors.joining("\n"));
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IOException("it does not end:\n" + printed);
        }
        return new Ended(process.exitValue(), printed);
    }

    record Ended(int status, String printed) {}

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /// Kills the process, as a power failure would.
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("it cannot be killed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
