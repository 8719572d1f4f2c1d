package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// nginx as the lab compares with it: no access log, no limit on requests, `/hello` from its
/// configuration, and files by sendfile.
final class Nginx {
    private static final String CONFIGURATION =
            """
            daemon off;
            worker_processes %5$d;
            %6$s
            pid %1$s/nginx.pid;
            error_log %1$s/nginx-error.log error;
            events {
                worker_connections %7$d;
                multi_accept on;
            }
            http {
                access_log off;
                default_type application/octet-stream;
                sendfile on;
                tcp_nopush on;
                tcp_nodelay on;
                keepalive_timeout %4$dms;
                keepalive_requests 1000000000;
                client_body_temp_path %1$s/nginx-body;
                proxy_temp_path %1$s/nginx-proxy;
                fastcgi_temp_path %1$s/nginx-fastcgi;
                uwsgi_temp_path %1$s/nginx-uwsgi;
                scgi_temp_path %1$s/nginx-scgi;
                %9$s
                server {
                    listen 127.0.0.1:%2$d backlog=4096;
                    %8$s
                    root %3$s;
                    location = /hello { default_type text/plain; return 200 'Hello, World!'; }
                    location = /hello-loop { default_type text/plain; return 200 'Hello, World!'; }
                    %10$s
                }
            }
            """;

    private static final String TLS =
            "listen 127.0.0.1:%d ssl%s backlog=4096; ssl_certificate %s; ssl_certificate_key %s;";

    private static final int CONNECTIONS = 4096;

    /// Enough for a storm of new clients.
    private static final int CONNECTIONS_TLS = 16_384;

    /// The starting command chooses the processor.
    private static final int ANY_ONE = 0;

    private Nginx() {}

    /// Writes its configuration into the workplace.
    ///
    /// @return the command that starts it
    static List<String> command(Path program, int port, WorkFolder workFolder) throws LabException {
        var settings = RivalSettings.DEFAULT.withKeepAlive(Duration.ofMinutes(5));
        var plan =
                new RivalPlan(
                        port,
                        0,
                        workFolder.root(),
                        workFolder.folder(),
                        List.of(ANY_ONE),
                        settings);
        return command(program, plan);
    }

    /// Writes its configuration into the plan's folder: a worker for each processor.
    ///
    /// @return the command that starts it
    static List<String> command(Path program, RivalPlan plan) throws LabException {
        return command(program, plan, "", "");
    }

    /// The same with more configuration.
    ///
    /// @param upstreams of a proxy
    /// @param locations that precede files
    static List<String> command(Path program, RivalPlan plan, String upstreams, String locations)
            throws LabException {
        Path folder = plan.folder();
        Path file = folder.resolve("nginx.conf");
        try {
            Files.writeString(
                    file,
                    CONFIGURATION.formatted(
                            folder,
                            plan.port(),
                            plan.root(),
                            plan.settings().keepAlive().toMillis(),
                            plan.processorCount(),
                            Kernel.isRoot() ? "user root;" : "",
                            plan.tlsPort() > 0 ? CONNECTIONS_TLS : CONNECTIONS,
                            tls(plan),
                            upstreams,
                            locations));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        return List.of(program.toString(), "-p", folder.toString(), "-c", file.toString());
    }

    private static String tls(RivalPlan plan) {
        Certificate shown = plan.settings().certificate();
        return shown == null
                ? ""
                : TLS.formatted(
                        plan.tlsPort(),
                        plan.settings().isHttp2() ? " http2" : "",
                        shown.chain(),
                        shown.key());
    }
}
