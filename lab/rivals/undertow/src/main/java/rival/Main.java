package rival;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import org.xnio.Options;

/// Undertow with its servlets and the given number of worker threads, without an access log.
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        DeploymentInfo site =
                Servlets.deployment()
                        .setClassLoader(Main.class.getClassLoader())
                        .setContextPath("/")
                        .setDeploymentName("target")
                        .setResourceManager(new PathResourceManager(call.root()));
        rival.Servlets.all()
                .forEach(
                        (path, servlet) ->
                                site.addServlet(
                                        Servlets.servlet(
                                                        path,
                                                        servlet.getClass(),
                                                        new ImmediateInstanceFactory<>(servlet))
                                                .addMapping(path)));
        var deployment = Servlets.defaultContainer().addDeployment(site);
        deployment.deploy();
        Undertow.builder()
                .setWorkerThreads(call.threads())
                .setSocketOption(Options.BACKLOG, Call.BACKLOG)
                .setServerOption(
                        UndertowOptions.NO_REQUEST_TIMEOUT, (int) call.keepAlive().toMillis())
                .addHttpListener(call.port(), "127.0.0.1")
                .setHandler(
                        Handlers.path(deployment.start())
                                .addExactPath("/ws", Handlers.websocket(WebSockets::echo))
                                .addPrefixPath("/live", Handlers.websocket(WebSockets::live)))
                .build()
                .start();
    }
}
