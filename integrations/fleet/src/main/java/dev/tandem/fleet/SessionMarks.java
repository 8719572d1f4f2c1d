package dev.tandem.fleet;

import dev.tandem.KnownSessions;
import dev.tandem.admission.SessionSeal;
import dev.tandem.http.Cookies;
import dev.tandem.http.Filter;
import dev.tandem.http.RequestHead;
import dev.tandem.http.SetCookie;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Marks of sessions that all instances of a fleet recognise without a store: a cookie with a
/// random identifier and the time of issue, signed with a key of a mounted secret. A request with a
/// mark goes before new sessions on each instance. All connections with one mark are one session
/// there, so a copied mark gains nothing.
///
/// The secret is read again every ten seconds at most, by a thread of its own: event loops look for
/// marks, and must not wait for a file system. To rotate: add the new key as the last line
/// everywhere, then move it to the first, then remove the old one an hour later. If the secret is
/// missing or malformed meanwhile, the keys stay as they were, and a warning says why, once. Safe
/// for use by any thread.
public final class SessionMarks implements KnownSessions {
    /// 1 h, the longest that a session has priority.
    static final Duration AGE_MAX = Duration.ofHours(1);

    private static final String COOKIE = "tandem-mark";
    private static final System.Logger LOG = System.getLogger("dev.tandem.fleet");

    /// 10 s.
    private static final long CHECK_NANOS = 10_000_000_000L;

    private final Source source;
    private final InstantSource time;
    private final LongSupplier nanos;
    private final Executor reader;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile List<SessionSeal> seals;
    private volatile long checkedAt;

    /// Of the last reading.
    private volatile @Nullable String failure;

    /// Reads the keys; may take long.
    @FunctionalInterface
    interface Source {
        MarkKeys read() throws IOException;
    }

    /// @param reader runs what reads the keys again
    SessionMarks(Source source, InstantSource time, LongSupplier nanos, Executor reader)
            throws IOException {
        this.source = source;
        this.time = time;
        this.nanos = nanos;
        this.reader = reader;
        this.seals = seals(source.read());
        this.checkedAt = nanos.getAsLong();
    }

    /// Reads the secret.
    ///
    /// @param secret a file, or a folder of files, with a key in base64 in each line
    /// @throws IOException if it is missing or malformed; names the file and the line
    public static SessionMarks open(Path secret) throws IOException {
        return new SessionMarks(
                () -> MarkKeys.read(secret),
                InstantSource.system(),
                System::nanoTime,
                task -> Thread.ofPlatform().daemon().name("tandem-marks").start(task));
    }

    private static List<SessionSeal> seals(MarkKeys keys) {
        return keys.keys().stream().map(key -> new SessionSeal(key, AGE_MAX.toSeconds())).toList();
    }

    @Override
    public OptionalLong find(Cookies cookies) {
        String mark = cookies.first(COOKIE);
        return mark == null ? OptionalLong.empty() : verify(mark);
    }

    OptionalLong verify(String mark) {
        refresh();
        long now = time.instant().getEpochSecond();
        for (SessionSeal seal : seals) {
            OptionalLong id = seal.open(mark, now);
            if (id.isPresent()) {
                return id;
            }
        }
        return OptionalLong.empty();
    }

    String issue() {
        refresh();
        return seals.getFirst().issue(random.nextLong(), time.instant().getEpochSecond());
    }

    /// Returns a filter that marks clients whose requests have no valid mark.
    public Filter filter() {
        return (x, next) -> {
            if (find(x.request().cookies()).isEmpty()) {
                x.cookie(cookie(x.request().isSecure()));
            }
            next.handle(x);
        };
    }

    boolean isMarked(RequestHead head) {
        return find(Cookies.parse(head.headers())).isPresent();
    }

    /// Returns a new mark.
    SetCookie cookie(boolean isSecure) {
        return SetCookie.of(COOKIE, issue())
                .path("/")
                .maxAge(AGE_MAX)
                .httpOnly(true)
                .secure(isSecure)
                .sameSite(SetCookie.SameSite.LAX);
    }

    /// Has the keys read again, if that is due. Returns at once; the keys are those of before until
    /// they are read.
    void refresh() {
        long now = nanos.getAsLong();
        // A file system that hangs holds the thread that reads, and no other.
        if (now - checkedAt < CHECK_NANOS || !isReading.compareAndSet(false, true)) {
            return;
        }
        checkedAt = now;
        boolean isStarted = false;
        try {
            reader.execute(this::readAgain);
            isStarted = true;
        } catch (OutOfMemoryError e) {
            failed("there is no thread to read them: " + e.getMessage());
        } finally {
            if (!isStarted) {
                isReading.set(false);
            }
        }
    }

    private void readAgain() {
        try {
            seals = seals(source.read());
            failure = null;
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        } finally {
            isReading.set(false);
        }
    }

    private void failed(String why) {
        if (!why.equals(failure)) {
            failure = why;
            LOG.log(Level.WARNING, "keys of session marks stay as they are: " + why);
        }
    }
}
