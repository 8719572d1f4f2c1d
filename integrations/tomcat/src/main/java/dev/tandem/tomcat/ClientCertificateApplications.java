package dev.tandem.tomcat;

import java.util.Locale;
import java.util.function.Consumer;
import org.apache.catalina.Container;
import org.apache.catalina.ContainerEvent;
import org.apache.catalina.ContainerListener;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.jspecify.annotations.Nullable;

/// Watches the applications of a Catalina engine for the login method `CLIENT-CERT` (Servlet
/// specification, section 13.6.4). Safe for use by any thread.
final class ClientCertificateApplications implements ContainerListener, LifecycleListener {
    private static final String CLIENT_CERT = "CLIENT-CERT";

    /// Is called with the path of an application that declares the method whenever one is started.
    private final Consumer<String> found;

    private @Nullable Engine watched;
    private volatile @Nullable String lastPath;

    ClientCertificateApplications(Consumer<String> found) {
        this.found = found;
    }

    /// Returns the path of an application that declares the method; null if there was none yet.
    @Nullable String lastPath() {
        return lastPath;
    }

    /// Watches an engine's present applications and later ones; once.
    synchronized void watch(Engine engine) {
        if (watched == engine) {
            return;
        }
        watched = engine;
        engine.addContainerListener(this);
        for (Container host : engine.findChildren()) {
            watchChild(host);
        }
    }

    private void watchChild(Object child) {
        if (child instanceof Host host) {
            host.addContainerListener(this);
            for (Container context : host.findChildren()) {
                watchChild(context);
            }
        } else if (child instanceof Context context) {
            context.addLifecycleListener(this);
            check(context);
        }
    }

    @Override
    public void containerEvent(ContainerEvent event) {
        if (event.getType().equals(Container.ADD_CHILD_EVENT)) {
            watchChild(event.getData());
        }
    }

    /// The login method is known when a context has read its `web.xml`.
    @Override
    public void lifecycleEvent(LifecycleEvent event) {
        if (event.getType().equals(Lifecycle.AFTER_START_EVENT)
                && event.getLifecycle() instanceof Context context) {
            check(context);
        }
    }

    private void check(Context context) {
        LoginConfig login = context.getLoginConfig();
        String method = login == null ? null : login.getAuthMethod();
        if (method != null && method.toUpperCase(Locale.ROOT).equals(CLIENT_CERT)) {
            String path = context.getPath().isEmpty() ? "/" : context.getPath();
            lastPath = path;
            found.accept(path);
        }
    }
}
