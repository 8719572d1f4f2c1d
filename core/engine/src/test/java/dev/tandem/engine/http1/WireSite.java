package dev.tandem.engine.http1;

import dev.tandem.engine.ReadyHandler;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.Router;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// The site of the wire tests.
public final class WireSite {
    private WireSite() {}

    public static Router routes() {
        return builder().build();
    }

    /// Includes `/file`.
    public static Router routes(Path file) {
        return builder()
                .add(
                        "GET",
                        "/file",
                        x -> {
                            var stamp = FileStamp.of(file);
                            x.send(new Body.FileRegion(file, 0, stamp.size(), stamp));
                        })
                .build();
    }

    private static Router.Builder builder() {
        Router.Builder routes = Router.builder();
        routes.add("GET", "/hello", x -> x.send("Hello, World!"));
        routes.add("GET", "/hello/{name}", x -> x.send("Hello, " + x.pathParam("name")));
        routes.add("GET", "/now", Handler.nonBlocking(x -> x.send("now")));
        routes.add("GET", "/ready", new ReadyHandler());
        routes.add("GET", "/empty", _ -> {});
        routes.add("GET", "/same", x -> x.status(304).header("ETag", "\"1\"").send());
        routes.add("POST", "/echo", x -> x.send(x.request().body().readAllBytes()));
        routes.add("GET", "/mount/{path...}", x -> x.send("mounted " + x.pathParam("path")));
        routes.add("POST", "/ignore", x -> x.send("ignored"));
        routes.add("POST", "/first", x -> x.send("first " + (char) x.request().body().read()));
        routes.add("POST", "/trailers", WireSite::echoTrailers);
        addStreams(routes);
        addFailures(routes);
        return routes;
    }

    private static void addStreams(Router.Builder routes) {
        routes.add("GET", "/brief", x -> stream(x, "one", "two"));
        routes.add("GET", "/pieces", x -> streamFlushed(x, "one", "sixteen letters."));
        routes.add(
                "GET",
                "/trailer",
                x -> {
                    x.trailer("X-Sum", "6");
                    stream(x, "onetwo");
                });
        routes.add(
                "GET",
                "/sized",
                x -> {
                    x.header("Content-Length", "6");
                    streamFlushed(x, "one", "two");
                });
        routes.add("GET", "/body", x -> x.send(new Body.Stream(3, out -> write(out, "one"))));
        routes.add("GET", "/unsized", x -> x.send(new Body.Stream(-1, out -> write(out, "one"))));
    }

    private static void addFailures(Router.Builder routes) {
        routes.add("GET", "/throws", WireSite::fail);
        routes.add("GET", "/throws-now", Handler.nonBlocking(WireSite::fail));
        routes.add(
                "GET",
                "/throws-late",
                x -> {
                    streamFlushed(x, "one");
                    fail(x);
                });
        routes.add(
                "GET",
                "/rejects",
                _ -> {
                    throw new HttpException(403, "not you");
                });
        routes.add("GET", "/wrong", x -> x.header("Content-Length", "3").send("four"));
        routes.add("GET", "/more", x -> stream(x.header("Content-Length", "3"), "four"));
        routes.add("GET", "/less", x -> stream(x.header("Content-Length", "9"), "four"));
        routes.add(
                "GET", "/less-late", x -> streamFlushed(x.header("Content-Length", "9"), "four"));
        routes.add("GET", "/nothing", x -> stream(x.header("Content-Length", "9")));
        routes.add("GET", "/inject", x -> x.header("X-A", "b\r\nX-C: d").send());
        routes.add("GET", "/ours", x -> x.header("Transfer-Encoding", "gzip").send());
    }

    private static void fail(Exchange x) {
        throw new IllegalStateException("on purpose: " + x.path());
    }

    private static void echoTrailers(Exchange x) throws IOException {
        byte[] body = x.request().body().readAllBytes();
        var text = new String(body, StandardCharsets.UTF_8);
        x.send(text + " " + x.request().trailers().first("X-Sum"));
    }

    private static void stream(Exchange x, String... pieces) throws IOException {
        try (OutputStream out = x.outputStream()) {
            for (String piece : pieces) {
                write(out, piece);
            }
        }
    }

    private static void streamFlushed(Exchange x, String... pieces) throws IOException {
        OutputStream out = x.outputStream();
        for (String piece : pieces) {
            write(out, piece);
            out.flush();
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
