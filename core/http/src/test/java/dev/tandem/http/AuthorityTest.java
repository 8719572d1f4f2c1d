package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a.b",
                "a:1",
                "a:",
                "a:65535",
                "127.0.0.1:80",
                "[::1]",
                "[::ffff:1.2.3.4]:1",
                "a!$&'()*+,;=b"
            })
    void validHostsAreAccepted(String text) {
        assertTrue(isHost(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":1",
                "a:65536",
                "a:4294967376",
                "a:000080",
                "a:-1",
                "a:+1",
                "a: 1",
                "a:1 ",
                " a",
                "a b",
                "a@b",
                "a/b",
                "a?b",
                "a#b",
                "a\\b",
                "a\u0000",
                "\u00fc",
                "%",
                "%4",
                "%zz",
                "%20",
                "%41",
                "[",
                "[]",
                "[:",
                "[::1",
                "[g::]",
                "[::1]1",
                "[::1]:x",
                "::1",
                "a:1:2",
                "a,b:1x",
                "<",
                "\""
            })
    void invalidHostsAreRejected(String text) {
        assertFalse(isHost(text));
    }

    private static boolean isHost(String text) {
        var bytes = ("x" + text + "41:1").getBytes(StandardCharsets.ISO_8859_1);
        return Authority.isHost(bytes, 1, bytes.length - 4);
    }
}
