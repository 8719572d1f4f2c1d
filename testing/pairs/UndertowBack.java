import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;

import java.nio.ByteBuffer;
import java.util.List;

/// Undertow, without servlets.
final class UndertowBack {
    private UndertowBack() {}

    public static void main(String[] args) {
        int port = Integer.parseInt(args[0]);
        Undertow.builder()
                .addHttpListener(port, "127.0.0.1", x -> x.dispatch(UndertowBack::handle))
                .build()
                .start();
    }

    private static void handle(HttpServerExchange x) throws Exception {
        x.startBlocking();
        String query = x.getQueryString();
        var hosts = x.getRequestHeaders().get(Headers.HOST);
        String saw =
                Saw.request(
                        x.getSourceAddress().getPort(),
                        x.getRequestMethod().toString(),
                        x.getRequestURI() + (query.isEmpty() ? "" : "?" + query),
                        hosts == null ? List.of() : List.copyOf(hosts),
                        x.getHostName(),
                        x.getInputStream());
        x.getResponseHeaders().put(new HttpString("X-Saw"), saw);
        x.getResponseSender().send(ByteBuffer.wrap(Saw.BODY));
    }
}
