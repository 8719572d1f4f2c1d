package dev.tandem.grpc;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.junit.AssumptionViolatedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// grpc-java's interoperability tests pass on Tandem's connector; [InteropReport] compares servers.
class InteropTest {
    /// Of cases that cancel: grpc-servlet completes requests that have ended. Kept, since loggers
    /// are not.
    private static final Logger LOG = Logger.getLogger("io.grpc");

    private static TomcatServer tomcat;

    @BeforeAll
    static void start() throws IOException, LifecycleException {
        LOG.setLevel(Level.OFF);
        tomcat = new TomcatServer(TomcatServer.TANDEM, 0);
    }

    @AfterAll
    static void stop() throws IOException {
        tomcat.close();
    }

    @TestFactory
    Stream<DynamicTest> embeddedTomcatPassesEachCase() {
        return InteropCase.all().stream()
                .filter(each -> !each.name().equals("deadlineExceeded")) // waits for a second
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> run(each, tomcat)));
    }

    private static void run(InteropCase each, InteropServer server) throws Throwable {
        try {
            each.run(server);
        } catch (AssumptionViolatedException e) {
            Assumptions.abort("does not apply: " + e.getMessage());
        }
    }

    /// Those that depend on the container most; all of them with [InteropReport].
    @Test
    void springBootPassesCases() throws Throwable {
        try (var spring = new SpringServer(true, 0)) {
            for (InteropCase each : InteropCase.all()) {
                switch (each.name()) {
                    case "emptyUnary",
                            "pingPong",
                            "cancelAfterFirstResponse",
                            "specialStatusMessage",
                            "unimplementedService" ->
                            each.run(spring);
                    default -> {}
                }
            }
        }
    }
}
