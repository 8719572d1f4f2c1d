import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

import java.nio.ByteBuffer;

/// Jetty's server, without servlets.
final class JettyBack extends Handler.Abstract {
    private JettyBack() {}

    public static void main(String[] args) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new JettyBack());
        server.start();
        server.join();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String saw =
                Saw.request(
                        Request.getRemotePort(request),
                        request.getMethod(),
                        request.getHttpURI().getPathQuery(),
                        request.getHeaders().getValuesList("Host"),
                        Request.getServerName(request),
                        Content.Source.asInputStream(request));
        response.getHeaders().put("X-Saw", saw);
        response.write(true, ByteBuffer.wrap(Saw.BODY), callback);
        return true;
    }
}
