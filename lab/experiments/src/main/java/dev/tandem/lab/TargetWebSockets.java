package dev.tandem.lab;

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
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The target's WebSocket, `/ws`. Its classes are public for Catalina alone.
final class TargetWebSockets {
    private TargetWebSockets() {}

    /// Adds `/ws`. Created by Catalina.
    public static final class Adding implements ServletContextListener {
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

    /// Sends each message back. Created by Catalina, one for each connection.
    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, @Nullable EndpointConfig config) {
            RemoteEndpoint.Basic client = session.getBasicRemote();
            session.addMessageHandler(
                    new MessageHandler.Whole<String>() {
                        @Override
                        public void onMessage(String text) {
                            send(() -> client.sendText(text));
                        }
                    });
            session.addMessageHandler(
                    new MessageHandler.Whole<ByteBuffer>() {
                        @Override
                        public void onMessage(ByteBuffer content) {
                            send(() -> client.sendBinary(content));
                        }
                    });
        }

        @FunctionalInterface
        private interface Sending {
            void run() throws IOException;
        }

        private static void send(Sending message) {
            try {
                message.run();
            } catch (IOException e) {
                throw new IllegalStateException(e); // Catalina closes it
            }
        }
    }
}
