package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class WrkTest {
    private static final String REPORT =
            """
            Running 3s test @ http://127.0.0.1:8080/hello
              1 threads and 64 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   613.35us  199.91us   7.02ms   92.00%
                Req/Sec   104.50k     4.00k  110.00k    70.00%
              Latency Distribution
                 50%  590.00us
                 75%  640.00us
                 90%    1.70ms
                 99%    1.25s
              312000 requests in 3.00s, 40.00MB read
            Requests/sec: 104000.50
            Transfer/sec:     13.33MB
            """;

    @Test
    void reportIsRead() throws LabException {
        assertEquals(new Wrk.Load(312_000, 104_000.5, 0.59, 1_250, 0), Wrk.parse(REPORT));
    }

    @Test
    void errorsOfAllKindsAreSummed() throws LabException {
        String errors =
                """
                  Socket errors: connect 1, read 2, write 4, timeout 8
                  Non-2xx or 3xx responses: 16
                """;
        assertEquals(31, Wrk.parse(REPORT + errors).errors());
    }

    @Test
    void noRequestsIsAFailure() {
        String none = REPORT.replace("312000 requests", "0 requests");
        assertThrows(LabException.class, () -> Wrk.parse(none));
    }

    @Test
    void failureIsReportedByItsLastLine() {
        var failure =
                assertThrows(
                        LabException.class,
                        () -> Wrk.parse("unable to connect to 127.0.0.1:1 Connection refused\n"));
        assertEquals(
                "wrk received no responses: unable to connect to 127.0.0.1:1 Connection refused",
                failure.getMessage());
    }
}
