package rival;

import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.spi.WebSocketHttpExchange;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// `/ws` echoes, `/live/GROUP` sends each text to all sessions of the group.
final class WebSockets {
    private static final Map<String, Set<WebSocketChannel>> GROUPS = new ConcurrentHashMap<>();

    private WebSockets() {}

    static void echo(WebSocketHttpExchange exchange, WebSocketChannel channel) {
        receive(channel, Set.of(channel));
    }

    static void live(WebSocketHttpExchange exchange, WebSocketChannel channel) {
        Set<WebSocketChannel> members =
                GROUPS.computeIfAbsent(
                        exchange.getRequestURI(), _ -> ConcurrentHashMap.newKeySet());
        members.add(channel);
        channel.addCloseTask(members::remove);
        receive(channel, members);
    }

    private static void receive(WebSocketChannel channel, Set<WebSocketChannel> members) {
        channel.getReceiveSetter()
                .set(
                        new AbstractReceiveListener() {
                            @Override
                            protected void onFullTextMessage(
                                    WebSocketChannel from, BufferedTextMessage message) {
                                String text = message.getData();
                                for (WebSocketChannel member : members) {
                                    io.undertow.websockets.core.WebSockets.sendText(
                                            text, member, null);
                                }
                            }
                        });
        channel.resumeReceives();
    }
}
