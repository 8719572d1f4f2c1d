package dev.tandem.cli.serving;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Configures Catalina's log: warnings, and what applications write by `ServletContext.log`. Loaded
/// only by commands that start Catalina.
public final class CatalinaLog {
    /// Strong references, since the JDK drops unreferenced loggers.
    private static final List<Logger> CATALINAS =
            List.of(Logger.getLogger("org.apache"), Logger.getLogger("dev.tandem.tomcat"));

    private static final Logger APPLICATIONS =
            Logger.getLogger("org.apache.catalina.core.ContainerBase");

    private CatalinaLog() {}

    public static void quieten() {
        CATALINAS.forEach(logger -> logger.setLevel(Level.WARNING));
        APPLICATIONS.setLevel(Level.INFO);
    }
}
