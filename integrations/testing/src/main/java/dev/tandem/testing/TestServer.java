package dev.tandem.testing;

import dev.tandem.Tandem;
import dev.tandem.http.BodyMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/// An application's sites, in memory or at a free port, and a client for them:
///
/// ```java
/// try (TestServer server = TestServer.inMemory(new Shop()::addTo)) {
///     assertEquals("tea", server.get("/orders/1").expect(200).text());
/// }
/// ```
///
/// Safe for use by any thread. With JUnit, [TandemExtension] starts and stops one.
public final class TestServer implements TestClient, AutoCloseable {
    private final Transport transport;
    private final Mapper mapper = new Mapper();

    /// Adds routes, and whatever else the application has.
    @FunctionalInterface
    public interface Site {
        /// @throws Exception if the application cannot be made: its cause is the test's failure
        void addTo(Tandem tandem) throws Exception;
    }

    private TestServer(Transport transport) {
        this.transport = transport;
    }

    /// Starts a server at a free port of the loopback address, over plain HTTP.
    ///
    /// @throws UncheckedIOException if it cannot start; says why
    /// @throws IllegalStateException if the site throws a checked exception, which is the cause
    public static TestServer onPort(Site site) {
        Tandem tandem = made(site);
        try {
            return new TestServer(new OnPort(tandem.start()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a server without sockets: each request is a call of its handler, on the thread that
    /// sends it. [dev.tandem.MemoryServer] says what is missing.
    ///
    /// @throws IllegalStateException if the site throws a checked exception, which is the cause
    public static TestServer inMemory(Site site) {
        return new TestServer(new InMemory(made(site).inMemory()));
    }

    private static Tandem made(Site site) {
        Tandem tandem = Tandem.listen("127.0.0.1", 0);
        try {
            site.addTo(tandem);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the site cannot be made: " + e.getMessage(), e);
        }
        return tandem;
    }

    /// Sets what converts objects to bodies and back, for requests and responses of the test.
    /// Without it, the one that [java.util.ServiceLoader] finds.
    public TestServer mapper(BodyMapper mapper) {
        this.mapper.set(mapper);
        return this;
    }

    @Override
    public TestRequest request(String method, String target) {
        return new TestRequest(transport, mapper, method, target);
    }

    /// Returns the address of a target, for another client.
    ///
    /// @param target in origin form, percent-encoded: a path, perhaps with a query
    /// @throws IllegalStateException if the server is in memory
    public URI uri(String target) {
        return URI.create(transport.address() + target);
    }

    /// Stops the server at once.
    @Override
    public void close() {
        transport.close();
    }
}
