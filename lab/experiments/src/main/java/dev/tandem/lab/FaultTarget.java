package dev.tandem.lab;

import com.zaxxer.hikari.HikariConfig;
import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cgi.Cgi;
import dev.tandem.database.StagedDataSource;
import dev.tandem.fastcgi.FastCgi;
import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.logs.AccessLogWriter;
import dev.tandem.logs.AccessSettings;
import dev.tandem.proxy.Proxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A server for [FaultsExperiment], in a process of its own: what it acknowledges is kept.
///
/// | path | what 200 acknowledges |
/// |---|---|
/// | `POST /journal/{id}` | the id is in the file `journal`, forced to the disk |
/// | `POST /upload/{id}` | the content is in the file `uploads/{id}` |
/// | `POST /row/{id}` | the id is in the database's table `rows` |
/// | `/up/…` | what the upstream acknowledges |
/// | `/cgi-bin/…`, `/php/…` | what the program acknowledges |
/// | `GET /hello`, `GET /static/…` | nothing |
/// | `POST /exhaust/{what}` | nothing: uses up the heap, direct memory or metaspace |
final class FaultTarget {
    /// A property of the JVM: an address in addition to the loopback's, with the same port.
    static final String ADDRESS = "tandem.faults.address";

    /// A property of the JVM: seconds after which idle connections are closed; by default none.
    static final String IDLE = "tandem.faults.idle";

    private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);
    private static final int PIECE = 1 << 20;

    private final Path folder;
    private final @Nullable StagedDataSource rows;

    private FaultTarget(Path folder, @Nullable StagedDataSource rows) {
        this.folder = folder;
        this.rows = rows;
    }

    /// @param arguments port, port of the management, folder; then `upstream PORT`, `php PORT`,
    ///     `database URL USER` in this order as far as they are wanted, else `-`
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[2]);
        Files.createDirectories(folder.resolve("uploads"));
        Files.createDirectories(folder.resolve("static"));
        var target = new FaultTarget(folder, database(arguments));
        var log = AccessLogWriter.open(AccessSettings.DEFAULT.withFile(folder.resolve("access")));
        Tandem site =
                Tandem.listen("127.0.0.1", Integer.parseInt(arguments[0]))
                        .options(Options.DEFAULT.withTimeouts(t -> t.withIdle(idle())))
                        .manage("127.0.0.1", Integer.parseInt(arguments[1]))
                        .accessLog(log);
        String address = System.getProperty(ADDRESS);
        if (address != null) {
            site.andListen(address, Integer.parseInt(arguments[0]));
        }
        target.addTo(site);
        if (arguments[3].equals("-")) {
            site.post("/up/journal/{id}", target::journal); // as the upstream of another
        } else {
            site.route("*", "/up/{path...}", Proxy.to(List.of("127.0.0.1:" + arguments[3])));
        }
        if (!arguments[4].equals("-")) {
            Path php = folder.resolve("php");
            site.route(
                    "*",
                    "/php/{path...}",
                    FastCgi.folder(php, List.of("127.0.0.1:" + arguments[4])));
        }
        Path programs = folder.resolve("cgi-bin");
        if (Files.isDirectory(programs)) {
            site.route("*", "/cgi-bin/{path...}", Cgi.folder(programs));
        }
        Server _ = site.start();
    }

    private static Duration idle() {
        return Duration.ofSeconds(Integer.getInteger(IDLE, 0));
    }

    private static @Nullable StagedDataSource database(String[] arguments) throws SQLException {
        if (arguments.length < 7) {
            return null;
        }
        var config = new HikariConfig();
        config.setJdbcUrl(arguments[5]);
        config.setUsername(arguments[6]);
        config.setMaximumPoolSize(8);
        return StagedDataSource.over(config);
    }

    private void addTo(Tandem site) {
        site.get("/hello", x -> x.contentType("text/plain").send(OK))
                .get("/static/{path...}", Folder.of(folder.resolve("static")))
                .post("/journal/{id}", this::journal)
                .post("/upload/{id}", this::upload)
                .post("/row/{id}", this::row)
                .post("/exhaust/{what}", FaultTarget::exhaust);
    }

    /// One after the other: a line that was not written whole is not acknowledged.
    private synchronized void journal(Exchange x) throws IOException {
        String line = Objects.requireNonNull(x.pathParam("id")) + "\n";
        try (var file =
                FileChannel.open(
                        folder.resolve("journal"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line);
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
        }
        x.contentType("text/plain").send(OK);
    }

    private void upload(Exchange x) throws IOException {
        Path uploads = folder.resolve("uploads");
        Path part = Files.createTempFile(uploads, "part", "");
        try {
            try (InputStream body = x.request().body();
                    OutputStream out = Files.newOutputStream(part)) {
                body.transferTo(out);
            }
            Files.move(part, uploads.resolve(x.pathParam("id")), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        x.contentType("text/plain").send(OK);
    }

    private void row(Exchange x) throws IOException, SQLException {
        StagedDataSource source = rows;
        if (source == null) {
            throw new HttpException(404, "there is no database");
        }
        try (var connection = source.getConnection();
                var insert = connection.prepareStatement("insert into tandem_rows values (?)")) {
            insert.setString(1, x.pathParam("id"));
            insert.executeUpdate();
        }
        x.contentType("text/plain").send(OK);
    }

    // ---- Memory.

    private static void exhaust(Exchange x) throws IOException {
        switch (Objects.requireNonNull(x.pathParam("what"))) {
            case "heap" -> heap();
            case "direct" -> direct();
            case "metaspace" -> metaspace();
            default -> throw new HttpException(404, "heap, direct or metaspace");
        }
        x.contentType("text/plain").send(OK);
    }

    private static void heap() {
        var all = new ArrayList<byte[]>();
        while (all.size() < Integer.MAX_VALUE) {
            all.add(new byte[PIECE]);
        }
    }

    private static void direct() {
        var all = new ArrayList<ByteBuffer>();
        while (all.size() < Integer.MAX_VALUE) {
            all.add(ByteBuffer.allocateDirect(PIECE));
        }
    }

    /// Each class is a copy of a small one, and stays as long as the list.
    private static void metaspace() throws IOException {
        var all = new ArrayList<Class<?>>();
        try (InputStream in = FaultTarget.class.getResourceAsStream("FaultTarget$Copied.class")) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            while (all.size() < Integer.MAX_VALUE) {
                all.add(MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass());
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What [#metaspace] copies.
    @SuppressWarnings("unused")
    private static final class Copied {
        private long first;
        private String second = "";
    }
}
