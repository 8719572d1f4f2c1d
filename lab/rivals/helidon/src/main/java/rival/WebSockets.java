package rival;

import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// `/ws` echoes, `/live/GROUP` sends each text to all sessions of the group.
final class WebSockets {
    private static final Map<String, Set<WsSession>> GROUPS = new ConcurrentHashMap<>();

    private WebSockets() {}

    static final class Echo implements WsListener {
        @Override
        public void onMessage(WsSession session, String text, boolean last) {
            session.send(text, last);
        }
    }

    static final class Live implements WsListener {
        private Set<WsSession> members = Set.of();

        @Override
        public Optional<Headers> onHttpUpgrade(HttpPrologue prologue, Headers headers) {
            members =
                    GROUPS.computeIfAbsent(
                            prologue.uriPath().path(), _ -> ConcurrentHashMap.newKeySet());
            return Optional.empty();
        }

        @Override
        public void onOpen(WsSession session) {
            members.add(session);
        }

        @Override
        public void onMessage(WsSession session, String text, boolean last) {
            for (WsSession member : members) {
                try {
                    member.send(text, last);
                } catch (RuntimeException e) {
                    members.remove(member); // its client has disconnected
                }
            }
        }

        @Override
        public void onClose(WsSession session, int status, String reason) {
            members.remove(session);
        }

        @Override
        public void onError(WsSession session, Throwable t) {
            members.remove(session);
        }
    }
}
