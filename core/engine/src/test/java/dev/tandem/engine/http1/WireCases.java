package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCase.kept;
import static dev.tandem.engine.http1.WireCase.last;

import java.util.List;
import java.util.stream.Stream;

/// Requests without a body and their responses, byte for byte.
public final class WireCases {
    static final String HELLO = ok("", "Hello, World!");
    public static final String NOW = ok("", "now");
    private static final String READY =
            """
            HTTP/1.1 200 OK
            Date: *
            Content-Type: text/plain
            Content-Length: 5

            ready\
            """;

    private WireCases() {}

    static Stream<WireCase> all() {
        return Stream.of(plain(), heads(), pipelined(), ends(), WireBodies.all(), WireStreams.all())
                .flatMap(List::stream);
    }

    public static String get(String path) {
        return "GET " + path + " HTTP/1.1\nHost: a\n\n";
    }

    /// A response with text.
    ///
    /// @param connection the header's value, or empty where there is none
    public static String ok(String connection, String text) {
        return response("200 OK", connection, text);
    }

    public static String response(String status, String connection, String text) {
        String field = connection.isEmpty() ? "" : "Connection: " + connection + "\n";
        // The engine's own texts end with a line break, and are for no cache.
        String cache = text.endsWith("<0a>") ? "Cache-Control: no-store\n" : "";
        return """
        HTTP/1.1 %s
        Date: *
        %sContent-Type: text/plain; charset=utf-8
        Content-Length: %d
        %s
        %s\
        """
                .formatted(status, cache, text.replace("<0a>", " ").length(), field, text);
    }

    private static List<WireCase> plain() {
        return List.of(
                kept("GET by a worker", get("/hello"), HELLO),
                kept("GET on the loop", get("/now"), NOW),
                kept("GET of what lies ready", get("/ready"), READY),
                kept("a parameter", get("/hello/a%20b"), ok("", "Hello, a b")),
                kept("empty lines before", "\n\n" + get("/hello"), HELLO),
                kept("absolute form", "GET http://b/hello HTTP/1.1\nHost: a\n\n", HELLO),
                kept(
                        "no route",
                        get("/lost"),
                        response("404 Not Found", "", "404 nothing is here")),
                kept(
                        "another method",
                        "DELETE /echo HTTP/1.1\nHost: a\n\n",
                        """
                        HTTP/1.1 405 Method Not Allowed
                        Date: *
                        Allow: OPTIONS, POST
                        Content-Type: text/plain; charset=utf-8
                        Content-Length: 33

                        405 this path takes OPTIONS, POST\
                        """),
                kept(
                        "https over a plain connection",
                        "GET https://b/hello HTTP/1.1\nHost: a\n\n",
                        response(
                                "421 Misdirected Request",
                                "",
                                "421 this connection is not secure: use http, or TLS")),
                kept(
                        "an unknown method",
                        "BREW /hello HTTP/1.1\nHost: a\n\n",
                        response("501 Not Implemented", "", "501 no such method is known here")),
                kept(
                        "a mount without its slash",
                        get("/mount?a=b"),
                        """
                        HTTP/1.1 308 Permanent Redirect
                        Date: *
                        Location: /mount/?a=b
                        Content-Length: 0

                        """),
                kept(
                        "OPTIONS of a path",
                        "OPTIONS /hello HTTP/1.1\nHost: a\n\n",
                        "HTTP/1.1 204 No Content\nDate: *\nAllow: GET, HEAD, OPTIONS\n\n"),
                kept(
                        "OPTIONS of the server",
                        "OPTIONS * HTTP/1.1\nHost: a\n\n",
                        """
                        HTTP/1.1 204 No Content
                        Date: *
                        Allow: GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS

                        """),
                kept("no content", get("/empty"), "HTTP/1.1 204 No Content\nDate: *\n\n"),
                kept("304", get("/same"), "HTTP/1.1 304 Not Modified\nDate: *\nETag: \"1\"\n\n"));
    }

    private static List<WireCase> heads() {
        String head = "HEAD %s HTTP/1.1\nHost: a\n\n";
        return List.of(
                kept(
                        "HEAD by a worker",
                        head.formatted("/hello"),
                        HELLO.replace("Hello, W", "").replace("orld!", "")),
                kept("HEAD on the loop", head.formatted("/now"), NOW.replace("\nnow", "\n")),
                kept(
                        "HEAD of what lies ready",
                        head.formatted("/ready"),
                        READY.replace("\nready", "\n")),
                kept(
                        "HEAD of what is lost",
                        head.formatted("/lost"),
                        response("404 Not Found", "", "404 nothing is here")
                                .replace("404 nothing is here", "")),
                kept(
                        "HEAD of a stream",
                        head.formatted("/pieces"),
                        "HTTP/1.1 200 OK\nDate: *\nTransfer-Encoding: chunked\n\n"));
    }

    private static List<WireCase> pipelined() {
        String three = get("/hello") + get("/now") + get("/ready");
        return List.of(
                kept("worker, loop, ready", three, HELLO + NOW + READY),
                kept(
                        "ready, worker, loop",
                        get("/ready") + get("/hello") + get("/now"),
                        READY + HELLO + NOW),
                kept("loop only", get("/now").repeat(3), NOW.repeat(3)),
                kept("workers only", get("/hello").repeat(3), HELLO.repeat(3)),
                last(
                        "the last closes",
                        get("/now") + "GET /hello HTTP/1.1\nHost: a\nConnection: close\n\n" + three,
                        NOW + ok("close", "Hello, World!")),
                last(
                        "one is malformed",
                        get("/hello") + get("/now") + "GET\n\n" + three,
                        HELLO + NOW + malformed("request line does not begin with a method")));
    }

    /// The engine's own text, whatever error page the site has.
    static String malformed(String reason) {
        String text = "400 Bad Request<0a>" + reason + "<0a>";
        return response("400 Bad Request", "close", text);
    }

    private static List<WireCase> ends() {
        String old = "GET %s HTTP/1.0\n\n";
        String oldKept = "GET %s HTTP/1.0\nConnection: keep-alive\n\n";
        String closing = "GET %s HTTP/1.1\nHost: a\nConnection: close\n\n";
        String closedReady = READY.replace("\n\n", "\nConnection: close\n\n");
        return List.of(
                last("1.0 by a worker", old.formatted("/hello"), ok("close", "Hello, World!")),
                last("1.0 on the loop", old.formatted("/now"), ok("close", "now")),
                last("1.0 of what lies ready", old.formatted("/ready"), closedReady),
                kept(
                        "1.0 kept by a worker",
                        oldKept.formatted("/hello").repeat(2),
                        ok("keep-alive", "Hello, World!").repeat(2)),
                kept(
                        "1.0 kept on the loop",
                        oldKept.formatted("/now").repeat(2),
                        ok("keep-alive", "now").repeat(2)),
                last(
                        "close by a worker",
                        closing.formatted("/hello"),
                        ok("close", "Hello, World!")),
                last("close on the loop", closing.formatted("/now"), ok("close", "now")),
                last("close of what lies ready", closing.formatted("/ready"), closedReady),
                // The rest may be bytes for a tunnel (RFC 9931).
                last(
                        "CONNECT",
                        "CONNECT a:80 HTTP/1.1\nHost: a\n\n" + get("/hello"),
                        response("404 Not Found", "close", "404 nothing is here")));
    }
}
