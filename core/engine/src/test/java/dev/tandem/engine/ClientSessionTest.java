package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Permit;
import dev.tandem.net.NanoClock;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sessions that another server of the site began.
class ClientSessionTest {
    private final Admission admission = new Admission(new Limits(1, 1));
    private final WorkerPool workers = new WorkerPool(1, () -> IoContext.ofWorker(8_192));
    private final Dispatcher dispatcher =
            new Dispatcher(admission, true, Options.DEFAULT, workers, NanoClock.SYSTEM);

    @BeforeEach
    void recogniseOneMark() {
        dispatcher
                .cookies()
                .recognise(
                        cookies ->
                                "valid".equals(cookies.first("mark"))
                                        ? OptionalLong.of(7)
                                        : OptionalLong.empty());
    }

    @AfterEach
    void stop() {
        workers.stop();
    }

    @Test
    void connectionsWithOneMarkAreOneSession() {
        var first = new ClientSession(dispatcher, false);
        var own = first.session();
        first.identify(head("valid"));
        assertNotSame(own, first.session(), "one that is live from its first request on");
        run(first);
        first.responded(new ResponseHeaders());
        var second = new ClientSession(dispatcher, false);
        second.identify(head("valid"));
        assertSame(first.session(), second.session());
    }

    @Test
    void forgedMarkChangesNothing() {
        var client = new ClientSession(dispatcher, false);
        var own = client.session();
        client.identify(head("forged"));
        assertSame(own, client.session());
    }

    @Test
    void markIsLookedUpOnceForEachConnection() {
        var client = new ClientSession(dispatcher, false);
        client.identify(head("valid"));
        var marked = client.session();
        client.identify(head("valid"));
        assertSame(marked, client.session());
    }

    private void run(ClientSession client) {
        Permit permit = admission.newPermit(AdmissionTask.of(_ -> {}));
        long now = System.nanoTime();
        Decision decision = permit.decide(admission.route("GET /"), null, client.session(), now);
        assertInstanceOf(Decision.Run.class, decision);
        permit.complete(now);
    }

    private static ToyHead head(String mark) {
        return new ToyHead("GET", "/", "Cookie=mark=" + mark);
    }
}
