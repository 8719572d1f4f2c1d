package rival;

import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/// Stock Tomcat with its NIO connector, without an access log.
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(call.folder().toString());
        tomcat.setConnector(connector(call));
        Context context = tomcat.addContext("", call.root().toString());
        context.addMimeMapping("bin", "application/octet-stream");
        context.addMimeMapping("html", "text/html");
        context.addMimeMapping("txt", "text/plain");
        Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet");
        context.addServletMappingDecoded("/", "files");
        Servlets.all()
                .forEach(
                        (path, servlet) -> {
                            Tomcat.addServlet(context, path, servlet);
                            context.addServletMappingDecoded(path, path);
                        });
        tomcat.start();
        tomcat.getServer().await();
    }

    private static Connector connector(Call call) {
        var connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(call.port());
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", Integer.toString(call.threads()));
        connector.setProperty(
                "minSpareThreads", Integer.toString(Math.min(10, call.threads())));
        connector.setProperty("acceptCount", Integer.toString(Call.BACKLOG));
        connector.setProperty("maxConnections", Integer.toString(Call.CONNECTIONS_MAX));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", Long.toString(call.keepAlive().toMillis()));
        connector.setProperty("useVirtualThreads", Boolean.toString(call.isVirtual()));
        return connector;
    }
}
