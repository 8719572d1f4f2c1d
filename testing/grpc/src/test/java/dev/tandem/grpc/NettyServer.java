package dev.tandem.grpc;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// grpc-java's own server, for comparison.
final class NettyServer implements InteropServer {
    private final int port;
    private @Nullable Server server;

    /// @param port 0 for a free one
    NettyServer(int port) {
        this.port = port;
    }

    @Override
    public ServerBuilder<?> newBuilder() {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port));
    }

    @Override
    public void use(ServerBuilder<?> services) throws IOException {
        close();
        server = services.build().start();
    }

    @Override
    public int port() {
        return Objects.requireNonNull(server).getPort();
    }

    @Override
    public void close() {
        Server running = server;
        if (running != null) {
            running.shutdownNow();
        }
    }
}
