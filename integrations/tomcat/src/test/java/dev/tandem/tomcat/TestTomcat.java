package dev.tandem.tomcat;

import dev.tandem.testkit.RawClient;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/// An embedded Tomcat with the Tandem connector, at a free port.
final class TestTomcat implements AutoCloseable {
    final Tomcat tomcat = new Tomcat();
    final Connector connector = new Connector(TandemProtocol.class.getName());
    final Context context;
    private final Path home;

    TestTomcat() throws IOException {
        home = Files.createTempDirectory("tandem-tomcat");
        tomcat.setBaseDir(home.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        context = tomcat.addContext("", home.toString());
    }

    TestTomcat with(String pattern, Servlet servlet) {
        Wrapper wrapper = Tomcat.addServlet(context, "s" + pattern.hashCode(), servlet);
        wrapper.setAsyncSupported(true);
        wrapper.addMapping(pattern);
        return this;
    }

    TestTomcat start() throws Exception {
        tomcat.start();
        return this;
    }

    int port() {
        return connector.getLocalPort();
    }

    /// Returns the number of workers.
    int threads() {
        return ((TandemProtocol) connector.getProtocolHandler()).endpoint().getCurrentThreadCount();
    }

    /// Returns the number of suspended requests.
    int openCount() {
        return ((TandemProtocol) connector.getProtocolHandler()).endpoint().getConnections().size();
    }

    /// Returns the number of clients that are connected.
    long connectionCount() {
        return ((TandemProtocol) connector.getProtocolHandler()).endpoint().getConnectionCount();
    }

    /// Checks suspended requests as if time had passed.
    void checkTimeouts(Duration passed) {
        long then = System.nanoTime() + passed.toNanos();
        var endpoint = ((TandemProtocol) connector.getProtocolHandler()).endpoint();
        endpoint.getConnections().forEach(each -> ((TandemSocket) each).checkTimeouts(then));
    }

    RawClient client() throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", port()));
    }

    @Override
    public void close() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        new WorkFolder(home).delete(home);
    }
}
