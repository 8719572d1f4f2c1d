package dev.tandem.tls;

import java.lang.ref.Cleaner;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// What TLS connections have in common: certificates, an engine, ticket keys, counters. Makes a
/// [TlsSession] for each connection. Thread safe.
///
/// It has no thread: whoever owns it calls [#refresh()] about once a minute.
public final class TlsContext {
    private static final Cleaner CLEANER = Cleaner.create();

    private final InstantSource time;
    private final ChosenEngine engine;
    private final TlsCounters counters = new TlsCounters();

    /// For reloading and refreshing, one at a time; handshakes never wait for it.
    private final ReentrantLock changes = new ReentrantLock();

    private volatile LoadedCertificates current;
    private TicketKeys tickets = TicketKeys.NONE;

    /// What the engines of `current` have; only changes reach them.
    private List<TicketKey> inUse = List.of();

    private TlsContext(TlsSettings settings, InstantSource time) throws TlsConfigException {
        this.time = time;
        engine = ChosenEngine.of(settings.engine());
        TicketKeys first = ticketsAt(settings, time.instant());
        current = load(settings);
        use(first, time.instant());
    }

    /// Reads all files and checks them.
    ///
    /// @throws TlsConfigException if one cannot be used; the message names it and the reason
    public static TlsContext open(TlsSettings settings) throws TlsConfigException {
        return open(settings, InstantSource.system());
    }

    /// The same by another clock, which decides of certificates' validity and the age of ticket
    /// keys.
    public static TlsContext open(TlsSettings settings, InstantSource time)
            throws TlsConfigException {
        return new TlsContext(settings, time);
    }

    /// The engine in use, for the log: `BoringSSL`, or `JDK` with its version and the reason.
    public String engineName() {
        return engine.name();
    }

    /// What was asked for and cannot be had with this engine, in sentences for the log.
    public List<String> unsupportedSettings() {
        var shortcomings = new ArrayList<String>();
        TlsSettings settings = current.settings();
        if (engine.isJdk() && settings.ticketKeys() != null) {
            shortcomings.add(
                    "the JDK's engine has ticket keys of its own: sessions are not resumed after a"
                            + " restart nor on other servers");
        }
        if (engine.isJdk() && settings.certificates().stream().anyMatch(c -> c.ocsp() != null)) {
            shortcomings.add("the JDK's engine staples no OCSP answer from a file");
        }
        return List.copyOf(shortcomings);
    }

    public TlsCounters counters() {
        return counters;
    }

    /// For a connection that was accepted.
    public TlsSession newSession() {
        return new TlsSession(this);
    }

    /// Reads all files again. New connections get what was read; those that are open stay as they
    /// are.
    ///
    /// @throws TlsConfigException if one cannot be used; then all stays as it was
    public void reload() throws TlsConfigException {
        reload(current.settings());
    }

    /// The same with other settings; the choice of the engine is not changed by it.
    public void reload(TlsSettings settings) throws TlsConfigException {
        changes.lock();
        try {
            TicketKeys keys = ticketsAt(settings, time.instant());
            LoadedCertificates next = load(settings);
            List<TicketKey> nextInUse = keys.inUse(time.instant());
            next.all().forEach(served -> served.engines().setTicketKeys(nextInUse));
            tickets = keys;
            inUse = nextInUse;
            current = next;
        } finally {
            changes.unlock();
        }
    }

    /// Makes and takes ticket keys that are due: to be called about once a minute.
    ///
    /// @throws TlsConfigException if the file of ticket keys cannot be read or written; the keys of
    ///     before stay in use
    public void refresh() throws TlsConfigException {
        changes.lock();
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
        return settings.ticketKeys() == null
                ? tickets.rotated(now)
                : new TicketKeyFile(settings.ticketKeys()).refreshed(now);
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
        List<LoadedCertificates.ServedCertificate> all = generation.all();
        CLEANER.register(generation, () -> LoadedCertificates.close(all));
        return generation;
    }
}
