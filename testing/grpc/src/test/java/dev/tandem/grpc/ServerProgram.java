package dev.tandem.grpc;

import dev.tandem.Tandem;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptors;
import io.grpc.testing.integration.TestServiceImpl;
import java.io.IOException;
import java.util.concurrent.Executors;
import org.apache.catalina.LifecycleException;

/// A program that serves the suite's test service until it is ended, for other clients than Java's
/// and for measurements.
final class ServerProgram {
    private ServerProgram() {}

    private static final String DIRECT = "-direct";

    /// @param args `tandem`, `stock`, `spring-tandem`, `spring-stock` or `netty`, each perhaps with
    ///     `-direct` behind it, to run services on the server's threads in place of an executor of
    ///     gRPC's; or `hello` for a handler without gRPC at `/hello`; and a port
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("hello")) {
            Tandem.listen("127.0.0.1", port).get("/hello", x -> x.send("hello, world")).start();
            return;
        }
        InteropServer server = server(args[0].replace(DIRECT, ""), port);
        ServerBuilder<?> services = server.newBuilder();
        if (args[0].endsWith(DIRECT)) {
            services.directExecutor();
        }
        services.addService(
                ServerInterceptors.intercept(
                        new TestServiceImpl(Executors.newScheduledThreadPool(2)),
                        TestServiceImpl.interceptors()));
        server.use(services);
        System.out.println("port " + server.port());
        Thread.currentThread().join(); // Netty's threads are daemons
    }

    private static InteropServer server(String kind, int port)
            throws IOException, LifecycleException {
        return switch (kind) {
            case "tandem" -> new TomcatServer(TomcatServer.TANDEM, port);
            case "stock" -> new TomcatServer(TomcatServer.STOCK, port);
            case "spring-tandem" -> new SpringServer(true, port);
            case "spring-stock" -> new SpringServer(false, port);
            case "netty" -> new NettyServer(port);
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
