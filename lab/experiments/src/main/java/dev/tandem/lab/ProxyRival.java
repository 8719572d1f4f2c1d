package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server as a reverse proxy, with connections that are kept on both sides: `/static` is
/// forwarded to one upstream, `/slow` to another, whose responses take time. Both send the same
/// forwarding headers. `/hello` is its own.
///
/// @param like Tandem or nginx
/// @param filesPort of the upstream with files
/// @param slowPort of the other one
/// @param keptMax maximum number of idle connections to the slow one
record ProxyRival(Rival like, int filesPort, int slowPort, int keptMax) implements Rival {
    /// A page of the slow upstream.
    static final String SLOW = "/slow/block";

    /// The same page without keeping connections. Of Tandem only.
    static final String UNKEPT = "/unkept/block";

    /// Connections to the upstream with files: Tandem's default, and as many as there are clients.
    private static final int FILES_KEPT = 64;

    /// One client gets at most seven times as many as are free.
    private static final String TANDEM =
            """
            [[listen]]
            address = "127.0.0.1:%1$d"

            %6$s

            [[site]]
            respond = { text = "Hello, World!" }

            [[site.at]]
            path = "/static"
            proxy = { to = ["127.0.0.1:%2$d"], idle_connections_max = %5$d }

            [[site.at]]
            path = "/slow"

            [site.at.proxy]
            to = ["127.0.0.1:%3$d"]
            prefix = "/slow"
            connections_max = %7$d
            idle_connections_max = %4$d
            idle_timeout = "60s"

            [[site.at]]
            path = "/unkept"

            [site.at.proxy]
            to = ["127.0.0.1:%3$d"]
            prefix = "/unkept"
            connections_max = %7$d
            idle_connections_max = 0
            """;

    private static final String MANAGE =
            """
            [manage]
            address = "127.0.0.1:%d"
            trace = true
            """;

    private static final String UPSTREAMS =
            """
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header Via "1.1 nginx";
            proxy_set_header Forwarded 'for=$remote_addr;proto=$scheme;host="$http_host"';
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Host $http_host;
            upstream files {
                server 127.0.0.1:%1$d;
                keepalive %4$d;
                keepalive_requests 1000000000;
            }
            upstream slow {
                server 127.0.0.1:%2$d;
                keepalive %3$d;
                keepalive_requests 1000000000;
            }
            """;

    private static final String LOCATIONS =
            """
            location /static/ { proxy_pass http://files; }
            location /slow/ { proxy_pass http://slow/; }
            """;

    @Override
    public String name() {
        return like.name();
    }

    @Override
    public boolean hasCode() {
        return false;
    }

    @Override
    public String version(Toolbox tools) throws LabException, InterruptedException {
        return like.version(tools);
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        return like == OwnRival.TANDEM ? tandem(plan, environment) : nginx(plan, environment);
    }

    /// The product's own command, with a configuration file.
    private List<String> tandem(RivalPlan plan, Environment environment) throws LabException {
        Path file = plan.folder().resolve("proxy.toml");
        int managePort = plan.settings().managePort();
        String text =
                TANDEM.formatted(
                        plan.port(),
                        filesPort,
                        slowPort,
                        keptMax,
                        FILES_KEPT,
                        managePort > 0 ? MANAGE.formatted(managePort) : "",
                        2 * keptMax);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        var command = new ArrayList<String>(environment.target().words());
        command.addAll(List.of("serve", "--config", file.toString()));
        return command;
    }

    private List<String> nginx(RivalPlan plan, Environment environment) throws LabException {
        return Nginx.command(
                NginxRival.program(environment.tools()),
                plan,
                UPSTREAMS.formatted(filesPort, slowPort, keptMax, FILES_KEPT),
                LOCATIONS);
    }
}
