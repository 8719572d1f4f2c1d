package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
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

    @Test
    void limitThatTheProcessCannotHaveIsAProblem() {
        assertNull(Descriptors.problem(1_023, 1_024));
        String problem = Descriptors.problem(1_024, 1_024);
        assertNotNull(problem);
        assertTrue(problem.startsWith("connectionsMax is 1024, but this process may have 1024"));
        assertTrue(problem.endsWith("set connectionsMax to 896 or less"), problem);
    }
}
