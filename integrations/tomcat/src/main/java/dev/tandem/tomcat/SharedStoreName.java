package dev.tandem.tomcat;

import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.StoreManager;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.session.DataSourceStore;

/// Has the versions of an application find each other's sessions in a database: a store files them
/// under its context's name, in which the version is, and another process has other versions. The
/// store asks for that name once, and keeps it: so it is made to ask while the name is the first
/// version's.
///
/// @param first the name of the first version's context
record SharedStoreName(String first) implements LifecycleListener {

    /// When the application's own `context.xml` has been read, and nothing is started yet.
    @Override
    public void lifecycleEvent(LifecycleEvent event) {
        if (event.getType().equals(Lifecycle.AFTER_INIT_EVENT)
                && event.getLifecycle() instanceof StandardContext context
                && context.getManager() instanceof StoreManager sessions
                && sessions.getStore() instanceof DataSourceStore store) {
            String own = context.getName();
            context.setName(first);
            String _ = store.getName();
            context.setName(own);
        }
    }
}
