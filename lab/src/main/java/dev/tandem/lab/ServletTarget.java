package dev.tandem.lab;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import dev.tandem.tomcat.TandemProtocol;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;

/// The endpoints of [Target] as servlets under Catalina on our connector, but for `/hello-loop` and
/// programs; and `/100k`, 100 KiB from memory, and `/ws`, a WebSocket that sends back what comes.
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
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", root.toString());
        context.addMimeMapping("bin", "application/octet-stream");
        context.addMimeMapping("html", "text/html");
        context.addMimeMapping("txt", "text/plain");
        Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet")
                .addMapping("/");
        TargetServlets.all(items)
                .forEach((path, its) -> Tomcat.addServlet(context, path, its).addMapping(path));
        context.addServletContainerInitializer(new WsSci(), null);
        context.addApplicationListener(WebSockets.class.getName());
    }

    /// @param most workers; searched for below that
    public ServletTarget workers(int most) {
        protocol.setMaxThreads(most);
        return this;
    }

    /// Has more done to the server underneath, before [#start()].
    public ServletTarget prepare(Consumer<Tandem> more) {
        protocol.prepare(more);
        return this;
    }

    /// @return the server underneath
    /// @throws IOException if the address is taken, for example
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

    /// Adds `/ws`. Made by Catalina.
    public static final class WebSockets implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            Object container =
                    event.getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                ((ServerContainer) container)
                        .addEndpoint(
                                ServerEndpointConfig.Builder.create(Echo.class, "/ws").build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Sends back what comes. Made by Catalina, one for each connection.
    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, @Nullable EndpointConfig config) {
            RemoteEndpoint.Basic client = session.getBasicRemote();
            session.addMessageHandler(
                    new MessageHandler.Whole<String>() {
                        @Override
                        public void onMessage(String text) {
                            send(client, text);
                        }
                    });
        }

        private static void send(RemoteEndpoint.Basic client, String text) {
            try {
                client.sendText(text);
            } catch (IOException e) {
                throw new IllegalStateException(e); // Catalina closes it
            }
        }
    }
}
