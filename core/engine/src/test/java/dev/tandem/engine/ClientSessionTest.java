package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Permit;
import dev.tandem.admission.Session;
import dev.tandem.net.NanoClock;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which session a request belongs to: by its connection, its cookie, or another server's mark.
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
        var first = new ClientSession(dispatcher, false, false);
        var own = first.identify(head("Cookie=other=1"));
        var marked = first.identify(head("Cookie=mark=valid"));
        assertNotSame(own.session(), marked.session(), "live from its first request on");
        run(marked);
        first.responded(marked, new ResponseHeaders());
        var second = new ClientSession(dispatcher, false, false);
        assertSame(marked.session(), second.identify(head("Cookie=mark=valid")).session());
    }

    @Test
    void forgedMarkChangesNothing() {
        var client = new ClientSession(dispatcher, false, false);
        var own = client.identify(head()).session();
        assertSame(own, client.identify(head("Cookie=mark=forged")).session());
    }

    @Test
    void markIsLookedUpOnceForEachConnection() {
        var client = new ClientSession(dispatcher, false, false);
        var marked = client.identify(head("Cookie=mark=valid")).session();
        assertSame(marked, client.identify(head("Cookie=mark=valid")).session());
    }

    @Test
    void browsersRequestsAreOneSessionWithAndWithoutTheCookie() {
        var browser = new ClientSession(dispatcher, false, false);
        var first = served(browser, head(), "JSESSIONID=a; Path=/shop");
        assertSame(first, served(browser, head("Cookie=JSESSIONID=a"), ""));
        assertSame(first, served(browser, head(), ""), "a picture, outside the cookie's path");
        assertSame(first, served(browser, head("Cookie=JSESSIONID=a"), "JSESSIONID=login"));
        assertSame(first, served(browser, head("Cookie=JSESSIONID=login"), ""));
    }

    @Test
    void balancersConnectionCarriesSessionsOfManyClients() {
        var balancer = new ClientSession(dispatcher, false, true);
        var ann = served(balancer, head(), "JSESSIONID=ann");
        var ben = served(balancer, head(), "JSESSIONID=ben");
        assertNotSame(ann, ben, "a request without a cookie is a new client's");
        assertSame(ann, served(balancer, head("Cookie=JSESSIONID=ann"), ""));
        assertSame(ben, served(balancer, head("Cookie=JSESSIONID=ben"), ""));
        var other = new ClientSession(dispatcher, false, true);
        assertSame(ann, served(other, head("Cookie=JSESSIONID=ann"), ""));
        assertNotSame(ann, served(other, head("Cookie=JSESSIONID=made-up"), ""));
    }

    @Test
    void unknownProxysConnectionCarriesSessionsOfManyClientsOnceTheirCookiesDiffer() {
        var proxy = new ClientSession(dispatcher, false, false);
        var ann = served(proxy, head("Cookie=JSESSIONID=ann"), "");
        var ben = served(proxy, head("Cookie=JSESSIONID=ben"), "");
        assertNotSame(ann, ben);
        assertSame(ann, served(proxy, head("Cookie=JSESSIONID=ann"), ""));
        assertSame(ben, served(proxy, head("Cookie=JSESSIONID=ben"), ""));
    }

    @Test
    void sessionWithoutACookieEndsWithItsRequestBehindABalancer() {
        var balancer = new ClientSession(dispatcher, false, true);
        for (int i = 0; i < 3; i++) {
            served(balancer, head(), "");
        }
        assertEquals(3, admission.counters().sessionsFinished());
    }

    @Test
    void sessionGoesOnByTheMarkThatItsFirstResponseSets() {
        var balancer = new ClientSession(dispatcher, false, true);
        var first = served(balancer, head(), "mark=valid; Path=/; HttpOnly");
        assertSame(first, served(balancer, head("Cookie=mark=valid"), ""));
        assertEquals(0, admission.counters().sessionsFinished(), "it is one session");
    }

    @Test
    void balancersOwnTlsSessionProvesNothingOfItsClients() {
        var balancer = new ClientSession(dispatcher, true, true);
        assertFalse(balancer.identify(head()).isRemembered());
        var one = balancer.identify(head()).session();
        assertNotSame(one, balancer.identify(head()).session());
    }

    private Session served(ClientSession connection, ToyHead head, String setCookie) {
        var identity = connection.identify(head);
        run(identity);
        var headers = new ResponseHeaders();
        if (!setCookie.isEmpty()) {
            headers.add("Set-Cookie", setCookie);
        }
        connection.responded(identity, headers);
        return identity.session();
    }

    private void run(ClientSession.Identity client) {
        Permit permit = admission.newPermit(AdmissionTask.of(_ -> {}));
        long now = System.nanoTime();
        Decision decision = permit.decide(admission.route("GET /"), null, client.session(), now);
        assertInstanceOf(Decision.Run.class, decision);
        permit.complete(now);
    }

    private static ToyHead head(String... header) {
        return new ToyHead("GET", "/", String.join(",", header));
    }
}
