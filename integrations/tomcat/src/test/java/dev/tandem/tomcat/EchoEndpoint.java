package dev.tandem.tomcat;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// Found in an application's classes.
@ServerEndpoint("/echo")
public final class EchoEndpoint {
    /// What Catalina calls.
    public EchoEndpoint() {}

    @OnMessage
    public String echo(String text) {
        return "heard " + text;
    }
}
