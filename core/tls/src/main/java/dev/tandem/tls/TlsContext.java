package dev.tandem.tls;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The shared state of TLS connections: certificates, an engine, ticket keys, counters. Creates a
/// [TlsSession] for each connection. Thread-safe.
///
/// It has no thread of its own: its owner calls [#refresh()] about once a minute.
public final class TlsContext {
    private static final Cleaner CLEANER = Cleaner.create();

    private final InstantSource time;
    private final ChosenEngine engine;
    private final TlsCounters counters = new TlsCounters();

    /// Serializes reloading and refreshing; handshakes never wait for it.
    private final ReentrantLock changes = new ReentrantLock();

    private volatile LoadedCertificates current;
    private TicketKeys tickets = TicketKeys.NONE;

    /// Whether some of `tickets` could not be written to their file.
    private boolean areTicketsUnwritten;

    /// The keys set in the engine factories of `current`, which are updated only on changes.
    private List<TicketKey> inUse = List.of();

    /// The ticket keys' path once it was a folder: if that is missing later, such as while it is
    /// mounted again, no file is created in its place.
    private @Nullable Path folder;

    private TlsContext(TlsSettings settings, InstantSource time) throws TlsConfigException {
        this.time = time;
        engine = ChosenEngine.of(settings.engine());
        TicketKeys first = ticketsAt(settings, time.instant());
        current = load(settings);
        use(first, time.instant());
    }

    /// Reads and validates all files.
    ///
    /// @throws TlsConfigException if one cannot be used; the message names it and the reason
    public static TlsContext open(TlsSettings settings) throws TlsConfigException {
        return open(settings, InstantSource.system());
    }

    /// Reads and validates all files, with a clock that determines the validity of certificates and
    /// the age of ticket keys.
    public static TlsContext open(TlsSettings settings, InstantSource time)
            throws TlsConfigException {
        return new TlsContext(settings, time);
    }

    /// Reads and validates all files, as [#open(TlsSettings)], and writes none: ticket keys that
    /// are due are not created.
    ///
    /// @return as [#invalidCertificates()]
    /// @throws TlsConfigException if one cannot be used; the message names it and the reason
    public static List<String> validate(TlsSettings settings) throws TlsConfigException {
        Path tickets = settings.ticketKeys();
        if (tickets != null) {
            if (Files.isDirectory(tickets)) {
                new TicketKeyFolder(tickets).read();
            } else {
                new TicketKeyFile(tickets).read();
            }
        }
        return open(settings.withTicketKeys(null)).invalidCertificates();
    }

    /// Returns the engine in use, for the log: `BoringSSL`, or `JDK` with its version and the
    /// reason.
    public String engineName() {
        return engine.name();
    }

    /// Returns the requested settings that this engine does not support, in sentences for the log.
    public List<String> unsupportedSettings() {
        var unsupported = new ArrayList<String>();
        TlsSettings settings = current.settings();
        if (engine.isJdk() && settings.ticketKeys() != null) {
            unsupported.add(
                    "the JDK's engine has ticket keys of its own: sessions are not resumed after a"
                            + " restart nor on other servers");
        }
        if (engine.isJdk() && settings.certificates().stream().anyMatch(c -> c.ocsp() != null)) {
            unsupported.add("the JDK's engine does not staple OCSP responses from a file");
        }
        return List.copyOf(unsupported);
    }

    /// Returns the certificates in use that clients reject now, because they have expired or are
    /// not valid yet, in sentences for the log.
    public List<String> invalidCertificates() {
        Instant now = time.instant();
        return current.all().stream()
                .flatMap(served -> Stream.ofNullable(served.identity().invalidity(now)))
                .toList();
    }

    /// Returns the settings of the files in use.
    public TlsSettings settings() {
        return current.settings();
    }

    public TlsCounters counters() {
        return counters;
    }

    /// Creates a session for an accepted connection.
    public TlsSession newSession() {
        return new TlsSession(this);
    }

    /// Reloads all files. The result applies to new connections only.
    ///
    /// @throws TlsConfigException if one cannot be used; nothing is changed then
    public void reload() throws TlsConfigException {
        reload(current.settings());
    }

    /// Reloads all files with other settings, except the choice of the engine.
    public void reload(TlsSettings settings) throws TlsConfigException {
        try (Reload next = prepare(settings)) {
            next.apply();
        }
    }

    /// Reads and validates all files, as [#reload(TlsSettings)], and changes nothing yet. Other
    /// reloads wait until the result is closed, by the same thread.
    ///
    /// @throws TlsConfigException if a file cannot be used; then there is nothing to close
    public Reload prepare(TlsSettings settings) throws TlsConfigException {
        changes.lock();
        boolean isPrepared = false;
        try {
            if (settings.engine() != current.settings().engine()) {
                ChosenEngine.of(settings.engine()); // for the next start
            }
            TicketKeys keys = ticketsAt(settings, time.instant());
            LoadedCertificates next = load(settings);
            List<TicketKey> nextInUse = keys.inUse(time.instant());
            next.all().forEach(served -> served.engines().setTicketKeys(nextInUse));
            var reload = new Reload(keys, nextInUse, next);
            isPrepared = true;
            return reload;
        } finally {
            if (!isPrepared) {
                changes.unlock();
            }
        }
    }

    /// What was read for a reload.
    public final class Reload implements AutoCloseable {
        private final TicketKeys keys;
        private final List<TicketKey> nextInUse;
        private final LoadedCertificates next;

        private Reload(TicketKeys keys, List<TicketKey> nextInUse, LoadedCertificates next) {
            this.keys = keys;
            this.nextInUse = nextInUse;
            this.next = next;
        }

        /// Uses it for new connections. Does not block.
        public void apply() {
            tickets = keys;
            inUse = nextInUse;
            current = next;
        }

        @Override
        public void close() {
            changes.unlock();
        }
    }

    /// Creates or reads ticket keys that are due; must be called about once a minute. While a
    /// reload runs, which does so too, it returns at once.
    ///
    /// @throws TlsConfigException if the file of ticket keys cannot be read; the previous keys stay
    ///     in use
    public void refresh() throws TlsConfigException {
        if (!changes.tryLock()) {
            return;
        }
        try {
            Instant now = time.instant();
            use(ticketsAt(current.settings(), now), now);
        } finally {
            changes.unlock();
        }
    }

    LoadedCertificates current() {
        return current;
    }

    private TicketKeys ticketsAt(TlsSettings settings, Instant now) throws TlsConfigException {
        Path file = settings.ticketKeys();
        if (file == null) {
            return tickets.rotated(now);
        }
        if (Files.isDirectory(file)) {
            folder = file;
        }
        return file.equals(folder) && !Files.isRegularFile(file)
                ? new TicketKeyFolder(file).read()
                : ticketsIn(file, now);
    }

    /// Where the file cannot be written, keys are in memory: a full disk must keep no server from
    /// its start, and no certificate from a reload. Each call tries to write them.
    private TicketKeys ticketsIn(Path path, Instant now) throws TlsConfigException {
        var file = new TicketKeyFile(path);
        TicketKeys own = areTicketsUnwritten ? tickets : TicketKeys.NONE;
        try {
            TicketKeys keys = file.refreshed(now, own);
            if (areTicketsUnwritten) {
                areTicketsUnwritten = false;
                Log.LOG.log(Level.INFO, path + ": ticket keys are written again");
            }
            return keys;
        } catch (IOException e) {
            if (!areTicketsUnwritten) {
                areTicketsUnwritten = true;
                Log.LOG.log(Level.WARNING, unwritten(path, e));
            }
            return file.read().with(tickets).rotated(now);
        }
    }

    private static String unwritten(Path path, IOException why) {
        return path
                + ": ticket keys cannot be written, and are in memory until they are: no session"
                + " outlives a restart. Make room there, or let this user write to "
                + path.toAbsolutePath().getParent()
                + "; tried again every minute: "
                + why;
    }

    private void use(TicketKeys keys, Instant now) {
        tickets = keys;
        List<TicketKey> next = keys.inUse(now);
        if (!next.equals(inUse)) {
            inUse = next;
            current.all().forEach(served -> served.engines().setTicketKeys(next));
        }
    }

    private LoadedCertificates load(TlsSettings settings) throws TlsConfigException {
        LoadedCertificates generation = LoadedCertificates.load(settings, engine, time.instant());
        List<LoadedCertificates.ServedCertificate> opened = generation.opened();
        CLEANER.register(generation, () -> LoadedCertificates.close(opened));
        return generation;
    }
}
