package dev.tandem.tomcat;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// A WebSocket endpoint that is found in an application's classes.
@ServerEndpoint("/echo")
public final class EchoEndpoint {
    /// Called by Catalina.
    public EchoEndpoint() {}

    @OnMessage
    public String echo(String text) {
        return "heard " + text;
    }
}
