package rival;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/// Tomcat 8.0 with its blocking connector: a thread for each connection, which it keeps while the
/// connection is idle, and, above three quarters of busy threads, no persistent connections.
/// Without an access log. A root with `WEB-INF` in it is a web application of today's Servlet,
/// which is translated first.
public final class Main {
    private static final String PROTOCOL = "org.apache.coyote.http11.Http11Protocol";

    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(call.folder().toString());
        add(tomcat, connector(call, call.port()), true);
        if (call.tls() != null) {
            add(tomcat, secure(call), false);
        }
        if (Files.isDirectory(call.root().resolve("WEB-INF"))) {
            Path translated = call.folder().resolve("application");
            new Translation(call.root(), translated).run();
            tomcat.addWebapp("", translated.toString());
        } else {
            addEndpoints(tomcat, call);
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void add(Tomcat tomcat, Connector connector, boolean isFirst) {
        tomcat.getService().addConnector(connector);
        if (isFirst) {
            tomcat.setConnector(connector);
        }
    }

    private static void addEndpoints(Tomcat tomcat, Call call) {
        Context context = tomcat.addContext("", call.root().toString());
        context.addMimeMapping("bin", "application/octet-stream");
        context.addMimeMapping("html", "text/html");
        context.addMimeMapping("txt", "text/plain");
        Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet");
        context.addServletMapping("/", "files");
        Tomcat.addServlet(context, "hello", new Hello());
        context.addServletMapping("/hello", "hello");
    }

    /// By the JDK's TLS: this connector has no other.
    private static Connector secure(Call call) throws IOException, GeneralSecurityException {
        Path store = KeyFile.write(call.tls(), call.folder().resolve("key.p12"));
        Connector connector = connector(call, call.tls().port());
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        connector.setProperty("keystoreFile", store.toString());
        connector.setProperty("keystoreType", "PKCS12");
        connector.setProperty("keystorePass", KeyFile.PASSWORD);
        connector.setProperty("sslEnabledProtocols", "TLSv1.2,TLSv1.3");
        return connector;
    }

    private static Connector connector(Call call, int port) {
        var connector = new Connector(PROTOCOL);
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", Integer.toString(call.threads()));
        connector.setProperty("minSpareThreads", Integer.toString(Math.min(10, call.threads())));
        connector.setProperty("acceptCount", Integer.toString(Call.BACKLOG));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", Long.toString(call.keepAlive().toMillis()));
        return connector;
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private static final byte[] HELLO = "Hello, World!".getBytes();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain");
            response.setContentLength(HELLO.length);
            response.getOutputStream().write(HELLO);
        }
    }
}
