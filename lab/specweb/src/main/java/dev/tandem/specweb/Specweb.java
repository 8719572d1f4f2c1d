package dev.tandem.specweb;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.SessionTrackingMode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Starts the three sites with their context: a servlet for each page, so that the cost of each
/// page can be measured separately.
public final class Specweb implements ServletContextListener {
    /// The simulator's address; a context parameter, or else a system property.
    private static final String BESIM = "specweb.besim";

    private static final String BESIM_DEFAULT = "http://127.0.0.1:8081/besim";
    private static final int SESSION_MINUTES = 30;

    private @Nullable Backend backend;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        String fields = context.getInitParameter(BESIM);
        var data = new Backend(fields == null ? System.getProperty(BESIM, BESIM_DEFAULT) : fields);
        backend = data;
        context.setSessionTimeout(SESSION_MINUTES);
        context.setSessionTrackingModes(Set.of(SessionTrackingMode.COOKIE));
        context.getSessionCookieConfig().setHttpOnly(true);
        context.getSessionCookieConfig().setAttribute("SameSite", "Lax");
        for (Screen screen : Screens.ALL) {
            String name = screen.site().path() + " " + screen.name();
            context.addServlet(name, new ScreenServlet(screen, data)).addMapping(screen.path());
        }
        context.addServlet("home", new HomeServlet()).addMapping("");
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        if (backend != null) {
            backend.close();
        }
    }
}
