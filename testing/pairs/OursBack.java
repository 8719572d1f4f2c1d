import dev.tandem.Tandem;

import java.net.InetSocketAddress;

/// Our server, with the handler of these comparisons.
final class OursBack {
    private OursBack() {}

    public static void main(String[] args) throws Exception {
        Tandem.listen("127.0.0.1", Integer.parseInt(args[0]))
                .route(
                        "*",
                        "/{path...}",
                        x -> {
                            var request = x.request();
                            String query = request.target().query();
                            String saw =
                                    Saw.request(
                                            ((InetSocketAddress) request.remoteAddress()).getPort(),
                                            request.method(),
                                            request.target().path()
                                                    + (query == null ? "" : "?" + query),
                                            request.headers().all("Host"),
                                            request.target().authority(),
                                            request.body());
                            x.header("X-Saw", saw).send("seen\n");
                        })
                .start()
                .join();
    }
}
