package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.MalformedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, section 5, with RFC 9110, section 5: field lines, their names, values and limits.
class Rfc9112Section5Test {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"X:y", "X: y", "X:  y  ", "X:\ty\t", "X: \t y \t "})
    void blanksAroundValueAreTrimmed(String line) {
        assertEquals("y", value(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X:", "X: ", "X:\t", "X: \t \t"})
    void valueMayBeEmpty(String line) {
        assertEquals("", value(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\tb", "a:b", ":", "a=\"b, c\"", "\u0080\u00ff", "!~", "a  b"})
    void valueIsUnchanged(String value) {
        assertEquals(value, value("X: " + value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "X-Y", "!#$%&'*+-.^_`|~", "0", "Content-Lengthy", "host2"})
    void anyTokenIsAName(String name) {
        assertEquals(name, SplitInput.head(SplitInput.request(name + ": v\r\n")).headers().name(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X : y", "X\t: y", "X y: z", " : y", "X ", "Content-Length : 5"})
    void blankBeforeColonIsRejected(String line) {
        String reason =
                line.startsWith(" ")
                        ? "folded field line"
                        : "blank in a field name or before its colon";
        assertEquals(MalformedMessage.badRequest(reason), rejection(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {" y", "\ty", "  ", "\t", " X: y", " \r\nX: y"})
    void foldedLineIsRejected(String continuation) {
        assertEquals(
                MalformedMessage.badRequest("folded field line"),
                rejection("X: y\r\n" + continuation));
    }

    @Test
    void lineWithoutColonIsRejected() {
        assertEquals(MalformedMessage.badRequest("field line without a colon"), rejection("X"));
    }

    @ParameterizedTest
    @ValueSource(strings = {":", ": y", ":y: z", ":Host: a"})
    void emptyNameIsRejected(String line) {
        assertEquals(MalformedMessage.badRequest("field without a name"), rejection(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(X): y",
                "X,Y: z",
                "X/Y: z",
                "\"X\": y",
                "X;a: y",
                "X=y",
                "X@: y",
                "[X]: y",
                "X\\: y",
                "{X}: y",
                "\u00fcber: y",
                "X\u00a0: y",
                "<X>: y",
                "X?: y"
            })
    void nameThatIsNotATokenIsRejected(String line) {
        assertEquals(MalformedMessage.badRequest("field name is not a token"), rejection(line));
    }

    @Test
    void headersKeepTheirOrder() {
        String lines = "B: 1\r\na: 2\r\nB: 3\r\n";
        assertEquals(
                "Host: a.example\nB: 1\na: 2\nB: 3\n",
                SplitInput.head(SplitInput.request(lines)).headers().toString());
    }

    @Test
    void headersUpToLimitAreAccepted() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withHeadersMax(3));
        assertEquals(
                3, SplitInput.head(limits, SplitInput.request("A: 1\r\nB: 2\r\n")).headerCount());
    }

    @Test
    void headersBeyondLimitAreRejectedEarly() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withHeadersMax(3));
        String unfinished =
                SplitInput.request("A: 1\r\nB: 2\r\nC: 3\r\n").replaceFirst("\r\n$", "");
        assertEquals(
                new MalformedMessage(431, "more than 3 headers"),
                SplitInput.bad(limits, unfinished));
    }

    @Test
    void defaultLimitIsHundredHeaders() {
        String wire = SplitInput.request("A: b\r\n".repeat(99));
        assertEquals(100, SplitInput.head(wire).headerCount());
    }

    @Test
    void headUpToLimitIsAccepted() {
        String wire = SplitInput.request("X: " + "y".repeat(100) + "\r\n");
        var limits = limits(wire.length());
        assertEquals(wire.length(), SplitInput.head(limits, wire + "GET ").length());
    }

    @Test
    void headBeyondLimitIsRejectedEarly() {
        String wire = SplitInput.request("X: " + "y".repeat(100) + "\r\n");
        var limits = limits(wire.length() - 1);
        String unfinished = wire.substring(0, wire.length() - 1);
        assertEquals(431, SplitInput.bad(limits, unfinished).status());
    }

    @Test
    void tooLongHeadGets400WithoutSpecificStatus() {
        String wire = SplitInput.request("X: " + "y".repeat(100) + "\r\n");
        var limits = limits(wire.length() - 1).withSpecificStatus(false);
        assertEquals(400, SplitInput.bad(limits, wire).status());
        assertEquals(400, SplitInput.bad(limits, "GET /" + "x".repeat(40)).status());
        assertEquals(
                400,
                SplitInput.bad(
                                limits.withHeads(h -> h.withHeadersMax(1)),
                                SplitInput.request("A: 1\r\n"))
                        .status());
    }

    @Test
    void emptyLinesBeforeRequestCountTowardsHead() {
        String wire = SplitInput.request("");
        assertEquals(431, SplitInput.bad(limits(wire.length()), "\r\n" + wire).status());
    }

    private static Http1Limits limits(int headMax) {
        return Http1Limits.DEFAULT.withHeads(h -> h.withRequestLineMax(32).withHeadMax(headMax));
    }

    private static String value(String line) {
        return SplitInput.head(SplitInput.request(line + "\r\n")).headers().value(1);
    }

    private static MalformedMessage rejection(String line) {
        return SplitInput.bad(SplitInput.request(line + "\r\n"));
    }
}
