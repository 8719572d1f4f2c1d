package dev.tandem.tomcat;

import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.StoreManager;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.session.DataSourceStore;

/// Lets all versions and processes of an application share the sessions in a database. A store
/// files sessions under its context's name, which contains the version, and another process has
/// other versions. The store reads that name once and keeps it: so it is made to read it while the
/// context has the first version's name.
///
/// @param first the name of the first version's context
record SharedStoreName(String first) implements LifecycleListener {

    /// Called when the application's own `context.xml` has been read, and nothing has been started
    /// yet.
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
