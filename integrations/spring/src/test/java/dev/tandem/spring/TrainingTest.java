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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that trains the JVM's AOT cache.
class TrainingTest {
    private static final int REQUESTS = 100;

    private static final Pattern REQUESTED =
            Pattern.compile("training: [1-9][0-9]{0,2}(,[0-9]{3})* requests in [0-9]+ s");

    @Test
    void runEndsByItselfAndNamesPathsThatWereNeverServed() throws Exception {
        try (var application =
                ApplicationProcess.start(
                        Plain.class, List.of(), "tandem.training-paths=/connector,/none")) {
            ApplicationProcess.Ended ended = application.awaitEnd();
            // After 30 s it ends with fewer than its 20,000 requests, as on a slow machine.
            assertTrue(REQUESTED.matcher(ended.printed()).find(), ended.printed());
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
