package dev.tandem.auction;

import jakarta.servlet.ServletContext;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Sends the state of an item to WebSocket sessions, at `/live/ITEM`. Everyone may read it: no
/// cookie is used, so pages of other sites learn nothing from it.
final class LiveSockets {
    private LiveSockets() {}

    /// Adds the endpoint, in a container that has WebSocket.
    static void add(ServletContext context, LivePrices prices) {
        var container = (ServerContainer) context.getAttribute(ServerContainer.class.getName());
        var configurator =
                new ServerEndpointConfig.Configurator() {
                    @Override
                    public <T> T getEndpointInstance(Class<T> type) {
                        return type.cast(new Live(prices));
                    }
                };
        try {
            container.addEndpoint(
                    ServerEndpointConfig.Builder.create(Live.class, "/live/{item}")
                            .configurator(configurator)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException("auction: no WebSocket", e);
        }
    }

    /// One session; public for the container.
    public static final class Live extends Endpoint {
        private final LivePrices prices;
        private LivePrices.@Nullable Watcher watcher;
        private long item;

        Live(LivePrices prices) {
            this.prices = prices;
        }

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.setMaxIdleTimeout(0);
            item = LiveServlet.item("/" + session.getPathParameters().get("item"));
            var made = new SessionWatcher(session);
            watcher = made;
            try {
                if (!prices.watch(item, made)) {
                    made.end(CloseReason.CloseCodes.VIOLATED_POLICY);
                }
            } catch (SQLException e) {
                made.end(CloseReason.CloseCodes.TRY_AGAIN_LATER);
            }
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            if (watcher != null) {
                prices.leave(item, watcher);
            }
        }

        /// The browser has disconnected; [#onClose] follows.
        @Override
        public void onError(Session session, Throwable failure) {}
    }

    /// Sends one message after the other, the last state only if they come faster than that.
    private static final class SessionWatcher implements LivePrices.Watcher {
        private final Session session;
        private @Nullable String next;
        private boolean isSending;

        SessionWatcher(Session session) {
            this.session = session;
        }

        @Override
        public void show(String state) {
            synchronized (this) {
                next = state;
                if (isSending) {
                    return;
                }
                isSending = true;
            }
            send();
        }

        private void send() {
            String state;
            synchronized (this) {
                state = next;
                next = null;
                isSending = state != null;
            }
            if (state != null) {
                session.getAsyncRemote().sendText(state, this::sent);
            }
        }

        private void sent(SendResult result) {
            if (result.isOK()) {
                send();
            } else {
                end(CloseReason.CloseCodes.CLOSED_ABNORMALLY);
            }
        }

        @Override
        public void beat() {
            synchronized (this) {
                if (isSending) {
                    return;
                }
            }
            show(""); // which the page ignores
        }

        @Override
        public void end() {
            end(CloseReason.CloseCodes.GOING_AWAY);
        }

        void end(CloseReason.CloseCode code) {
            try {
                session.close(new CloseReason(code, ""));
            } catch (IOException | IllegalStateException e) {
                // The browser has disconnected.
            }
        }
    }
}
