package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.spring.plain.Plain;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that trains the JVM's AOT cache.
class TrainingTest {
    private static final int REQUESTS = 100;

    @Test
    void runEndsByItselfAndNamesPathsThatWereNeverServed() throws Exception {
        try (var application =
                ApplicationProcess.start(
                        Plain.class, List.of(), "tandem.training-paths=/connector,/none")) {
            ApplicationProcess.Ended ended = application.awaitEnd();
            assertTrue(ended.printed().contains("training: 20,000 requests"), ended.printed());
            assertTrue(ended.printed().contains("never served: [/none]"), ended.printed());
            assertEquals(1, ended.status(), ended.printed());
        }
    }

    @Test
    void requestsOverTlsAreServed(@TempDir Path folder) throws Exception {
        TestCertificate.make(folder);
        try (var application =
                RunningApplication.start(
                        Plain.class,
                        "spring.ssl.bundle.pem.web.keystore.certificate=" + folder + "/chain.pem",
                        "spring.ssl.bundle.pem.web.keystore.private-key=" + folder + "/key.pem",
                        "server.ssl.bundle=web")) {
            TrainingLoad.Result result =
                    TrainingLoad.run(
                            URI.create("https://localhost:" + application.port()),
                            List.of("/connector"),
                            REQUESTS);
            assertEquals(REQUESTS, result.requests());
            assertEquals(Set.of(), result.failed());
        }
    }

    @Test
    void closedPortIsReported() {
        var error =
                assertThrows(
                        IOException.class,
                        () ->
                                TrainingLoad.run(
                                        URI.create("http://localhost:1"), List.of("/"), REQUESTS));
        assertTrue(error.toString().contains(ConnectException.class.getName()), error::toString);
    }
}
