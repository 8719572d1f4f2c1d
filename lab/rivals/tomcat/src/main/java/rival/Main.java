package rival;

import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.websocket.server.WsSci;

/// Stock Tomcat with its NIO connector, without an access log. A root with `WEB-INF` in it is a
/// web application.
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(call.folder().toString());
        tomcat.setConnector(connector(call, call.port()));
        if (call.tls() != null) {
            tomcat.getService().addConnector(secure(call));
        }
        if (Files.isDirectory(call.root().resolve("WEB-INF"))) {
            tomcat.addWebapp("", call.root().toString());
        } else {
            addEndpoints(tomcat, call);
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void addEndpoints(Tomcat tomcat, Call call) {
        Context context = tomcat.addContext("", call.root().toString());
        context.addServletContainerInitializer(new WsSci(), null);
        context.addApplicationListener(WebSockets.class.getName());
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
    }

    /// By the JDK's TLS, Tomcat's default.
    private static Connector secure(Call call) {
        Connector connector = connector(call, call.tls().port());
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        var host = new SSLHostConfig();
        var certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateFile(call.tls().chain().toString());
        certificate.setCertificateKeyFile(call.tls().key().toString());
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        return connector;
    }

    private static Connector connector(Call call, int port) {
        var connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", Integer.toString(call.threads()));
        connector.setProperty("minSpareThreads", Integer.toString(Math.min(10, call.threads())));
        connector.setProperty("acceptCount", Integer.toString(Call.BACKLOG));
        connector.setProperty("maxConnections", Integer.toString(Call.CONNECTIONS_MAX));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", Long.toString(call.keepAlive().toMillis()));
        connector.setProperty("useVirtualThreads", Boolean.toString(call.isVirtual()));
        return connector;
    }
}
