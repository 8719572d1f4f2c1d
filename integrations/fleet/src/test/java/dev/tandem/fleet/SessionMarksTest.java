package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SessionMarksTest {
    private static final String OLD = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String NEW =
            Base64.getEncoder().encodeToString("another key of 32 bytes, exactly".getBytes());

    private final Path secret;
    private Instant now = Instant.parse("2026-11-25T12:00:00Z");
    private long nanos;

    SessionMarksTest(@TempDir Path folder) {
        secret = folder.resolve("marks");
    }

    private SessionMarks open() throws IOException {
        return new SessionMarks(() -> MarkKeys.read(secret), () -> now, () -> nanos, Runnable::run);
    }

    private void later(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
    }

    @Test
    void eachInstanceRecognisesTheMarksOfAll() throws IOException {
        Files.writeString(secret, OLD + "\n");
        String mark = open().issue();
        assertTrue(open().verify(mark).isPresent());
        assertEquals(open().verify(mark), open().verify(mark), "they agree on the session");
        char other = mark.charAt(5) == 'A' ? 'B' : 'A';
        assertTrue(open().verify(mark.substring(0, 5) + other + mark.substring(6)).isEmpty());
        later(Duration.ofMinutes(61));
        assertTrue(open().verify(mark).isEmpty());
    }

    @Test
    void clocksMayDifferByMinutes() throws IOException {
        Files.writeString(secret, OLD);
        String mark = open().issue();
        now = now.minus(Duration.ofMinutes(4));
        assertTrue(open().verify(mark).isPresent());
        now = now.minus(Duration.ofMinutes(2));
        assertTrue(open().verify(mark).isEmpty());
    }

    @Test
    void keysRotateWhileInstancesReadThemAtDifferentTimes() throws IOException {
        Files.writeString(secret, OLD + "\n" + NEW + "\n");
        SessionMarks first = open();
        SessionMarks second = open();
        Files.writeString(secret, NEW + "\n" + OLD + "\n");
        String before = first.issue();
        nanos += Duration.ofSeconds(11).toNanos();
        String after = first.issue();
        nanos -= Duration.ofSeconds(11).toNanos();
        assertTrue(second.verify(before).isPresent());
        assertTrue(second.verify(after).isPresent(), "it has not read the new order yet");
    }

    @Test
    void brokenOrMissingSecretKeepsTheOldKeys() throws IOException {
        Files.writeString(secret, OLD);
        SessionMarks marks = open();
        String mark = marks.issue();
        for (String broken : new String[] {"", "not base64!\n", OLD.substring(0, 20)}) {
            Files.writeString(secret, broken);
            nanos += Duration.ofSeconds(11).toNanos();
            assertTrue(marks.verify(mark).isPresent(), broken);
        }
        Files.delete(secret);
        nanos += Duration.ofSeconds(11).toNanos();
        assertTrue(marks.verify(mark).isPresent());
        assertTrue(marks.verify(marks.issue()).isPresent());
    }

    /// As on a network's file system that does not respond.
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void secretWhoseReadHangsHoldsItsOwnThreadAndNoOther() throws Exception {
        Files.writeString(secret, OLD);
        var hangs = new CountDownLatch(1);
        var end = new CompletableFuture<Void>();
        var readers = new ArrayList<Thread>();
        var marks =
                new SessionMarks(
                        () -> {
                            if (nanos > 0) {
                                hangs.countDown();
                                end.join();
                            }
                            return MarkKeys.read(secret);
                        },
                        () -> now,
                        () -> nanos,
                        task -> readers.add(Thread.ofVirtual().start(task)));
        String mark = marks.issue();
        Files.writeString(secret, NEW);
        nanos = Duration.ofSeconds(11).toNanos();
        assertTrue(marks.verify(mark).isPresent(), "by the keys of before");
        hangs.await();
        nanos = Duration.ofSeconds(22).toNanos();
        assertTrue(marks.verify(mark).isPresent());
        assertTrue(marks.verify(marks.issue()).isPresent());
        assertEquals(1, readers.size());
        end.complete(null);
        readers.getFirst().join();
        assertTrue(marks.verify(mark).isEmpty(), "the keys are the new ones");
    }

    /// As the system has no further thread, for a moment.
    @Test
    void keysAreReadLaterIfThereIsNoThreadForIt() throws IOException {
        Files.writeString(secret, OLD);
        var starts = new AtomicInteger();
        var marks =
                new SessionMarks(
                        () -> MarkKeys.read(secret),
                        () -> now,
                        () -> nanos,
                        task -> {
                            if (starts.incrementAndGet() == 1) {
                                throw new OutOfMemoryError("on purpose");
                            }
                            task.run();
                        });
        String mark = marks.issue();
        Files.writeString(secret, NEW);
        nanos += Duration.ofSeconds(11).toNanos();
        assertTrue(marks.verify(mark).isPresent());
        nanos += Duration.ofSeconds(11).toNanos();
        assertTrue(marks.verify(mark).isEmpty());
    }

    @Test
    void secretThatCannotBeUsedIsNamedAtTheStart() throws IOException {
        assertFailure("does not exist");
        Files.writeString(secret, OLD + "\nnot base64!\n");
        assertFailure(":2 is not base64");
        Files.writeString(secret, OLD.substring(0, 20));
        assertFailure(":1 has 15 bytes");
        Files.writeString(secret, "\n\n");
        assertFailure("has no key");
        Files.writeString(secret, (OLD + "\n").repeat(17));
        assertFailure("more than 16 keys");
        Files.write(secret, new byte[65_537]);
        assertFailure("more than 65536 bytes");
        Files.delete(secret);
        Files.createDirectory(secret);
        assertFailure("has no key");
        Files.delete(secret);
        Files.createSymbolicLink(secret, Path.of("/dev/zero"));
        assertFailure("is neither a file nor a folder");
        Files.delete(secret);
        Files.createSymbolicLink(secret, secret);
        assertFailure("cannot be read: ");
    }

    /// Of which the file system says the name alone.
    @Test
    void fileThatTheUserMayNotReadIsExplained() {
        var e = MarkKeys.explained(secret, new AccessDeniedException(secret.toString()));
        assertEquals(secret + " may not be read by the user of this process", e.getMessage());
    }

    /// The second step of a rotation was left out: the new key signs before all have read it.
    @Test
    void hastyRotationCostsPriorityUntilAllHaveReadTheNewKey() throws IOException {
        Files.writeString(secret, OLD + "\n");
        SessionMarks late = open();
        Files.writeString(secret, NEW + "\n" + OLD + "\n");
        SessionMarks early = open();
        assertTrue(early.verify(late.issue()).isPresent());
        String mark = early.issue();
        assertTrue(late.verify(mark).isEmpty(), "its client is as a new one");
        nanos += Duration.ofSeconds(11).toNanos();
        assertTrue(late.verify(mark).isPresent());
    }

    @Test
    void folderOfAMountedSecretIsReadInTheOrderOfNames() throws IOException {
        Files.createDirectory(secret);
        Files.writeString(secret.resolve("2-old"), OLD);
        SessionMarks old = open();
        Files.writeString(secret.resolve("1-new"), NEW);
        Files.createDirectory(secret.resolve("..data"));
        SessionMarks both = open();
        assertTrue(both.verify(old.issue()).isPresent());
        assertTrue(old.verify(both.issue()).isEmpty(), "the new key signs");
    }

    private void assertFailure(String expected) {
        var e = assertThrows(IOException.class, this::open);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.startsWith(secret.toString()), message);
        assertTrue(message.contains(expected), message);
        assertTrue(!message.contains(OLD.substring(0, 20)), "without the secret");
    }
}
