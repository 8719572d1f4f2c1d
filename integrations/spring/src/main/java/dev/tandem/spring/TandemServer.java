package dev.tandem.spring;

import dev.tandem.Server;
import dev.tandem.tomcat.TandemProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/// Gives access to the server under the application's connector. Safe for use by any thread.
public final class TandemServer implements ApplicationListener<WebServerInitializedEvent> {
    private volatile @Nullable TandemProtocol protocol;

    TandemServer() {}

    /// Returns the server; null before it is started, after it was stopped, and if the application
    /// uses another connector.
    public @Nullable Server server() {
        TandemProtocol known = protocol;
        return known == null ? null : known.server();
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        boolean isMain = event.getApplicationContext().getServerNamespace() == null;
        if (isMain
                && event.getWebServer() instanceof TomcatWebServer tomcat
                && tomcat.getTomcat().getConnector().getProtocolHandler()
                        instanceof TandemProtocol tandem) {
            protocol = tandem;
        }
    }
}
