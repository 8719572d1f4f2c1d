package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCase.kept;
import static dev.tandem.engine.http1.WireCase.last;
import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.response;

import java.util.List;
import java.util.stream.Stream;

/// Streamed responses, and handlers that fail.
final class WireStreams {
    private static final String OURS =
            response("500 Internal Server Error", "", "500 something went wrong on our side");

    private WireStreams() {}

    static List<WireCase> all() {
        return Stream.of(streams(), trailers(), failures()).flatMap(List::stream).toList();
    }

    private static List<WireCase> streams() {
        return List.of(
                kept("a brief stream", get("/brief") + get("/now"), sized("onetwo") + NOW),
                kept("pieces", get("/pieces") + get("/now"), PIECES + NOW),
                kept(
                        "a stream of a set length",
                        get("/sized") + get("/now"),
                        sized("onetwo") + NOW),
                kept("a body of a known length", get("/body") + get("/now"), sized("one") + NOW),
                kept("a body of no length", get("/unsized") + get("/now"), sized("one") + NOW),
                last(
                        "pieces to 1.0",
                        "GET /pieces HTTP/1.0\nConnection: keep-alive\n\n",
                        """
                        HTTP/1.1 200 OK
                        Date: *
                        Connection: close

                        onesixteen letters.\
                        """),
                kept(
                        "a brief stream to 1.0",
                        "GET /brief HTTP/1.0\nConnection: keep-alive\n\n",
                        """
                        HTTP/1.1 200 OK
                        Date: *
                        Content-Length: 6
                        Connection: keep-alive

                        onetwo\
                        """));
    }

    private static final String PIECES =
            """
            HTTP/1.1 200 OK
            Date: *
            Transfer-Encoding: chunked

            3
            one
            10
            sixteen letters.
            0

            """;

    private static List<WireCase> trailers() {
        String chunked =
                """
                HTTP/1.1 200 OK
                Date: *
                Transfer-Encoding: chunked

                6
                onetwo
                0
                X-Sum: 6

                """;
        return List.of(
                kept(
                        "trailers to who takes them",
                        "GET /trailer HTTP/1.1\nHost: a\nTE: trailers\n\n" + get("/now"),
                        chunked + NOW),
                kept(
                        "trailers to who does not",
                        get("/trailer") + get("/now"),
                        sized("onetwo") + NOW),
                last(
                        "trailers to 1.0",
                        "GET /trailer HTTP/1.0\nTE: trailers\n\n",
                        sized("onetwo").replace("\n\n", "\nConnection: close\n\n")));
    }

    private static String sized(String text) {
        return "HTTP/1.1 200 OK\nDate: *\nContent-Length: " + text.length() + "\n\n" + text;
    }

    private static List<WireCase> failures() {
        return List.of(
                kept("a handler throws", get("/throws") + get("/now"), OURS + NOW),
                kept("one on the loop throws", get("/throws-now") + get("/now"), OURS + NOW),
                kept(
                        "a handler rejects",
                        get("/rejects") + get("/now"),
                        response("403 Forbidden", "", "403 not you") + NOW),
                kept("a length that is wrong", get("/wrong") + get("/now"), OURS + NOW),
                kept("more than the length", get("/more") + get("/now"), OURS + NOW),
                kept("less than the length", get("/less") + get("/now"), OURS + NOW),
                kept("nothing of the length", get("/nothing") + get("/now"), OURS + NOW),
                kept("a field within a value", get("/inject") + get("/now"), OURS + NOW),
                kept("a field of the server's", get("/ours") + get("/now"), OURS + NOW),
                last(
                        "a handler throws too late",
                        get("/throws-late") + get("/now"),
                        """
                        HTTP/1.1 200 OK
                        Date: *
                        Transfer-Encoding: chunked

                        3
                        one
                        """),
                last("less than the length, too late", get("/less-late") + get("/now"), CUT));
    }

    private static final String CUT =
            """
            HTTP/1.1 200 OK
            Date: *
            Content-Length: 9

            four\
            """;
}
