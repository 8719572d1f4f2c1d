package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// nginx as the lab compares with it: one worker, no access log, no limit on requests, answers of
/// `/hello` from its configuration and files by sendfile.
final class Nginx {
    private static final String CONFIGURATION =
            """
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            error_log %1$s/nginx-error.log error;
            events {
                worker_connections 4096;
                multi_accept on;
            }
            http {
                access_log off;
                default_type application/octet-stream;
                sendfile on;
                tcp_nopush on;
                tcp_nodelay on;
                keepalive_timeout 300;
                keepalive_requests 1000000000;
                client_body_temp_path %1$s/nginx-body;
                proxy_temp_path %1$s/nginx-proxy;
                fastcgi_temp_path %1$s/nginx-fastcgi;
                uwsgi_temp_path %1$s/nginx-uwsgi;
                scgi_temp_path %1$s/nginx-scgi;
                server {
                    listen 127.0.0.1:%2$d backlog=4096;
                    root %3$s;
                    location = /hello { default_type text/plain; return 200 'Hello, World!'; }
                    location = /hello-loop { default_type text/plain; return 200 'Hello, World!'; }
                }
            }
            """;

    private Nginx() {}

    /// Writes its configuration into the workplace.
    ///
    /// @return the command that starts it
    static List<String> command(Path program, int port, Workplace place) throws LabException {
        Path file = place.folder().resolve("nginx.conf");
        try {
            Files.writeString(file, CONFIGURATION.formatted(place.folder(), port, place.root()));
            openToAll(place);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        String prefix = place.folder().toString();
        return List.of(program.toString(), "-p", prefix, "-c", file.toString());
    }

    /// Started by root, its worker is another user, who must be let in.
    private static void openToAll(Workplace place) throws IOException {
        Files.setPosixFilePermissions(place.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
