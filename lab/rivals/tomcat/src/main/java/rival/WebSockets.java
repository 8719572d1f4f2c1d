package rival;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// `/ws` echoes, `/live/GROUP` sends each text to all sessions of the group.
public final class WebSockets implements ServletContextListener {
    private static final Map<String, Set<Session>> GROUPS = new ConcurrentHashMap<>();

    @Override
    public void contextInitialized(ServletContextEvent event) {
        var container =
                (ServerContainer)
                        event.getServletContext().getAttribute(ServerContainer.class.getName());
        try {
            container.addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, "/ws").build());
            container.addEndpoint(
                    ServerEndpointConfig.Builder.create(Live.class, "/live/{group}").build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(Session session, String text) {
        try {
            session.getBasicRemote().sendText(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            // No lambda: its type parameter is read by reflection.
            session.addMessageHandler(
                    new MessageHandler.Whole<String>() {
                        @Override
                        public void onMessage(String text) {
                            send(session, text);
                        }
                    });
        }
    }

    public static final class Live extends Endpoint {
        private Set<Session> members = Set.of();

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            members =
                    GROUPS.computeIfAbsent(
                            session.getPathParameters().get("group"),
                            _ -> ConcurrentHashMap.newKeySet());
            members.add(session);
            session.addMessageHandler(
                    new MessageHandler.Whole<String>() {
                        @Override
                        public void onMessage(String text) {
                            for (Session member : members) {
                                try {
                                    send(member, text);
                                } catch (IllegalStateException e) {
                                    members.remove(member); // its client has disconnected
                                }
                            }
                        }
                    });
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            members.remove(session);
        }
    }
}
