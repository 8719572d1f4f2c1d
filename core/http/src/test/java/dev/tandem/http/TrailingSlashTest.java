package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrailingSlashTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a                  | /a/",
                "/a?                 | /a/?",
                "/a?x=1&y=/b?c       | /a/?x=1&y=/b?c",
                "/a/b.c-d_e~f        | /a/b.c-d_e~f/",
                "//evil.example      | /evil.example/",
                "///evil.example/..  | /",
                "/%2e/evil.example   | /evil.example/",
                "/%68ost:80@b        | /host%3A80%40b/",
                "/gr%C3%BCn          | /gr%C3%BCn/",
                "/a%20b              | /a%20b/",
                "/a%3Fb%23c%25d      | /a%3Fb%23c%25d/",
                "/%F0%9F%98%80       | /%F0%9F%98%80/",
                "http://host//a?b    | /a/?b"
            })
    void pathBeginsAndEndsWithSingleSlash(String asked, String location) {
        byte[] bytes = asked.getBytes(StandardCharsets.ISO_8859_1);
        var target = (RequestTarget) RequestTarget.parse("GET", bytes, 0, bytes.length);
        assertEquals(location, target.withTrailingSlash());
    }
}
