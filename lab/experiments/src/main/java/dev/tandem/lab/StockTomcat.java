package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// A server with one application on Tomcat's own connector, with its defaults: a process of its
/// own. Needs Catalina on the class path.
public final class StockTomcat {
    private StockTomcat() {}

    /// Starts it; ends with the process.
    ///
    /// @param arguments the port, and the application's folder
    /// @throws LifecycleException if it does not start
    public static void main(String[] arguments) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        var connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setThrowOnFailure(true);
        tomcat.setConnector(connector);
        tomcat.enableNaming();
        var context = tomcat.addWebapp("", arguments[1]);
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            scanner.setScanClassPath(false); // as Tandem's: it has no fragments
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    /// Returns the command that starts it.
    ///
    /// @param own a command of ours, without its arguments, with Catalina on its class path
    static List<String> command(List<String> own, int port, Path app) {
        var command = new ArrayList<>(own.subList(0, own.size() - 1));
        command.addAll(
                List.of(StockTomcat.class.getName(), Integer.toString(port), app.toString()));
        return command;
    }
}
