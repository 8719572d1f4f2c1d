import com.sun.net.httpserver.HttpServer;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;

/// The JDK's server.
final class JdkBack {
    private JdkBack() {}

    public static void main(String[] args) throws Exception {
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                x -> {
                    String saw =
                            Saw.request(
                                    x.getRemoteAddress().getPort(),
                                    x.getRequestMethod(),
                                    x.getRequestURI().toString(),
                                    x.getRequestHeaders().getOrDefault("Host", List.of()),
                                    "-",
                                    x.getRequestBody());
                    x.getResponseHeaders().set("X-Saw", saw);
                    boolean isHead = x.getRequestMethod().equals("HEAD");
                    x.sendResponseHeaders(200, isHead ? -1 : Saw.BODY.length);
                    if (!isHead) {
                        x.getResponseBody().write(Saw.BODY);
                    }
                    x.close();
                });
        server.start();
    }
}
