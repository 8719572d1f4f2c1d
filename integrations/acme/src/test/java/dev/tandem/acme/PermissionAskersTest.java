package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names that clients request, some of which the site knows.
@Timeout(60)
class PermissionAskersTest {
    private static final int PATIENCE_SECONDS = 20;

    private final RequestedNames requested = new RequestedNames();
    private final BlockingQueue<String> permitted = new ArrayBlockingQueue<>(10);
    private final CountDownLatch replied = new CountDownLatch(1);
    private final PermissionAskers askers =
            new PermissionAskers(requested, InstantSource.system(), this::isPermitted, permitted);

    private boolean isPermitted(String name) throws InterruptedException {
        if (name.startsWith("slow")) {
            replied.await();
        } else if (name.startsWith("odd")) {
            throw new IllegalStateException("as a defect would");
        } else if (name.startsWith("large")) {
            throw new OutOfMemoryError("as the heap of a moment would");
        }
        return name.startsWith("known");
    }

    @BeforeEach
    void start() {
        askers.start();
    }

    @AfterEach
    void stop() {
        askers.close();
    }

    private @Nullable String next() throws InterruptedException {
        return permitted.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void namesWithoutReplyDoNotKeepKnownOnesWaiting() throws InterruptedException {
        for (int i = 1; i < PermissionAskers.THREADS; i++) {
            requested.add("slow" + i + ".example.org");
        }
        requested.add("unknown.example.org");
        requested.add("known1.example.org");
        requested.add("known2.example.org");
        assertEquals("known1.example.org", next());
        assertEquals("known2.example.org", next());
        replied.countDown();
    }

    @Test
    void oneNameTakesOnePlaceHoweverOftenItIsRequested() throws InterruptedException {
        for (int i = 0; i < 2 * RequestedNames.WAITING_MAX; i++) {
            requested.add("slow.example.org");
        }
        requested.add("known.example.org");
        assertEquals("known.example.org", next());
        replied.countDown();
    }

    /// A lack of memory may strike anywhere, such as where the time is looked at.
    @Test
    void errorBetweenQuestionsEndsNone() throws InterruptedException {
        var failures = new AtomicInteger(2 * PermissionAskers.THREADS);
        InstantSource failing =
                () -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("as the heap of a moment would");
                    }
                    return Instant.now();
                };
        // Names of their own: a thread of the others that ends may take one of those.
        var names = new RequestedNames();
        var others = new PermissionAskers(names, failing, this::isPermitted, permitted);
        others.start();
        try {
            for (int i = 0; i < 2 * PermissionAskers.THREADS + 1; i++) {
                names.add("known" + i + ".example.org");
            }
            assertNotNull(next());
            names.add("known.example.org");
            assertEquals("known.example.org", next());
        } finally {
            others.close();
        }
    }

    /// While an order is in progress, permitted names wait to be taken.
    @Test
    void permittedNameIsAskedAboutOnceUntilItIsTaken() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            requested.add("known1.example.org");
            Thread.sleep(1); // it may be asked about meanwhile
        }
        requested.add("known2.example.org");
        assertEquals("known1.example.org", next());
        assertEquals("known2.example.org", next());
        requested.decided("known1.example.org");
        requested.add("known1.example.org");
        assertEquals("known1.example.org", next());
    }

    @Test
    void defectEndsNoThread() throws InterruptedException {
        for (int i = 0; i < 2 * PermissionAskers.THREADS; i++) {
            requested.add("odd" + i + ".example.org");
            requested.add("large" + i + ".example.org");
        }
        requested.add("known.example.org");
        assertEquals("known.example.org", next());
    }
}
