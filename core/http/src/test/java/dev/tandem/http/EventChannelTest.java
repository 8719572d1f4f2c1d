package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HTML Standard, sections 9.2.3 (reconnection) and 9.2.6 (interpretation).
class EventChannelTest {
    private static final Executor AT_ONCE = Runnable::run;

    private static EventClient subscribe(EventChannel channel, @Nullable String lastId)
            throws IOException {
        var x = new SubscribingExchange(lastId);
        channel.subscribe(x);
        return EventClient.of(x.feed(), AT_ONCE);
    }

    private static EventChannel replaying(int events, int bytes) {
        return EventChannel.of(
                EventOptions.DEFAULT.withReplayEventsMax(events).withReplayBytesMax(bytes));
    }

    /// Publishes events whose data are numbers.
    private static void publish(EventChannel channel, int from, int to) {
        for (int i = from; i < to; i++) {
            channel.publish(Integer.toString(i));
        }
    }

    // ---- Subscribers.

    @Test
    void responseIsAnEventStreamThatNoCacheKeeps() throws IOException {
        var x = new SubscribingExchange(null);
        EventChannel.of().subscribe(x);
        assertEquals("text/event-stream", x.responseHeader("Content-Type"));
        assertEquals("no-cache", x.responseHeader("Cache-Control"));
        assertEquals("no", x.responseHeader("X-Accel-Buffering"));
    }

    @Test
    void newSubscriberGetsWhatIsPublishedFromThenOn() throws IOException {
        EventChannel channel = EventChannel.of();
        channel.publish("before");
        EventClient client = subscribe(channel, null);
        channel.publish("price", "12");
        channel.publish("after");
        assertEquals("12 after ", client.data());
        assertTrue(client.received().contains("event: price\ndata: 12\n\n"), client.received());
    }

    @Test
    void eventPublishedBeforeTheConnectionIsReadyIsSent() throws IOException {
        EventChannel channel = EventChannel.of();
        var x = new SubscribingExchange(null);
        channel.subscribe(x);
        channel.publish("between");
        assertEquals("between ", EventClient.of(x.feed(), AT_ONCE).data());
    }

    /// As without memory for a task of the loop.
    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void eventsComeAfterALoopHasFailedToTakeATask(int count) throws IOException {
        EventChannel channel = EventChannel.of();
        var tasks = new ArrayDeque<Runnable>();
        var failures = new int[1];
        Executor loop =
                task -> {
                    if (failures[0] > 0) {
                        failures[0]--;
                        throw new OutOfMemoryError("on purpose");
                    }
                    tasks.add(task);
                };
        var clients = new ArrayList<EventClient>();
        for (int i = 0; i < count; i++) {
            var x = new SubscribingExchange(null);
            channel.subscribe(x);
            clients.add(EventClient.of(x.feed(), loop));
        }
        failures[0] = 1;
        assertThrows(OutOfMemoryError.class, () -> channel.publish("one"));
        channel.publish("two");
        if (count > 1) {
            failures[0] = 1;
            assertThrows(OutOfMemoryError.class, () -> tasks.remove().run()); // behind a batch
            channel.publish("three");
        }
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        for (EventClient client : clients) {
            assertEquals(count > 1 ? "one two three " : "one two ", client.data());
        }
    }

    @Test
    void loopThatFailsToTakeATaskKeepsNoEventFromOthers() throws IOException {
        EventChannel channel = EventChannel.of();
        var isFailing = new boolean[1];
        Executor failing =
                task -> {
                    if (isFailing[0]) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    task.run();
                };
        var clients = new ArrayList<EventClient>();
        for (Executor loop : List.of(failing, AT_ONCE)) {
            var x = new SubscribingExchange(null);
            channel.subscribe(x);
            clients.add(EventClient.of(x.feed(), loop));
        }
        isFailing[0] = true;
        assertThrows(OutOfMemoryError.class, () -> channel.publish("one"));
        assertEquals("one ", clients.getLast().data());
        assertThrows(OutOfMemoryError.class, channel::close);
        isFailing[0] = false;
        channel.close();
        assertEquals("one ", clients.getFirst().data());
    }

    @Test
    void eventIsEncodedOnceForAllSubscribers() throws IOException {
        EventChannel channel = EventChannel.of();
        var one = new SubscribingExchange(null);
        var other = new SubscribingExchange(null);
        channel.subscribe(one);
        channel.subscribe(other);
        channel.publish("x");
        assertSame(one.source().next(), other.source().next());
    }

    @Test
    void reconnectionTimesDiffer() throws IOException {
        EventChannel channel =
                EventChannel.of(EventOptions.DEFAULT.withRetry(Duration.ofSeconds(30)));
        var times = new ArrayList<Integer>();
        for (int i = 0; i < 20; i++) {
            String text = subscribe(channel, null).raw();
            times.add(Integer.parseInt(text.lines().findFirst().orElseThrow().substring(7)));
        }
        assertTrue(times.stream().allMatch(t -> t >= 30_000 && t <= 60_000), times::toString);
        assertTrue(times.stream().distinct().count() > 10, times::toString);
    }

    @Test
    void disconnectedSubscriberIsForgotten() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient client = subscribe(channel, null);
        assertEquals(1, channel.subscriberCount());
        client.disconnect();
        client.disconnect();
        assertEquals(0, channel.subscriberCount());
        int before = client.sends();
        channel.publish("x");
        assertEquals(before, client.sends());
    }

    @Test
    void subscriberCountsOnlyWhenItMissesNothingMore() throws Exception {
        EventChannel channel = EventChannel.of();
        var counts = new ArrayList<Integer>();
        channel.subscribe(
                new SubscribingExchange(null),
                () -> {
                    counts.add(channel.subscriberCount());
                    return List.of();
                });
        counts.add(channel.subscriberCount());
        assertEquals(List.of(0, 1), counts);
    }

    /// As of a handler that fails when it has subscribed its client.
    @Test
    void subscriberThatIsClosedBeforeItBeginsIsForgotten() throws IOException {
        EventChannel channel = EventChannel.of();
        var x = new SubscribingExchange(null);
        channel.subscribe(x);
        x.source().close();
        EventClient client = EventClient.of(x.feed(), AT_ONCE);
        int before = client.sends();
        channel.publish("x");
        assertEquals(before, client.sends());
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void subscriberLeavesByAnotherThreadWhileOneIsServed() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient other = subscribe(channel, null);
        var x = new SubscribingExchange(null);
        channel.subscribe(x);
        var hasLeft = new ArrayList<Boolean>();
        x.source()
                .begin(
                        new Body.FeedOutput() {
                            @Override
                            public Executor loop() {
                                return AT_ONCE;
                            }

                            @Override
                            public void send() {
                                Thread leaving =
                                        Thread.ofPlatform().daemon().start(other::disconnect);
                                try {
                                    hasLeft.add(leaving.join(Duration.ofSeconds(10)));
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                            }
                        });
        channel.publish("x");
        assertEquals(List.of(true), hasLeft.stream().distinct().toList());
        assertEquals(1, channel.subscriberCount());
    }

    @Test
    void subscriberBeyondTheMaximumGets503() throws IOException {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withSubscribersMax(1));
        EventClient first = subscribe(channel, null);
        var x = new SubscribingExchange(null);
        var rejected = assertThrows(HttpException.class, () -> channel.subscribe(x));
        assertEquals(503, rejected.status());
        assertEquals("2", x.responseHeader("Retry-After"));
        first.disconnect();
        subscribe(channel, null);
    }

    private static void subscribeOf(EventChannel channel, String client) throws IOException {
        var x = new SubscribingExchange(null, client);
        channel.subscribe(x);
        EventClient.of(x.feed(), AT_ONCE);
    }

    @Test
    void clientWithManySubscriptionsLeavesAnEighthToOthers() throws IOException {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withSubscribersMax(80));
        EventClient first = subscribe(channel, null);
        for (int i = 1; i < 70; i++) {
            subscribeOf(channel, "127.0.0.1");
        }
        var full = assertThrows(HttpException.class, () -> subscribeOf(channel, "127.0.0.1"));
        assertEquals(503, full.status());
        for (int i = 2; i <= 10; i++) {
            subscribeOf(channel, "127.0.0." + i);
        }
        assertEquals(79, channel.subscriberCount());
        first.disconnect();
        assertThrows(HttpException.class, () -> subscribeOf(channel, "127.0.0.1"));
        subscribeOf(channel, "127.0.0.11");
    }

    /// Else one client could have as many as there are threads in addition.
    @Test
    void clientHasItsPlaceWhileItsStateIsMade() throws Exception {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withSubscribersMax(1));
        var x = new SubscribingExchange(null);
        channel.subscribe(
                x,
                () -> {
                    assertThrows(HttpException.class, () -> subscribeOf(channel, "127.0.0.2"));
                    return List.of();
                });
        assertEquals(1, channel.subscriberCount());
    }

    // ---- Resuming.

    @Test
    void resumingSubscriberGetsExactlyWhatItMissed() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient client = subscribe(channel, null);
        publish(channel, 0, 5);
        String last = client.lastId();
        client.disconnect();
        publish(channel, 5, 9);
        EventClient again = subscribe(channel, last);
        publish(channel, 9, 10);
        assertEquals("5 6 7 8 9 ", again.data());
        assertFalse(again.received().contains(EventChannel.MISSED), again.received());
    }

    /// It got an id without an event.
    @Test
    void subscriberThatGotNoEventResumes() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient client = subscribe(channel, null);
        client.disconnect();
        publish(channel, 0, 2);
        EventClient again = subscribe(channel, client.lastId());
        assertEquals("0 1 ", again.data());
    }

    @Test
    void idsOfTheApplicationAreUsed() throws IOException {
        EventChannel channel = EventChannel.of();
        channel.publish(Event.of("a").withId("\u20ac 1"));
        channel.publish(Event.of("b").withId("2"));
        String header =
                new String(
                        "\u20ac 1".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertEquals("b ", subscribe(channel, header).data());
    }

    @ParameterizedTest
    @CsvSource({
        "0, '0 1 2 3 4 5 '", // the last that is lost: nothing behind it is
        "4, '4 5 '",
        "5, '5 '",
        "6, ''"
    })
    void windowReplaysWhatItHas(int got, String replayed) throws IOException {
        EventChannel channel = replaying(6, 10_000);
        EventClient watcher = subscribe(channel, null);
        var ids = new ArrayList<String>();
        ids.add(watcher.lastId());
        for (int i = 0; i < 6; i++) {
            publish(channel, i, i + 1);
            ids.add(watcher.lastId());
        }
        assertEquals(replayed, subscribe(channel, ids.get(got)).data());
    }

    @ParameterizedTest
    @ValueSource(strings = {"of another channel", "x-0"})
    void subscriberThatMissedMoreIsNotifiedFirst(String lastId) throws IOException {
        EventChannel channel = replaying(3, 10_000);
        publish(channel, 0, 5);
        EventClient client = subscribe(channel, lastId);
        assertEquals(" 2 3 4 ", client.data());
        assertTrue(client.received().startsWith("event: missed\ndata: \n\n"), client.received());
    }

    @Test
    void windowHoldsNoMoreBytesThanAllowed() throws IOException {
        EventChannel channel = replaying(100, 200);
        EventClient watcher = subscribe(channel, null);
        String first = watcher.lastId();
        for (int i = 0; i < 10; i++) {
            channel.publish("x".repeat(60));
        }
        String replayed = subscribe(channel, first).received();
        assertTrue(replayed.length() < 300 && replayed.contains("xxx"), replayed);
        channel.publish("y".repeat(1000)); // larger than the window
        assertEquals(" ", subscribe(channel, first).data());
        assertEquals("", subscribe(channel, watcher.lastId()).data()); // which has it
    }

    @Test
    void withoutReplayEventsHaveNoIds() throws IOException {
        EventChannel channel = replaying(0, 0);
        EventClient client = subscribe(channel, null);
        channel.publish("x");
        assertEquals("\ndata: x\n\n", client.received());
        assertEquals(" ", subscribe(channel, "7").data());
    }

    @Test
    void idsOfTwoChannelsDiffer() throws IOException {
        String one = subscribe(EventChannel.of(), null).lastId();
        assertNotEquals(one, subscribe(EventChannel.of(), null).lastId());
    }

    // ---- Snapshots.

    @Test
    void snapshotComesFirstIfTheClientCannotResume() throws Exception {
        EventChannel channel = replaying(2, 10_000);
        publish(channel, 0, 9);
        for (String lastId : new String[] {"", "unknown"}) {
            var x = new SubscribingExchange(lastId);
            channel.subscribe(x, () -> List.of(Event.of("state", "is 8")));
            EventClient client = EventClient.of(x.feed(), AT_ONCE);
            assertEquals("is 8 ", client.data());
            assertEquals("", subscribe(channel, client.lastId()).data());
        }
    }

    @Test
    void whatIsPublishedDuringTheSnapshotFollowsIt() throws Exception {
        EventChannel channel = EventChannel.of();
        var x = new SubscribingExchange(null);
        channel.subscribe(
                x,
                () -> {
                    channel.publish("new");
                    return List.of(Event.of("state"));
                });
        assertEquals("state new ", EventClient.of(x.feed(), AT_ONCE).data());
    }

    @Test
    void resumingClientGetsNoSnapshot() throws Exception {
        EventChannel channel = EventChannel.of();
        String id = subscribe(channel, null).lastId();
        publish(channel, 0, 1);
        var x = new SubscribingExchange(id);
        channel.subscribe(
                x,
                () -> {
                    throw new AssertionError("asked for the state");
                });
        assertEquals("0 ", EventClient.of(x.feed(), AT_ONCE).data());
    }

    @Test
    void failureOfTheSnapshotIsTheHandlers() {
        EventChannel channel = EventChannel.of();
        var x = new SubscribingExchange(null);
        assertThrows(
                IOException.class,
                () ->
                        channel.subscribe(
                                x,
                                () -> {
                                    throw new IOException("no database");
                                }));
        assertEquals(0, channel.subscriberCount());
    }

    // ---- Slow clients.

    @Test
    void clientIsTooFarBehindBeyondItsBudget() throws IOException {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withUnsentMax(1024));
        EventClient client = subscribe(channel, null);
        client.stopReading();
        channel.publish("x".repeat(900));
        assertFalse(client.source().isTooFarBehind());
        channel.publish("x".repeat(200));
        assertTrue(client.source().isTooFarBehind());
    }

    /// Else it could never resume.
    @Test
    void whatAClientMissedDoesNotCountAgainstItsBudget() throws IOException {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withUnsentMax(1024));
        String first = subscribe(channel, null).lastId();
        for (int i = 0; i < 20; i++) {
            channel.publish("x".repeat(900));
        }
        var x = new SubscribingExchange(first);
        channel.subscribe(x);
        channel.publish("x".repeat(900));
        assertFalse(x.source().isTooFarBehind());
        channel.publish("x".repeat(900));
        assertTrue(x.source().isTooFarBehind());
    }

    @Test
    void tooLongEventIsRejected() {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withUnsentMax(1024));
        channel.publish("x".repeat(1000));
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> channel.publish(new Event("", "1", "x".repeat(1025))));
        assertEquals("an event has 1039 bytes, but unsentMax is 1024", failure.getMessage());
    }

    /// Else what one client has another publish would disconnect all that have something to read.
    @Test
    void eventThatBecomesTooLongWhenItIsEncodedIsRejected() {
        EventChannel channel = EventChannel.of(EventOptions.DEFAULT.withUnsentMax(1024));
        for (String text : List.of("\n".repeat(200), "\u20ac".repeat(400))) {
            assertThrows(IllegalArgumentException.class, () -> channel.publish(text));
        }
    }

    // ---- The end.

    @Test
    void closedChannelEndsBehindWhatWasPublished() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient client = subscribe(channel, null);
        client.stopReading();
        channel.publish("last");
        channel.close();
        channel.close();
        channel.publish("too late");
        assertFalse(client.source().isOver());
        byte[] piece = client.source().next();
        assertTrue(
                piece != null && new String(piece, StandardCharsets.UTF_8).contains("data: last"));
        assertTrue(client.source().isOver());
        assertNull(client.source().next());
    }

    @Test
    void clientOfAClosedChannelDoesNotReconnect() throws IOException {
        EventChannel channel = EventChannel.of();
        channel.close();
        var x = new SubscribingExchange(null);
        channel.subscribe(x);
        assertEquals(204, x.status());
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void stoppingServerEndsAStreamBehindWhatWasPublished() throws IOException {
        EventChannel channel = EventChannel.of();
        EventClient client = subscribe(channel, null);
        assertFalse(client.source().isOver());
        client.source().end();
        assertTrue(client.source().isOver());
    }

    // ---- Event loops.

    /// An event loop whose tasks a test runs.
    private static final class Loop implements Executor {
        final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        /// @return how many tasks ran
        int runAll() {
            int count = 0;
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
                count++;
            }
            return count;
        }
    }

    private static List<EventClient> subscribe(EventChannel channel, Loop loop, int count)
            throws IOException {
        var clients = new ArrayList<EventClient>();
        for (int i = 0; i < count; i++) {
            var x = new SubscribingExchange(null);
            channel.subscribe(x);
            clients.add(EventClient.of(x.feed(), loop));
        }
        return clients;
    }

    @Test
    void eachLoopGetsOneTaskForAllOfItsClients() throws IOException {
        EventChannel channel = EventChannel.of();
        var one = new Loop();
        var other = new Loop();
        List<EventClient> clients = subscribe(channel, one, 100);
        clients.addAll(subscribe(channel, other, 100));
        channel.publish("a");
        channel.publish("b");
        assertEquals(1, one.runAll());
        assertEquals(1, other.runAll());
        clients.forEach(client -> assertEquals("a b ", client.data()));
    }

    @Test
    void otherTasksOfALoopRunBetweenManyClients() throws IOException {
        EventChannel channel = EventChannel.of();
        var loop = new Loop();
        List<EventClient> clients = subscribe(channel, loop, 1000);
        channel.publish("a");
        loop.tasks.remove().run();
        loop.tasks.element(); // the rest
        channel.publish("b"); // in the middle
        assertTrue(loop.runAll() > 3);
        clients.forEach(client -> assertEquals("a b ", client.data()));
    }

    /// Else one client could keep the loop at it by connecting and disconnecting.
    @Test
    void clientsThatDisconnectMeanwhileMakeAnEventNoLonger() throws IOException {
        EventChannel channel = EventChannel.of();
        var loop = new Loop();
        List<EventClient> clients = subscribe(channel, loop, 1000);
        channel.publish("a");
        int tasks = 0;
        while (!loop.tasks.isEmpty()) {
            loop.tasks.remove().run();
            tasks++;
            clients.removeFirst().disconnect();
        }
        assertEquals(4, tasks);
        clients.forEach(client -> assertEquals("a ", client.data()));
    }

    @Test
    void loopHasATaskOnceHoweverOftenEventsArePublished() throws IOException {
        EventChannel channel = EventChannel.of();
        var loop = new Loop();
        List<EventClient> clients = subscribe(channel, loop, 1000);
        for (int i = 0; i < 20; i++) {
            channel.publish("a");
            assertEquals(1, loop.tasks.size());
            loop.tasks.remove().run();
        }
        loop.runAll();
        clients.forEach(client -> assertEquals("a ".repeat(20), client.data()));
    }

    @Test
    void clientsThatDisconnectMeanwhileCostNoOtherAnEvent() throws IOException {
        var random = new Random(1);
        for (int round = 0; round < 20; round++) {
            EventChannel channel = EventChannel.of();
            var loop = new Loop();
            List<EventClient> clients = subscribe(channel, loop, 600);
            channel.publish("a");
            while (!loop.tasks.isEmpty()) {
                loop.tasks.remove().run();
                for (int i = 0; i < 100; i++) {
                    clients.remove(random.nextInt(clients.size())).disconnect();
                }
            }
            clients.forEach(client -> assertEquals("a ", client.data()));
            assertEquals(clients.size(), channel.subscriberCount());
        }
    }
}
