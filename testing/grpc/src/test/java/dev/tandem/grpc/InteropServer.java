package dev.tandem.grpc;

import io.grpc.ServerBuilder;
import java.io.IOException;

/// A server that the suite's cases run against, at a free port of this machine.
interface InteropServer extends AutoCloseable {
    /// Returns a builder for the services of a case.
    ServerBuilder<?> newBuilder();

    /// Replaces the services.
    ///
    /// @param services of [#newBuilder]
    void use(ServerBuilder<?> services) throws IOException;

    int port();

    @Override
    void close() throws IOException;
}
