package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cgi.Cgi;
import dev.tandem.cgi.CgiOptions;
import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
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

/// A server with programs at `/cgi-bin/` and files at `/`, its clients and what it logs.
final class Programs implements AutoCloseable {
    private final Path folder;
    private final Cgi cgi;
    private final Server server;
    private final LogCapture log = LogCapture.of("dev.tandem.cgi");
    private final List<RawClient> clients = new ArrayList<>();
    private final Map<String, Integer> looks = new ConcurrentHashMap<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Programs(SpawnerKind way, CgiOptions options) throws IOException {
        folder = Files.createTempDirectory("programs").toRealPath();
        Files.createDirectory(folder.resolve("cgi"));
        Files.createDirectory(folder.resolve("www"));
        cgi = Cgi.folder(programs(), options, way.spawner());
        server =
                Tandem.listen("127.0.0.1", 0)
                        .route("*", "/cgi-bin/{path...}", this::handle)
                        .get("/{path...}", Folder.of(folder.resolve("www")))
                        .start();
    }

    Programs(SpawnerKind way) throws IOException {
        this(way, CgiOptions.DEFAULT);
    }

    private void handle(Exchange x) throws Exception {
        assertTrue(gate.await(20, TimeUnit.SECONDS));
        cgi.handle(new Observed(x));
    }

    /// Counts how often the handler looks whether the client has disconnected.
    private final class Observed extends ExchangeWrapper {
        Observed(Exchange x) {
            super(x);
        }

        @Override
        public boolean isClientDisconnected() {
            boolean isGone = super.isClientDisconnected();
            looks.merge(pathParam("path"), 1, Integer::sum);
            return isGone;
        }
    }

    /// Returns how often the handler has looked whether a client of this program has disconnected.
    int looks(String path) {
        return looks.getOrDefault(path, 0);
    }

    /// Programs are not begun from now on.
    void hold() {
        gate = new CountDownLatch(1);
    }

    void letGo() {
        gate.countDown();
    }

    Path folder() {
        return folder;
    }

    Path programs() {
        return folder.resolve("cgi");
    }

    /// Stops the server, without a word to the programs.
    void stop(Duration patience) {
        server.stop(patience);
    }

    int port() {
        return server.address().getPort();
    }

    Cgi cgi() {
        return cgi;
    }

    /// Puts a program there.
    ///
    /// @param text `$DIR` in it is the folder around that of the programs
    Programs with(String name, String text) throws IOException {
        Path file = programs().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text.replace("$DIR", folder.toString()));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }

    /// Puts a program of the shell's there.
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

    /// Asks for what is at `/cgi-bin/`.
    RawClient asked(String path) throws IOException {
        return client().send("GET /cgi-bin/" + path + " HTTP/1.1\nHost: a\n\n");
    }

    RawResponse get(String path) throws IOException {
        return asked(path).response();
    }

    void awaitFile(String name) {
        Patience.until(name, () -> Files.exists(folder.resolve(name)));
    }

    /// The number that a program wrote to a file, with a line's end behind it.
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

    /// A dead process that nobody has taken the end of is not running.
    static boolean isRunning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    /// Waits until nothing runs that was started for this site, however far it has come: programs
    /// and their children have its folder in their environment.
    void awaitNoneLeft() {
        Patience.until("none is left", () -> left().isEmpty());
        awaitIdle();
    }

    /// What runs that was started for this site.
    List<ProcessHandle> left() {
        return ProcessHandle.allProcesses().filter(this::isOfSite).toList();
    }

    private boolean isOfSite(ProcessHandle process) {
        try {
            Path environment = Path.of("/proc/" + process.pid() + "/environ");
            return isRunning(process.pid())
                    && Files.readString(environment, StandardCharsets.ISO_8859_1)
                            .contains("=" + programs() + "/");
        } catch (IOException e) {
            return false; // it has ended, or is another user's
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
