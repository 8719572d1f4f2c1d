package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.FieldSyntax;
import dev.tandem.testkit.FuzzCorpus;

/// Fuzz target: the output of a CGI program. The head does not depend on how the output is split,
/// and
/// has nothing that a client could read as another header.
public final class ScriptHeadTarget {
    private static final int HEAD_MAX = 1_000;

    private ScriptHeadTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        assertEquals(read(input), read(input, FuzzCorpus.cuts(input)));
    }

    private static String read(byte[] input, int... cuts) {
        var reader = new ScriptHeadReader(HEAD_MAX);
        int at = 0;
        for (int cut : cuts) {
            at = cut > at ? reader.read(input, at, cut) : at;
        }
        at = reader.read(input, at, input.length);
        if (!reader.isComplete()) {
            return reader.error() + " " + at;
        }
        ScriptHead head = reader.head();
        for (int i = 0; i < head.headers().size(); i += 2) {
            assertTrue(FieldSyntax.isToken(head.headers().get(i)));
            assertTrue(FieldSyntax.isValue(head.headers().get(i + 1)));
        }
        boolean isStatus = head.status() == 0 || head.status() >= 200 && head.status() <= 599;
        assertTrue(isStatus, head::toString);
        return head + " " + at;
    }
}
