package dev.tandem.lab;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.tomcat.TandemProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.websocket.server.WsSci;

/// The endpoints of [Target] as servlets under Catalina on our connector, except `/hello-loop` and
/// programs; and `/100k`, 100 KiB from memory, and `/ws`, a WebSocket that echoes its messages.
/// Needs Catalina on the class path.
public final class ServletTarget implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final TandemProtocol protocol = (TandemProtocol) connector.getProtocolHandler();
    private final Items items = new Items();

    /// @param root the folder whose files are at `/`
    public ServletTarget(String host, int port, Path root) {
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        connector.setProperty("address", host);
        connector.setPort(port);
        connector.setThrowOnFailure(true);
        protocol.setHttp2(true);
        protocol.setMaxConnections(-1); // as many as descriptors allow, as with the other target
        protocol.setKeepAliveTimeout(-1); // likewise
        tomcat.setConnector(connector);
        var pages = new ErrorReportValve();
        pages.setShowReport(false); // traces are for the log
        pages.setShowServerInfo(false);
        tomcat.getHost().getPipeline().addValve(pages);
        Context context = tomcat.addContext("", root.toString());
        context.addMimeMapping("bin", "application/octet-stream");
        context.addMimeMapping("html", "text/html");
        context.addMimeMapping("txt", "text/plain");
        Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet")
                .addMapping("/");
        TargetServlets.all(items)
                .forEach((path, its) -> Tomcat.addServlet(context, path, its).addMapping(path));
        context.addServletContainerInitializer(new WsSci(), null);
        context.addApplicationListener(TargetWebSockets.Adding.class.getName());
    }

    /// @param most maximum number of workers; the actual number is searched for
    public ServletTarget workers(int most) {
        protocol.setMaxThreads(most);
        return this;
    }

    /// Configures the underlying server further, before [#start()].
    public ServletTarget prepare(Consumer<Tandem> more) {
        protocol.customizeServer(more);
        return this;
    }

    /// @return the underlying server
    /// @throws IOException if the address is in use, for example
    public Server start() throws IOException {
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            Throwable root = e;
            while (root.getCause() != null && !(root instanceof IOException)) {
                root = root.getCause();
            }
            throw new IOException(root.getMessage(), e);
        }
        return Objects.requireNonNull(protocol.server());
    }

    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            items.close();
        }
    }
}
