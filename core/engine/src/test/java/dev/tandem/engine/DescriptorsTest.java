package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {

    /// Some are kept for files, and what the JVM itself holds: 18 at rest.
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "32, 16",
        "64, 32",
        "100, 50",
        "128, 64",
        "256, 192",
        "1024, 896",
        "65536, 57344",
        "1073741816, 1048576"
    })
    void connectionsGetAllDescriptorsButTheReserve(long limit, int connections) {
        assertEquals(connections, Descriptors.connectionsMax(limit));
    }
}
