package dev.tandem.acme;

import dev.tandem.Gauge;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.CertificateSource;
import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Certificates from an ACME authority such as Let's Encrypt (RFC 8555): ordered, proved, stored
/// and renewed by themselves. Safe for use by any thread.
///
/// ```java
/// var acme = AcmeCertificates.open(AcmeSettings.of(Path.of("acme"), "example.org"));
/// Server server =
///         Tandem.listen(443)
///                 .tls(TlsSettings.of(acme))
///                 .andListen(80)
///                 .route("GET", AcmeCertificates.PATTERN, acme.handler())
///                 .start();
/// acme.start(server::reloadTls);
/// ```
///
/// Until the first certificate is there, clients get one that they do not trust. An authority that
/// is down, refuses or limits changes nothing for clients: the certificate in use stays until it
/// expires, and each failure is logged with the time of the next attempt.
public final class AcmeCertificates implements CertificateSource, AutoCloseable {
    /// The pattern of the route for HTTP-01 (RFC 8555, section 8.3).
    public static final String PATTERN = "/.well-known/acme-challenge/{token}";

    /// As in RFC 8555, section 8.3.
    private static final String TOKEN_TYPE = "application/octet-stream";

    /// A minute: the longest wait, so that a clock that was set is noticed.
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    /// An hour: the longest time until the server is made to show again what it could not.
    private static final Duration SHOW_AGAIN_MAX = Duration.ofHours(1);

    private static final Duration END_MAX = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final boolean isOnDemand;
    private final Proofs proofs = new Proofs();
    private final RequestedNames requested = new RequestedNames();
    private final Renewer renewer;

    /// Names that may have a certificate; an empty one ends the wait for them.
    private final BlockingQueue<String> permitted =
            new ArrayBlockingQueue<>(RequestedNames.WAITING_MAX);

    private final PermissionAskers askers;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("tandem-acme").unstarted(this::run);
    private volatile @Nullable Reload reload;

    /// Why the server may not show what is there; empty if it does. This and the following are
    /// confined to the thread that renews.
    private String obstacle = "";

    /// When the server was last made to show what is there.
    private Instant triedAt = Instant.MIN;

    /// How long after that it is made to do so again.
    private Duration showAgainAfter = WAIT_MAX;

    private volatile boolean isClosed;

    /// Makes a server use the certificates as they are now: `server::reloadTls`.
    @FunctionalInterface
    public interface Reload {
        /// @throws TlsConfigException if another certificate of the server cannot be used
        void run() throws TlsConfigException;
    }

    private AcmeCertificates(AcmeSettings settings, InstantSource clock) throws IOException {
        settings.check();
        this.clock = clock;
        isOnDemand = settings.permission() != null;
        var storage = new Storage(settings.storage(), settings.directory());
        var authority = new Authority(settings, storage, proofs, this::show);
        renewer = new Renewer(settings, clock, storage, authority, this::show);
        askers = new PermissionAskers(requested, clock, renewer::isPermitted, permitted);
    }

    /// Reads the certificates that are stored. Nothing is ordered before [#start].
    ///
    /// @throws IOException if the storage cannot be read; names the file
    public static AcmeCertificates open(AcmeSettings settings) throws IOException {
        return open(settings, InstantSource.system());
    }

    /// Reads the certificates that are stored, in place of earlier sources with other settings. If
    /// storage and authority are the same, what these have in use stays in use, also where it could
    /// not be stored. If only the names are others, what failed is not repeated at once.
    ///
    /// @param previous may be in use still
    /// @throws IOException if the storage cannot be read; names the file
    public static AcmeCertificates open(
            AcmeSettings settings, Collection<AcmeCertificates> previous) throws IOException {
        AcmeCertificates opened = open(settings);
        previous.forEach(each -> opened.renewer.takeOver(each.renewer));
        return opened;
    }

    /// Reads the certificates that are stored, with a clock that decides what is due.
    static AcmeCertificates open(AcmeSettings settings, InstantSource clock) throws IOException {
        return new AcmeCertificates(settings, clock);
    }

    /// Begins to order and to renew. The listener must be open, because the authority connects to
    /// it.
    ///
    /// @throws IllegalThreadStateException if it was called before
    public void start(Reload reload) {
        this.reload = reload;
        thread.start();
        if (isOnDemand) {
            askers.start();
        }
    }

    /// Returns the handler of [#PATTERN] for names that are proved by HTTP. It does not block, and
    /// responds with 404 to tokens that are not its own.
    public Handler handler() {
        return handler(List.of(this));
    }

    /// Returns a handler of [#PATTERN] for several sources of one server.
    public static Handler handler(Collection<AcmeCertificates> all) {
        List<AcmeCertificates> sources = List.copyOf(all);
        return Handler.nonBlocking(x -> x.contentType(TOKEN_TYPE).send(text(sources, x)));
    }

    private static String text(List<AcmeCertificates> sources, Exchange x) {
        String token = x.pathParam("token");
        return sources.stream()
                .flatMap(source -> source.proofs.text(token).stream())
                .findFirst()
                .orElseThrow(() -> new HttpException(404, "no name is proved by this token"));
    }

    /// Returns the number of valid certificates, the time until the first expires and the number of
    /// failed orders.
    public List<Gauge> gauges() {
        return gauges(() -> List.of(this));
    }

    /// Returns the gauges of several sources of one server together.
    ///
    /// @param current returns the sources as they are when a gauge is read; of none there is no
    ///     value. Called by any thread
    public static List<Gauge> gauges(Supplier<? extends Collection<AcmeCertificates>> current) {
        return List.of(
                new Gauge(
                        "acme",
                        "certificates",
                        "Valid certificates from the authority.",
                        () -> sum(current, source -> source.renewer.validCount())),
                new Gauge(
                        "acme",
                        "expiry_seconds",
                        "Time until the first certificate expires; 0 if there is none.",
                        () -> secondsLeft(current)),
                new Gauge(
                        "acme",
                        "failures_total",
                        "Failed orders.",
                        () -> sum(current, source -> source.renewer.failures())));
    }

    private static double sum(
            Supplier<? extends Collection<AcmeCertificates>> current,
            ToDoubleFunction<AcmeCertificates> number) {
        return some(current).mapToDouble(number).sum();
    }

    private static double secondsLeft(Supplier<? extends Collection<AcmeCertificates>> current) {
        return some(current)
                .flatMap(source -> source.timeLeft().stream())
                .min(Comparator.naturalOrder())
                .map(Duration::toSeconds)
                .orElse(0L);
    }

    /// @throws IllegalStateException if there are none: then a gauge is not shown
    private static Stream<AcmeCertificates> some(
            Supplier<? extends Collection<AcmeCertificates>> current) {
        Collection<AcmeCertificates> sources = current.get();
        if (sources.isEmpty()) {
            throw new IllegalStateException("no certificates are ordered");
        }
        return sources.stream();
    }

    private Optional<Duration> timeLeft() {
        return renewer.firstExpiry().map(expiry -> Duration.between(clock.instant(), expiry));
    }

    @Override
    public List<CertificateFiles> certificates() {
        return renewer.held().stream().map(HeldCertificate::files).toList();
    }

    @Override
    public List<CertificateFiles> proofs() {
        return proofs.certificates();
    }

    @Override
    public void nameRequested(String name) {
        if (isOnDemand && !renewer.isManaged(name)) {
            requested.add(name);
        }
    }

    /// Looks at once what is due, because the clock was set.
    void wake() {
        permitted.offer("");
    }

    /// Makes the server show what is there now. If that fails, it is repeated: the reason may be
    /// another certificate of the server.
    private void show() {
        Reload known = reload;
        triedAt = clock.instant();
        try {
            if (known != null) {
                known.run();
            }
            shown();
        } catch (TlsConfigException e) {
            notShown(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            notShown(e.toString());
            throw e;
        }
    }

    /// Logs a reason once, however often it is met. Some listeners may show what is there: each
    /// loads its own certificates.
    private void notShown(String reason) {
        if (!reason.equals(obstacle)) {
            obstacle = reason;
            showAgainAfter = WAIT_MAX;
            Log.LOG.log(
                    Level.WARNING,
                    "some of the server's certificates cannot be loaded again, so what the"
                            + " authority issued may not be in use; tried again in "
                            + WAIT_MAX.toSeconds()
                            + " s, and every hour at least: "
                            + reason);
        }
    }

    /// Repeats a [#show] that failed, first after a minute, and then ever more seldom: each loads
    /// all certificates of the server, and logs those that are not valid. The server may have
    /// loaded them by itself meanwhile, or tried to.
    private void showAgain() {
        if (obstacle.isEmpty()) {
            return;
        }
        Duration since = Duration.between(triedAt, clock.instant()).abs(); // it may be set
        if (since.compareTo(showAgainAfter) < 0) {
            return;
        }
        Duration next = showAgainAfter.multipliedBy(2);
        showAgainAfter = next.compareTo(SHOW_AGAIN_MAX) < 0 ? next : SHOW_AGAIN_MAX;
        try {
            show();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void shown() {
        if (!obstacle.isEmpty()) {
            obstacle = "";
            Log.LOG.log(Level.INFO, "what the authority issued is in use now");
        }
    }

    private void run() {
        try {
            while (!isClosed) {
                proceed();
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    private void proceed() throws InterruptedException {
        try {
            showAgain();
            Instant next = renewer.step();
            Instant now = clock.instant();
            Duration wait = next.isAfter(now.plus(WAIT_MAX)) ? WAIT_MAX : left(now, next);
            String name = permitted.poll(Math.max(1, wait.toMillis()), TimeUnit.MILLISECONDS);
            if (name != null && !name.isEmpty()) {
                addOnDemand(name);
            }
        } catch (RuntimeException | Error e) {
            // A defect, or a lack of memory, must not end the renewal of all.
            failed(e);
            Thread.sleep(WAIT_MAX);
        }
    }

    private static void failed(Throwable e) {
        try {
            Log.LOG.log(Level.ERROR, "a step failed; the next follows in " + WAIT_MAX, e);
        } catch (OutOfMemoryError _) {
            // There is none for the message, either.
        }
    }

    private void addOnDemand(String name) {
        try {
            if (!renewer.addOnDemand(name)) {
                requested.refuse(name, clock.instant());
            }
        } finally {
            requested.decided(name);
        }
    }

    private static Duration left(Instant now, Instant next) {
        return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }

    /// Stops to order and to renew. An order in progress is abandoned.
    @Override
    public void close() {
        isClosed = true; // acme4j may take the interrupt for a failure of the network
        thread.interrupt();
        askers.close();
        wake();
        try {
            thread.join(END_MAX.toMillis()); // returns at once if it was never started
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
