package dev.tandem.grpc;

import io.grpc.servlet.jakarta.ServletAdapter;
import io.grpc.servlet.jakarta.ServletServerBuilder;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A servlet for gRPC, as grpc-servlet's own, whose services can be replaced: a server is started
/// once for all cases.
final class SwitchingServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private transient volatile @Nullable ServletAdapter adapter;

    void use(ServletServerBuilder services) {
        ServletAdapter previous = adapter;
        adapter = services.buildServletAdapter();
        if (previous != null) {
            previous.destroy();
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Objects.requireNonNull(adapter, "no case is running").doPost(request, response);
    }
}
