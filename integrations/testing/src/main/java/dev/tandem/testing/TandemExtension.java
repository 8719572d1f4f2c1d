package dev.tandem.testing;

import dev.tandem.http.BodyMapper;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Starts a [TestServer] before tests and stops it after them, with JUnit 5 or 6:
///
/// ```java
/// @RegisterExtension
/// static final TandemExtension shop = TandemExtension.inMemory(new Shop()::addTo);
/// ```
///
/// In a static field it has one server for all tests of the class and its nested ones, else a new
/// one for each test. Requests are for tests, `@BeforeEach` and `@AfterEach` methods, with a static
/// field also for `@BeforeAll` and `@AfterAll` ones.
public final class TandemExtension
        implements TestClient,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback {
    private final Supplier<TestServer> start;
    private @Nullable BodyMapper mapper;
    private volatile @Nullable TestServer server;

    /// The classes and tests that are running: those of several classes may do so at once.
    private final Set<String> users = new HashSet<>();

    private TandemExtension(Supplier<TestServer> start) {
        this.start = start;
    }

    /// As [TestServer#onPort].
    public static TandemExtension onPort(TestServer.Site site) {
        return new TandemExtension(() -> TestServer.onPort(site));
    }

    /// As [TestServer#inMemory].
    public static TandemExtension inMemory(TestServer.Site site) {
        return new TandemExtension(() -> TestServer.inMemory(site));
    }

    /// As [TestServer#mapper].
    public TandemExtension mapper(BodyMapper mapper) {
        this.mapper = mapper;
        return this;
    }

    @Override
    public TestRequest request(String method, String target) {
        return server().request(method, target);
    }

    /// As [TestServer#uri].
    public URI uri(String target) {
        return server().uri(target);
    }

    private TestServer server() {
        TestServer running = server;
        if (running == null) {
            throw new IllegalStateException(
                    "the server is not running: is the field annotated with @RegisterExtension?");
        }
        return running;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        startFor(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        startFor(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        stopFor(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stopFor(context);
    }

    private synchronized void startFor(ExtensionContext context) {
        if (server == null) {
            TestServer started = start.get();
            if (mapper != null) {
                started.mapper(mapper);
            }
            server = started;
        }
        users.add(context.getUniqueId());
    }

    private synchronized void stopFor(ExtensionContext context) {
        TestServer running = server;
        if (running != null && users.remove(context.getUniqueId()) && users.isEmpty()) {
            server = null;
            running.close();
        }
    }
}
