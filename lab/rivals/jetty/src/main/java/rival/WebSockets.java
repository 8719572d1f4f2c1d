package rival;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.server.config.JettyWebSocketServletContainerInitializer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// `/ws` echoes, `/live/GROUP` sends each text to all sessions of the group.
public final class WebSockets {
    private static final Map<String, Set<Session>> GROUPS = new ConcurrentHashMap<>();

    private WebSockets() {}

    static void add(ServletContextHandler context) {
        JettyWebSocketServletContainerInitializer.configure(
                context,
                (_, container) -> {
                    container.setIdleTimeout(Duration.ZERO);
                    container.addMapping("/ws", (_, _) -> new Echo());
                    container.addMapping(
                            "/live/*",
                            (request, _) -> new Live(request.getRequestURI().getPath()));
                });
    }

    /// Public for Jetty alone.
    public static final class Echo extends Session.Listener.AbstractAutoDemanding {
        @Override
        public void onWebSocketText(String text) {
            getSession().sendText(text, Callback.NOOP);
        }
    }

    /// Public for Jetty alone.
    public static final class Live extends Session.Listener.AbstractAutoDemanding {
        private final Set<Session> members;

        Live(String path) {
            members = GROUPS.computeIfAbsent(path, _ -> ConcurrentHashMap.newKeySet());
        }

        @Override
        public void onWebSocketOpen(Session session) {
            super.onWebSocketOpen(session);
            members.add(session);
        }

        @Override
        public void onWebSocketText(String text) {
            for (Session member : members) {
                member.sendText(text, Callback.NOOP);
            }
        }

        @Override
        public void onWebSocketClose(int code, String reason, Callback callback) {
            members.remove(getSession());
            callback.succeed();
        }
    }
}
