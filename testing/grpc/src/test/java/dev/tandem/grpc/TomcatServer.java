package dev.tandem.grpc;

import io.grpc.ServerBuilder;
import io.grpc.servlet.jakarta.ServletServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.springframework.util.FileSystemUtils;

/// An embedded Tomcat.
final class TomcatServer implements InteropServer {
    static final String TANDEM = "dev.tandem.tomcat.TandemProtocol";
    static final String STOCK = "org.apache.coyote.http11.Http11NioProtocol";

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector;
    private final Path home;
    private final SwitchingServlet servlet = new SwitchingServlet();

    /// @param protocol the connector's class
    /// @param port 0 for a free one
    TomcatServer(String protocol, int port) throws IOException, LifecycleException {
        home = Files.createTempDirectory("tandem-grpc");
        tomcat.setBaseDir(home.toString());
        connector = new Connector(protocol);
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.addUpgradeProtocol(patientHttp2());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", home.toString());
        Wrapper wrapper = Tomcat.addServlet(context, "grpc", servlet);
        wrapper.setAsyncSupported(true);
        wrapper.addMapping("/*");
        tomcat.start();
    }

    /// As in grpc-java's own tests of Tomcat: some cases look like attacks to the stock connector.
    /// Tandem's ignores these attributes.
    private static Http2Protocol patientHttp2() {
        var http2 = new Http2Protocol();
        http2.setOverheadCountFactor(0);
        http2.setOverheadWindowUpdateThreshold(0);
        http2.setOverheadContinuationThreshold(0);
        http2.setOverheadDataThreshold(0);
        return http2;
    }

    @Override
    public ServerBuilder<?> newBuilder() {
        return new ServletServerBuilder();
    }

    @Override
    public void use(ServerBuilder<?> services) {
        servlet.use((ServletServerBuilder) services);
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IOException("Tomcat cannot be stopped", e);
        }
        FileSystemUtils.deleteRecursively(home);
    }
}
