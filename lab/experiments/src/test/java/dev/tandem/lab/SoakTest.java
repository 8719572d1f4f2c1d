package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SoakTest {
    private static final long SEED = 1;

    private static WorkFolder workFolder;
    private static Target target;
    private static Server right;

    /// Responds to every request, but wrongly.
    private static Server wrong;

    @BeforeAll
    static void start() throws IOException, LabException {
        workFolder = WorkFolder.make();
        target = new Target(workFolder.root());
        right = target.addTo(Tandem.listen("127.0.0.1", 0)).start();
        wrong = Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", x -> x.send("?")).start();
    }

    @AfterAll
    static void stop() {
        right.close();
        wrong.close();
        target.close();
        workFolder.close();
    }

    static Stream<String> kinds() throws LabException {
        try (WorkFolder some = WorkFolder.make()) {
            return new SoakClients(some).kinds().keySet().stream();
        }
    }

    /// Kinds for which this server's rejections are right cannot be distinguished.
    static Stream<String> kindsThatCheckContent() throws LabException {
        return kinds().filter(
                        kind -> !List.of("disconnecting", "malformed requests").contains(kind));
    }

    private static void runClient(Server server, String kind, int times)
            throws IOException, InterruptedException, LabException {
        var random = new Random(SEED);
        for (int i = 0; i < times; i++) {
            client(kind).run(server.port(), random);
        }
    }

    private static SoakClient client(String kind) throws LabException {
        return Objects.requireNonNull(new SoakClients(workFolder).kinds().get(kind));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void targetPassesAllKindsOfClients(String kind) {
        assertDoesNotThrow(
                () -> runClient(right, kind, kind.equals("malformed requests") ? 40 : 4));
    }

    @ParameterizedTest
    @MethodSource("kindsThatCheckContent")
    void wrongResponsesAreDetected(String kind) {
        assertThrows(IOException.class, () -> runClient(wrong, kind, 1));
    }

    @Test
    void acceptedMalformedRequestIsDetected() throws IOException {
        try (var lenient = new LenientServer()) {
            assertThrows(
                    IOException.class,
                    () -> client("malformed requests").run(lenient.port(), new Random(SEED)));
        }
    }

    @Test
    void shortSoakHasNoFailures(@TempDir Path folder) throws LabException, InterruptedException {
        var silent =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        var order = new Order(Form.QUICK, Map.of(), Order.SEED, folder, false);
        var run = new Run(SoakExperiment.EXPERIMENT, order, environment, false);
        var headline = SoakExperiment.soak(new SoakExperiment.Length(2, 1), run);
        assertEquals(0, headline.getFirst().value(), headline::toString);
    }
}
