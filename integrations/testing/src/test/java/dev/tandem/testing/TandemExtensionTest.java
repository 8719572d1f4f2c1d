package dev.tandem.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class TandemExtensionTest {
    private static final AtomicInteger SHARED = new AtomicInteger();
    private static final AtomicInteger OWN = new AtomicInteger();

    @RegisterExtension
    static final TandemExtension shared =
            TandemExtension.onPort(
                    site -> {
                        int number = SHARED.incrementAndGet();
                        site.get("/", x -> x.send("server " + number));
                    });

    @RegisterExtension
    final TandemExtension own =
            TandemExtension.inMemory(
                    site -> {
                        var calls = new AtomicInteger();
                        OWN.incrementAndGet();
                        site.get("/", x -> x.send("call " + calls.incrementAndGet()));
                    });

    @BeforeAll
    static void sharedServerRunsBeforeAllTests() {
        assertEquals("server 1", shared.get("/").expect(200).text());
    }

    @AfterAll
    static void sharedServerRunsAfterAllTests() {
        assertEquals("server 1", shared.get("/").expect(200).text());
        assertFalse(OWN.get() < 3, "a server for each test");
    }

    @RepeatedTest(2)
    void everyTestHasItsOwnServer() {
        assertEquals("call 1", own.get("/").expect(200).text());
        assertEquals("server 1", shared.get("/").expect(200).text());
    }

    /// Classes that share it, as by a field of their superclass, may run at the same time.
    @Test
    void serverRunsUntilTheLastClassHasEnded() {
        TandemExtension common =
                TandemExtension.inMemory(site -> site.get("/", x -> x.send("here")));
        common.beforeAll(context("a"));
        common.beforeAll(context("b"));
        common.afterAll(context("a"));
        assertEquals("here", common.get("/").expect(200).text());
        common.afterAll(context("b"));
        assertThrows(IllegalStateException.class, () -> common.get("/"));
    }

    private static ExtensionContext context(String id) {
        return (ExtensionContext)
                Proxy.newProxyInstance(
                        ExtensionContext.class.getClassLoader(),
                        new Class<?>[] {ExtensionContext.class},
                        (_, _, _) -> id);
    }

    @Test
    void extensionThatIsNotRegisteredSaysSo() {
        TandemExtension forgotten = TandemExtension.inMemory(site -> {});
        assertThrows(IllegalStateException.class, () -> forgotten.get("/"));
    }
}
