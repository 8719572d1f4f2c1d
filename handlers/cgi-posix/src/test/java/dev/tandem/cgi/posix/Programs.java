package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cgi.Cgi;
import dev.tandem.cgi.CgiOptions;
import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A server with programs at `/cgi-bin/` and files at `/`, its clients and its log.
final class Programs implements AutoCloseable {
    private final Path folder;
    private final Cgi cgi;
    private final Server server;
    private final LogCapture log = LogCapture.of("dev.tandem.cgi");
    private final List<RawClient> clients = new ArrayList<>();
    private final Map<String, Integer> disconnectChecks = new ConcurrentHashMap<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Programs(SpawnerKind kind, CgiOptions options) throws IOException {
        folder = Files.createTempDirectory("programs").toRealPath();
        Files.createDirectory(folder.resolve("cgi"));
        Files.createDirectory(folder.resolve("www"));
        cgi = Cgi.folder(programs(), options, kind.spawner());
        server =
                Tandem.listen("127.0.0.1", 0)
                        .route("*", "/cgi-bin/{path...}", this::handle)
                        .get("/{path...}", Folder.of(folder.resolve("www")))
                        .start();
    }

    Programs(SpawnerKind kind) throws IOException {
        this(kind, CgiOptions.DEFAULT);
    }

    private void handle(Exchange x) throws Exception {
        assertTrue(gate.await(20, TimeUnit.SECONDS));
        cgi.handle(new Observed(x));
    }

    /// Counts how often the handler disconnectChecks whether the client has disconnected.
    private final class Observed extends ExchangeWrapper {
        Observed(Exchange x) {
            super(x);
        }

        @Override
        public boolean isClientDisconnected() {
            boolean isGone = super.isClientDisconnected();
            disconnectChecks.merge(pathParam("path"), 1, Integer::sum);
            return isGone;
        }
    }

    /// Returns how often the handler has checked whether a client of this program has disconnected.
    int disconnectChecks(String path) {
        return disconnectChecks.getOrDefault(path, 0);
    }

    /// Holds back the start of programs from now on.
    void hold() {
        gate = new CountDownLatch(1);
    }

    void releaseHeld() {
        gate.countDown();
    }

    Path folder() {
        return folder;
    }

    Path programs() {
        return folder.resolve("cgi");
    }

    /// Stops the server, leaving its programs alone.
    void stop(Duration patience) {
        server.stop(patience);
    }

    int port() {
        return server.address().getPort();
    }

    Cgi cgi() {
        return cgi;
    }

    /// Adds a program.
    ///
    /// @param text `$DIR` in it stands for the parent of the programs' folder
    Programs with(String name, String text) throws IOException {
        Path file = programs().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text.replace("$DIR", folder.toString()));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }

    /// Adds a shell script.
    Programs withShell(String name, String text) throws IOException {
        return with(name, "#!/bin/sh\n" + text);
    }

    Programs withFile(String name, String text) throws IOException {
        Files.writeString(folder.resolve("www").resolve(name), text);
        return this;
    }

    RawClient client() throws IOException {
        var client = RawClient.connect(server.address());
        clients.add(client);
        return client;
    }

    /// Sends a request for a path below `/cgi-bin/`.
    RawClient request(String path) throws IOException {
        return client().send("GET /cgi-bin/" + path + " HTTP/1.1\nHost: a\n\n");
    }

    RawResponse get(String path) throws IOException {
        return request(path).response();
    }

    void awaitFile(String name) {
        Patience.until(name, () -> Files.exists(folder.resolve(name)));
    }

    /// Waits for the number that a program wrote to a file, with a line end.
    long awaitNumber(String name) throws IOException {
        Path file = folder.resolve(name);
        Patience.until(
                name,
                () -> {
                    try {
                        return Files.exists(file) && Files.readString(file).endsWith("\n");
                    } catch (IOException e) {
                        return false;
                    }
                });
        return Long.parseLong(Files.readString(file).strip());
    }

    static void awaitGone(long pid) {
        Patience.until("process " + pid + " is gone", () -> !isRunning(pid));
    }

    /// A zombie process counts as not running.
    static boolean isRunning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    /// Waits until all processes started for this site have ended, in any state of start-up:
    /// programs and their children have its folder in their environment.
    void awaitNoProcesses() {
        Patience.until("none is runningProcesses", () -> runningProcesses().isEmpty());
        awaitIdle();
    }

    /// Returns the running processes that were started for this site.
    List<ProcessHandle> runningProcesses() {
        return ProcessHandle.allProcesses().filter(this::isOfSite).toList();
    }

    private boolean isOfSite(ProcessHandle process) {
        try {
            Path environment = Path.of("/proc/" + process.pid() + "/environ");
            return isRunning(process.pid())
                    && Files.readString(environment, StandardCharsets.ISO_8859_1)
                            .contains("=" + programs() + "/");
        } catch (IOException e) {
            return false; // it has ended, or belongs to another user
        }
    }

    void awaitIdle() {
        Patience.until("no program runs", () -> cgi.processCount() == 0);
    }

    List<String> logged(String part) {
        return log.messages(message -> message.contains(part));
    }

    void awaitLogged(String part) {
        Patience.until(part + " in " + log.lines(), () -> !logged(part).isEmpty());
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        cgi.close();
        server.stop(Duration.ofSeconds(5));
        log.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
