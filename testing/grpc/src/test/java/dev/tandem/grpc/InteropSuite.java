package dev.tandem.grpc;

import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

/// grpc-java's interoperability tests, with its Netty client, against a server.
final class InteropSuite extends AbstractInteropTest {
    private final InteropServer server;

    InteropSuite(InteropServer server) {
        this.server = server;
    }

    @Override
    protected ServerBuilder<?> getServerBuilder() {
        return server.newBuilder().maxInboundMessageSize(MAX_MESSAGE_SIZE);
    }

    @Override
    protected void startServer(@Nullable ServerBuilder<?> builder) {
        try {
            server.use(Objects.requireNonNull(builder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// With windows so small that each of the larger messages exhausts them.
    @Override
    protected ManagedChannelBuilder<?> createChannelBuilder() {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
                .maxInboundMessageSize(MAX_MESSAGE_SIZE);
    }

    /// For a busy machine.
    @Override
    protected int operationTimeoutMillis() {
        return 15_000;
    }

    /// They are not the connector's concern.
    @Override
    protected boolean metricsExpected() {
        return false;
    }

    /// Client and server notice a deadline at the same time, and the case knows two texts of its
    /// status. With servlets there is a third: where the server is first, its status arrives, since
    /// a servlet cannot reset a stream.
    @Override
    @Test
    public void deadlineExceeded() throws Exception {
        try {
            super.deadlineExceeded();
        } catch (AssertionError e) {
            if (!"context timed out".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    // ---- Cases of the suite's client that its test classes leave out.

    /// Whether the server checks the flag that a message is compressed is not asked: grpc-java's
    /// server does not.
    @Test
    public void clientCompressedUnary() throws Exception {
        clientCompressedUnary(false);
    }

    @Test
    public void clientCompressedStreaming() throws Exception {
        clientCompressedStreaming(false);
    }

    @Override
    @Test
    public void serverCompressedStreaming() throws Exception {
        super.serverCompressedStreaming();
    }
}
