package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCase.kept;
import static dev.tandem.engine.http1.WireCase.last;
import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static dev.tandem.engine.http1.WireCases.response;

import java.util.List;

/// Requests with a body, read and unread.
final class WireBodies {
    private static final String FIVE = "Host: a\nContent-Length: 5\n\nabcde";

    private WireBodies() {}

    static List<WireCase> all() {
        return List.of(
                kept("a length", "POST /echo HTTP/1.1\n" + FIVE, echoed("abcde")),
                kept(
                        "a length of 0",
                        "POST /echo HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
                        echoed("")),
                kept(
                        "chunks",
                        """
                        POST /echo HTTP/1.1
                        Host: a
                        Transfer-Encoding: chunked

                        2
                        ab
                        3;a=b
                        cde
                        0

                        """,
                        echoed("abcde")),
                kept(
                        "trailers",
                        """
                        POST /trailers HTTP/1.1
                        Host: a
                        Transfer-Encoding: chunked

                        1
                        a
                        0
                        X-Sum: 1

                        """,
                        ok("", "a 1")),
                kept(
                        "two bodies in a row",
                        ("POST /echo HTTP/1.1\n" + FIVE).repeat(2) + get("/now"),
                        echoed("abcde").repeat(2) + WireCases.NOW),
                kept(
                        "unread and short",
                        "POST /ignore HTTP/1.1\n" + FIVE + get("/now"),
                        ok("", "ignored") + WireCases.NOW),
                kept(
                        "half read, in chunks",
                        """
                        POST /first HTTP/1.1
                        Host: a
                        Transfer-Encoding: chunked

                        5
                        abcde
                        2
                        fg
                        0

                        """
                                + get("/now"),
                        ok("", "first a") + WireCases.NOW),
                kept(
                        "with a GET on the loop",
                        "GET /now HTTP/1.1\n" + FIVE + get("/hello"),
                        WireCases.NOW + WireCases.HELLO),
                kept(
                        "with a GET of nothing",
                        "GET /lost HTTP/1.1\n" + FIVE + get("/hello"),
                        response("404 Not Found", "", "404 nothing is here") + WireCases.HELLO),
                last(
                        "too long",
                        "POST /echo HTTP/1.1\nHost: a\nContent-Length: 1048577\n\nabcde",
                        response(
                                "413 Content Too Large",
                                "close",
                                "413 the body is longer than 1048576 bytes")),
                last(
                        "announced and not asked for",
                        """
                        POST /ignore HTTP/1.1
                        Host: a
                        Content-Length: 5
                        Expect: 100-continue

                        """,
                        ok("close", "ignored")),
                last(
                        "another expectation",
                        "POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\nExpect: mail\n\nabcde",
                        response(
                                "417 Expectation Failed",
                                "close",
                                "417 Expectation Failed<0a>expectation other than"
                                        + " 100-continue<0a>")),
                last(
                        "a chunk that is none",
                        "POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nx\n",
                        response("400 Bad Request", "close", "400 chunk size is not hexadecimal")));
    }

    static String echoed(String text) {
        return "HTTP/1.1 200 OK\nDate: *\nContent-Length: " + text.length() + "\n\n" + text;
    }
}
