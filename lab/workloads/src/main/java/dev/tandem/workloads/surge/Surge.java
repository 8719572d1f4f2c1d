package dev.tandem.workloads.surge;

import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.SessionSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A static site and its users: files, pages, and a stream of sessions, all determined by the
/// settings alone. Immutable; any thread may use it.
///
/// Source: Barford and Crovella, "Generating Representative Web Workloads for Network and Server
/// Performance Evaluation", SIGMETRICS 1998; `docs/workloads.md` lists what is theirs.
///
/// ```java
/// var surge = Surge.of(SurgeSettings.DEFAULT);
/// new SurgeFiles(surge).write(folder, System.out::println);
/// for (var view : surge.session(0)) { … }
/// ```
public final class Surge implements SessionSource {
    private static final long NANOS_A_MICRO = 1_000;

    private final SurgeSettings settings;
    private final FileSet set;
    private final Stream stream;

    private Surge(SurgeSettings settings, FileSet set, Stream stream) {
        this.settings = settings;
        this.set = set;
        this.stream = stream;
    }

    /// Draws all of it; takes some tenths of a second for the default.
    ///
    /// @throws IllegalArgumentException if there are too few requests for each file to be requested
    ///     once, too many bytes, or too few requests per session; the message gives the number
    ///     needed
    public static Surge of(SurgeSettings settings) {
        // Each part has a generator of its own, so that a change of one does not affect the others.
        var seeds = new SplittableRandom(settings.seed());
        var set = FileSet.draw(settings, seeds.split());
        return new Surge(settings, set, Stream.draw(settings, set.pages(), seeds.split()));
    }

    public SurgeSettings settings() {
        return settings;
    }

    @Override
    public String name() {
        return "surge";
    }

    /// Returns the files, rank 1, the most popular, first.
    public List<SurgeFile> files() {
        return set.files();
    }

    /// Returns the pages, the most popular first.
    public List<SurgePage> pages() {
        return set.pages();
    }

    /// The total length of all files.
    public long bytes() {
        return set.files().stream().mapToLong(SurgeFile::bytes).sum();
    }

    /// Returns the views of all sessions, one session after the other.
    public List<PageView> views() {
        return stream.views();
    }

    /// The number of sessions before the stream begins again.
    public int sessions() {
        return stream.starts().length - 1;
    }

    /// Returns the views of one session, at least one.
    ///
    /// @param number at least 0; from [#sessions()] on, the stream begins again
    public List<PageView> session(long number) {
        int index = (int) (number % sessions());
        return stream.views().subList(stream.starts()[index], stream.starts()[index + 1]);
    }

    /// Returns the session of this number: the stream was drawn beforehand, since its order is part
    /// of it, so `random` is not used.
    @Override
    public Iterator<PageView> begin(long number, RandomGenerator random) {
        return session(number).iterator();
    }

    /// Writes the stream as text in ASCII, the same bytes on every machine: a heading, then one
    /// line per request with session, microseconds of pause before it, target, and bytes of the
    /// response's content. A page's own request has `page` in the last column, the others have
    /// `embedded`.
    ///
    /// @throws IOException if `to` throws it
    public void writeStream(OutputStream to) throws IOException {
        var text = new StringBuilder("session,pause_us,target,bytes,part\n");
        for (int number = 0; number < sessions(); number++) {
            for (PageView view : session(number)) {
                line(text, number, view.think(), view.main()).append(",page\n");
                for (Fetch fetch : view.embedded()) {
                    line(text, number, fetch.gap(), fetch).append(",embedded\n");
                }
            }
            to.write(text.toString().getBytes(StandardCharsets.US_ASCII));
            text.setLength(0);
        }
    }

    private static StringBuilder line(StringBuilder to, int number, Duration pause, Fetch fetch) {
        return to.append(number)
                .append(',')
                .append(pause.toNanos() / NANOS_A_MICRO)
                .append(',')
                .append(fetch.target())
                .append(',')
                .append(fetch.bytes());
    }

    /// Returns the SHA-256 of [#writeStream(OutputStream)], as 64 hexadecimal digits.
    public String fingerprint() {
        try (var digesting =
                new DigestOutputStream(
                        OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
            writeStream(digesting);
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException | IOException e) {
            // Every JDK has SHA-256, and no I/O takes place.
            throw new IllegalStateException(e);
        }
    }
}
