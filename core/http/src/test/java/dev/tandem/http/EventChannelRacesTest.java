package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Threads that publish, subscribe, resume, disconnect and close at the same time.
class EventChannelRacesTest {
    private static final int LOOPS = 2;
    private static final int PUBLISHERS = 2;
    private static final int EACH = 2000;
    private static final int CLIENTS = 300;

    private final EventChannel channel =
            EventChannel.of(EventOptions.DEFAULT.withReplayEventsMax(PUBLISHERS * EACH));
    private final AtomicInteger published = new AtomicInteger();

    /// Publishes numbers in their order.
    private Void publish() {
        for (int i = 0; i < EACH; i++) {
            synchronized (published) {
                channel.publish(Integer.toString(published.getAndIncrement()));
            }
        }
        return null;
    }

    private static EventClient begin(
            EventChannel channel, @Nullable String lastId, ExecutorService loop) throws Exception {
        var x = new SubscribingExchange(lastId);
        channel.subscribe(x);
        return loop.submit(() -> EventClient.of(x.feed(), loop)).get(20, TimeUnit.SECONDS);
    }

    /// Subscribes clients that disconnect and resume, and returns all that each got.
    private List<String> subscribe(ExecutorService loop) throws Exception {
        var all = new ArrayList<String>();
        for (int i = 0; i < CLIENTS / LOOPS; i++) {
            EventClient first = begin(channel, null, loop);
            loop.submit(first::disconnect).get(20, TimeUnit.SECONDS);
            EventClient second = begin(channel, first.lastId(), loop);
            loop.submit(second::disconnect).get(20, TimeUnit.SECONDS);
            all.add(first.data() + second.data());
        }
        return all;
    }

    @Test
    void subscribersThatResumeMissNothingAndGetNothingTwice() throws Exception {
        List<ExecutorService> loops = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<String>>> subscribers = new ArrayList<>();
            List<EventClient> steady = new ArrayList<>();
            for (int i = 0; i < LOOPS; i++) {
                ExecutorService loop = Executors.newSingleThreadExecutor();
                loops.add(loop);
                steady.add(begin(channel, null, loop));
                subscribers.add(threads.submit((Callable<List<String>>) () -> subscribe(loop)));
            }
            List<Callable<Void>> publishers = new ArrayList<>();
            for (int i = 0; i < PUBLISHERS; i++) {
                publishers.add(this::publish);
            }
            for (Future<Void> end : threads.invokeAll(publishers)) {
                end.get();
            }
            for (Future<List<String>> subscriber : subscribers) {
                subscriber.get(60, TimeUnit.SECONDS).forEach(this::checkGapless);
            }
            channel.close();
            for (int i = 0; i < LOOPS; i++) {
                EventClient client = steady.get(i);
                loops.get(i).submit(() -> checkAll(client)).get(20, TimeUnit.SECONDS);
            }
        } finally {
            loops.forEach(ExecutorService::shutdownNow);
            threads.shutdownNow();
        }
    }

    private void checkGapless(String data) {
        String[] numbers = data.isEmpty() ? new String[0] : data.split(" ");
        for (int i = 1; i < numbers.length; i++) {
            assertEquals(Integer.parseInt(numbers[i - 1]) + 1, Integer.parseInt(numbers[i]));
        }
    }

    private void checkAll(EventClient client) {
        checkGapless(client.data());
        assertEquals(PUBLISHERS * EACH, client.data().split(" ").length);
        assertTrue(client.source().isOver());
    }
}
