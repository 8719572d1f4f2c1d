package rival;

import java.util.concurrent.Executors;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Jetty with its default thread pool, without an access log.
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        var pool = new QueuedThreadPool(call.threads(), Math.min(8, call.threads()));
        if (call.isVirtual()) {
            pool.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        }
        var server = new Server(pool);
        var connector = new ServerConnector(server, new HttpConnectionFactory());
        connector.setHost("127.0.0.1");
        connector.setPort(call.port());
        connector.setAcceptQueueSize(Call.BACKLOG);
        connector.setIdleTimeout(call.keepAlive().toMillis());
        server.addConnector(connector);
        var context = new ServletContextHandler();
        context.setContextPath("/");
        context.setBaseResourceAsPath(call.root());
        Servlets.all().forEach((path, s) -> context.addServlet(new ServletHolder(s), path));
        context.addServlet(new ServletHolder("default", DefaultServlet.class), "/");
        WebSockets.add(context);
        server.setHandler(context);
        server.start();
        server.join();
    }
}
