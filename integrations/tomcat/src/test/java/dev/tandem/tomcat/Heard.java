package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What a test's servlets were told, one word after the other: what they say themselves, and what
/// listeners of async requests hear. Safe for use by several threads.
class Heard implements AsyncListener {
    private static final long PATIENCE_SECONDS = 20;

    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();

    final void say(String word) {
        words.add(word);
    }

    /// The next word; "null" if none comes.
    final String next() throws InterruptedException {
        return String.valueOf(words.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    final void isSilent(long millis) throws InterruptedException {
        assertNull(words.poll(millis, TimeUnit.MILLISECONDS));
    }

    final void forget() {
        words.clear();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        say("complete");
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        say("timeout");
    }

    @Override
    public void onError(AsyncEvent event) {
        say("error");
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        say("start");
    }
}
