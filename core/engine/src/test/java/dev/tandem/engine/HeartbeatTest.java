package dev.tandem.engine;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    /// A heartbeat that ended would leave the accept gate as it is: shut, under load.
    @Test
    void taskThatFailsEndsNeitherTheOthersNorTheHeartbeat() {
        var beats = new AtomicInteger();
        try (LogCapture _ = LogCapture.of("dev.tandem.engine")) {
            var heartbeat = new Heartbeat(HeartbeatTest::fail);
            heartbeat.add(beats::incrementAndGet);
            heartbeat.start();
            heartbeat.wake();
            Patience.until("two beats", () -> beats.get() > 1);
            heartbeat.stop();
        }
    }

    private static void fail() {
        throw new OutOfMemoryError("on purpose");
    }
}
