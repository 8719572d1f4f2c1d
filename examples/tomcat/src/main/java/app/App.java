package app;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/// Embedded Tomcat: one line names the connector.
public final class App {
    private App() {}

    public static void main(String[] arguments) throws Exception {
        start(8080, "target").getServer().await();
    }

    /// @param port 0 selects a free one
    /// @param folder for what Tomcat writes
    static Tomcat start(int port, String folder) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder);
        var connector = new Connector("dev.tandem.tomcat.TandemProtocol");
        connector.setPort(port);
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "thread", new ThreadServlet());
        context.addServletMappingDecoded("/thread", "thread");
        tomcat.start();
        return tomcat;
    }

    private static final class ThreadServlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain");
            response.getWriter().print(Thread.currentThread().getName());
        }
    }
}
