package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// W3C Trace Context, section 3.2; some of its own test suite's cases.
class TraceParentTest {
    private static final String TRACE = "12345678901234567890123456789012";
    private static final String PARENT = "1234567890123456";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-" + TRACE + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-ff",
                "cc-" + TRACE + "-" + PARENT + "-01",
                "cc-" + TRACE + "-" + PARENT + "-01-what-the-future-will-be-like",
            })
    void validHeaderIsParsed(String field) {
        TraceParent read = Objects.requireNonNull(TraceParent.parse(field));
        assertEquals(new TraceParent(TRACE, PARENT, true), read);
        assertEquals("00-" + TRACE + "-" + PARENT + "-01", read.toString());
    }

    @Test
    void onlyLastBitMeansSampled() {
        TraceParent read = TraceParent.parse("00-" + TRACE + "-" + PARENT + "-fe");
        assertEquals("00-" + TRACE + "-" + PARENT + "-00", String.valueOf(read));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + TRACE + "-" + PARENT,
                "00-" + TRACE + "-" + PARENT + "-1",
                "00-" + TRACE + "-" + PARENT + "-01-",
                "00-" + TRACE + "-" + PARENT + "-01.",
                "cc-" + TRACE + "-" + PARENT + "-01.what",
                "ff-" + TRACE + "-" + PARENT + "-01",
                " 00-" + TRACE + "-" + PARENT + "-01",
                ".0-" + TRACE + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-.0",
                "00-00000000000000000000000000000000-" + PARENT + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-1234567890123456789012345678901A-" + PARENT + "-01",
                "00-" + TRACE + "-123456789012345G-01",
                "00-" + TRACE + "_" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-0\u0661",
            })
    void malformedHeaderIsNull(String field) {
        assertNull(TraceParent.parse(field));
    }

    @Test
    void childKeepsTraceId() {
        TraceParent child = new TraceParent(TRACE, PARENT, true).child("00000000000000ab");
        assertEquals("00-" + TRACE + "-00000000000000ab-01", child.toString());
        assertThrows(IllegalArgumentException.class, () -> child.child("0000000000000000"));
        assertThrows(IllegalArgumentException.class, () -> child.child("x\r\ny"));
    }
}
