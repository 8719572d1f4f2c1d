package dev.tandem.auction;

import java.io.File;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;

/// The site in a stock Tomcat, on a port of its own.
final class RunningAuction {
    private static final Map<String, String> SMALL =
            Map.of(
                    "auction.users", "50",
                    "auction.items", "120",
                    "auction.olditems", "40",
                    "auction.description", "200",
                    "auction.pool.wait", "20000",
                    "auction.password.iterations", "10");

    private final Tomcat tomcat = new Tomcat();
    private final Path base = Files.createTempDirectory("auction-tomcat");

    /// @param settings in addition to those of a small population
    RunningAuction(Map<String, String> settings) throws Exception {
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", new File("src/main/webapp").getAbsolutePath());
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        context.addMimeMapping("js", "text/javascript");
        context.addMimeMapping("svg", "image/svg+xml");
        SMALL.forEach(context::addParameter);
        settings.forEach(
                (name, value) -> {
                    context.removeParameter(name);
                    context.addParameter(name, value);
                });
        context.addServletContainerInitializer(new WsSci(), null);
        context.addApplicationListener(Auction.class.getName());
        context.setParentClassLoader(Auction.class.getClassLoader());
        tomcat.getConnector();
        tomcat.start();
        if (!context.getState().isAvailable()) {
            throw new IllegalStateException("the site did not start");
        }
    }

    Shopper shopper() {
        return new Shopper(
                HttpClient.newBuilder()
                        .cookieHandler(new java.net.CookieManager())
                        .version(HttpClient.Version.HTTP_1_1)
                        .build(),
                "http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    }

    void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        try (Stream<Path> all = Files.walk(base)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        }
    }
}
