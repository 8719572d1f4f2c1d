import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// Helidon SE.
final class HelidonBack {
    private HelidonBack() {}

    public static void main(String[] args) {
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routes -> routes.any(HelidonBack::handle))
                .build()
                .start();
    }

    private static void handle(ServerRequest request, ServerResponse response) throws IOException {
        String query = request.query().rawValue();
        var headers = request.headers();
        var hosts =
                headers.contains(HeaderNames.HOST)
                        ? headers.get(HeaderNames.HOST).allValues()
                        : List.<String>of();
        var content =
                request.content().hasEntity()
                        ? request.content().inputStream()
                        : InputStream.nullInputStream();
        String saw =
                Saw.request(
                        request.remotePeer().port(),
                        request.prologue().method().text(),
                        request.path().rawPath() + (query.isEmpty() ? "" : "?" + query),
                        hosts,
                        request.authority(),
                        content);
        response.header(HeaderNames.create("X-Saw"), saw).send(Saw.BODY);
    }
}
