package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Events of a test's servlets in order: those that they add themselves, and those of async
/// listeners. Safe for use by several threads.
class EventLog implements AsyncListener {
    private static final long TIMEOUT_SECONDS = 20;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    final void add(String event) {
        events.add(event);
    }

    /// Returns the next event; "null" if there is none in time.
    final String next() throws InterruptedException {
        return String.valueOf(events.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    final void assertNoneWithin(long millis) throws InterruptedException {
        assertNull(events.poll(millis, TimeUnit.MILLISECONDS));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        add("complete");
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        add("timeout");
    }

    @Override
    public void onError(AsyncEvent event) {
        add("error");
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        add("start");
    }
}
