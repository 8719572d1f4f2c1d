package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmLoadTest {
    @Test
    void whatIsRecordedIsReadBack() {
        List<WarmLoad> loads =
                List.of(
                        WarmLoad.of("tandem", true, 29.4),
                        WarmLoad.of("httpd-worker, two processors", false, 1_200),
                        WarmLoad.of("multi-threaded at threads 2,000, keep-alive s 1", true, 8));
        String fact = "";
        for (WarmLoad load : loads) {
            fact = load.addTo(fact);
        }
        assertEquals(
                "tandem after 29 s; httpd-worker, two processors not within 1,200 s"
                        + "; multi-threaded at threads 2,000, keep-alive s 1 after 8 s",
                fact);
        assertEquals(loads, WarmLoad.parse(fact));
    }

    @Test
    void serverHasNoSettings() {
        assertEquals("tandem", WarmLoad.of("tandem", true, 1).server());
        assertEquals("tandem", WarmLoad.of("tandem, CGI", true, 1).server());
        assertEquals("multi-threaded", WarmLoad.of("multi-threaded at 1, 2", true, 1).server());
    }

    @Test
    void reportWithoutTheFactHasNoLoads() {
        assertEquals(List.of(), WarmLoad.parse(""));
    }

    @Test
    void anotherTextIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> WarmLoad.parse("warm enough"));
        assertThrows(
                IllegalArgumentException.class, () -> WarmLoad.parse("tandem after 29 s; warm"));
    }
}
