package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// RFC 9113, section 3.4.
class PrefaceTest {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    @Test
    void prefaceIsRecognizedAtEveryLength() {
        byte[] bytes = Hex.latin1("xx" + PREFACE + "more");
        for (int length = 0; length < Preface.LENGTH; length++) {
            assertEquals(Preface.Match.PARTIAL, Preface.match(bytes, 2, 2 + length));
        }
        assertEquals(Preface.Match.FULL, Preface.match(bytes, 2, 2 + Preface.LENGTH));
        assertEquals(Preface.Match.FULL, Preface.match(bytes, 2, bytes.length));
    }

    @Test
    void differenceIsRecognizedAtEveryPosition() {
        for (int i = 0; i < Preface.LENGTH; i++) {
            byte[] bytes = Hex.latin1(PREFACE);
            bytes[i] ^= 1;
            assertEquals(Preface.Match.NO, Preface.match(bytes, 0, i + 1));
            assertEquals(Preface.Match.NO, Preface.match(bytes, 0, bytes.length));
        }
        assertEquals(Preface.Match.NO, Preface.match(Hex.latin1("PUT /"), 0, 5));
        assertEquals(Preface.Match.NO, Preface.match(Hex.latin1("PRI /"), 0, 5));
    }
}
