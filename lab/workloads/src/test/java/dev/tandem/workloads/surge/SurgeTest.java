package dev.tandem.workloads.surge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SurgeTest {
    private static final Surge SURGE = Surge.of(SurgeSettings.DEFAULT);

    /// If this changes, results are no longer comparable with those before: increment the format in
    /// the manifest if sizes change, and record it in the list of changes.
    @Test
    void streamOfTheFirstSeedNeverChanges() {
        assertEquals(
                "c42cc7a67436cc4f06d47cb1de7d65ae6d7afcf235e66036f10fc58b6b315a3d",
                SURGE.fingerprint());
    }

    @Test
    void sameSeedMakesTheSameStreamByteForByte() throws IOException {
        var again = Surge.of(SurgeSettings.DEFAULT);
        assertEquals(text(SURGE), text(again));
        assertEquals(SURGE.files(), again.files());
    }

    @Test
    void anotherSeedMakesAnotherStream() {
        var other = Surge.of(SurgeSettings.DEFAULT.withSeed(2));
        assertNotEquals(SURGE.fingerprint(), other.fingerprint());
        assertNotEquals(SURGE.bytes(), other.bytes());
    }

    @Test
    void numberOfRequestsDoesNotChangeFiles() {
        var longer = Surge.of(SurgeSettings.DEFAULT.withRequests(40_000));
        assertEquals(sizes(SURGE), sizes(longer));
    }

    @Test
    void everyFileHasItsNumberOfRequests() {
        var counts = new HashMap<String, Long>();
        for (PageView view : SURGE.views()) {
            counts.merge(view.main().target(), 1L, Long::sum);
            view.embedded().forEach(fetch -> counts.merge(fetch.target(), 1L, Long::sum));
        }
        var expected = new HashMap<String, Long>();
        SURGE.files().forEach(file -> expected.put(file.target(), file.requests()));
        assertEquals(expected, counts);
        assertEquals(
                SurgeSettings.DEFAULT.requests(),
                counts.values().stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void embeddedFilesAreRequestedWithTheirPageOnly() {
        var embeddedOf = new HashMap<String, List<String>>();
        for (SurgePage page : SURGE.pages()) {
            embeddedOf.put(
                    page.main().target(), page.embedded().stream().map(SurgeFile::target).toList());
        }
        for (PageView view : SURGE.views()) {
            var known = embeddedOf.getOrDefault(view.page(), List.of());
            assertTrue(known.containsAll(view.embedded().stream().map(Fetch::target).toList()));
        }
    }

    @Test
    void everyFileHasOneKind() {
        var files = new ArrayList<SurgeFile>();
        for (SurgePage page : SURGE.pages()) {
            boolean isBase = page.main().kind() == SurgeFile.Kind.BASE;
            assertEquals(isBase, !page.embedded().isEmpty());
            files.add(page.main());
            files.addAll(page.embedded());
        }
        assertEquals(SURGE.files(), files);
        assertEquals(files.size(), Map.copyOf(byPath(files)).size());
    }

    @Test
    void sessionsDivideTheStream() {
        var views = new ArrayList<PageView>();
        for (int number = 0; number < SURGE.sessions(); number++) {
            var session = SURGE.session(number);
            assertEquals(Duration.ZERO, session.getFirst().think());
            session.stream()
                    .skip(1)
                    .forEach(
                            view -> assertTrue(view.think().compareTo(Duration.ofSeconds(1)) >= 0));
            views.addAll(session);
        }
        assertEquals(SURGE.views(), views);
    }

    @Test
    void streamBeginsAgainAfterItsEnd() {
        assertEquals(SURGE.session(3), SURGE.session(3L + SURGE.sessions()));
        var random = new SplittableRandom(1);
        var begun = new ArrayList<PageView>();
        SURGE.begin(3, random).forEachRemaining(begun::add);
        assertEquals(SURGE.session(3), begun);
    }

    @Test
    void textHasOneLinePerRequest() throws IOException {
        var lines = text(SURGE).lines().toList();
        assertEquals("session,pause_us,target,bytes,part", lines.getFirst());
        assertEquals(SurgeSettings.DEFAULT.requests() + 1, lines.size());
        var first = SURGE.views().getFirst().main();
        assertEquals("0,0," + first.target() + "," + first.bytes() + ",page", lines.get(1));
    }

    @Test
    void tooFewRequestsAreRejectedWithTheNumberNeeded() {
        var few = SurgeSettings.DEFAULT.withRequests(10_000);
        var exception = assertThrows(IllegalArgumentException.class, () -> Surge.of(few));
        assertEquals(
                "requests must be at least 16357, so that each of 2000 files is requested; was"
                        + " 10000",
                exception.getMessage());
        assertEquals(16_357, Surge.of(few.withRequests(16_357)).settings().requests());
    }

    @Test
    void setAboveTheByteLimitIsRejected() {
        var small = SurgeSettings.DEFAULT.withBytesMax(1_000_000);
        var exception = assertThrows(IllegalArgumentException.class, () -> Surge.of(small));
        assertEquals(
                "the files are "
                        + SURGE.bytes()
                        + " bytes together, more than bytesMax, 1000000: raise it, or take fewer"
                        + " files",
                exception.getMessage());
    }

    @Test
    void sessionsShorterThanAPageAreRejected() {
        var brief = SurgeSettings.DEFAULT.withSessionRequests(1);
        var exception = assertThrows(IllegalArgumentException.class, () -> Surge.of(brief));
        assertTrue(exception.toString().contains("sessionRequests must be at least 1.3"));
    }

    @Test
    void settingsOutOfRangeAreRejected() {
        rejects("files must be 10..100000, was 9", () -> SurgeSettings.DEFAULT.withFiles(9));
        rejects(
                "requests must be 10..2000000, was 2000001",
                () -> SurgeSettings.DEFAULT.withRequests(2_000_001));
        rejects(
                "sessionRequests must be 1..1000, was NaN",
                () -> SurgeSettings.DEFAULT.withSessionRequests(Double.NaN));
        rejects("bytesMax must be at least 1, was 0", () -> SurgeSettings.DEFAULT.withBytesMax(0));
    }

    private static void rejects(String message, Runnable making) {
        var exception = assertThrows(IllegalArgumentException.class, making::run);
        assertEquals(message, exception.getMessage());
    }

    private static Map<String, SurgeFile> byPath(List<SurgeFile> files) {
        var map = new HashMap<String, SurgeFile>();
        files.forEach(file -> map.put(file.path(), file));
        return map;
    }

    private static Map<String, Long> sizes(Surge surge) {
        var sizes = new HashMap<String, Long>();
        surge.files().forEach(file -> sizes.put(file.path(), file.bytes()));
        return sizes;
    }

    private static String text(Surge surge) throws IOException {
        var bytes = new ByteArrayOutputStream();
        surge.writeStream(bytes);
        return bytes.toString(StandardCharsets.US_ASCII);
    }
}
