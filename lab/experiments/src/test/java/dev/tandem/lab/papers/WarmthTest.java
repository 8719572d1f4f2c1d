package dev.tandem.lab.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WarmthTest {
    @Test
    void nothingIsSaidWhereItIsNotDetected() {
        assertEquals("", Warmth.parse("").clause());
    }

    @Test
    void allWereWarm() {
        String recorded = "tandem after 29 s; tomcat-blocking, two processors after 42 s";
        assertEquals("all servers were warm", Warmth.parse(recorded).clause());
    }

    @Test
    void aServerThatIsLoadedOnceIsNamedWithItsTime() {
        String recorded = "tandem not within 40 s; multi-threaded after 37 s";
        assertEquals("warm were all but: tandem not within 40 s", Warmth.parse(recorded).clause());
    }

    @Test
    void aServerOfManySettingsHasOneClause() {
        String recorded =
                "tandem, CGI not within 20 s"
                        + "; multi-threaded at threads 2,000, keep-alive s 1 not within 20 s"
                        + "; multi-threaded at threads 2,000, keep-alive s 5 after 17 s"
                        + "; multi-threaded at threads 8,000, keep-alive s 1 not within 20 s";
        assertEquals(
                "warm were all but: tandem not within 20 s,"
                        + " multi-threaded not within 20 s in 2 of 3 loads",
                Warmth.parse(recorded).clause());
    }
}
