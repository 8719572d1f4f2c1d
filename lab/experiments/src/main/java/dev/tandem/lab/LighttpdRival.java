package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// lighttpd, an event-driven server that runs CGI programs (mod_cgi): one event loop for each
/// processor, without an access log. It has no number of threads to set, and no TLS here.
record LighttpdRival() implements Rival {
    /// As many connections as the generator may open; each program of CGI needs descriptors, too.
    private static final int CONNECTIONS_MAX = 4096;

    /// The largest value that the option may have.
    private static final int KEEP_ALIVE_REQUESTS_MAX = 65_535;

    private static final String CONFIGURATION =
            """
            server.modules = ( "mod_alias", "mod_cgi" )
            server.bind = "127.0.0.1"
            server.port = %2$d
            server.document-root = "%3$s"
            server.errorlog = "%1$s/lighttpd-error.log"
            server.upload-dirs = ( "%1$s" )
            server.max-worker = %4$d
            server.max-connections = %5$d
            server.max-fds = %6$d
            server.listen-backlog = 4096
            server.max-keep-alive-requests = %7$d
            server.max-keep-alive-idle = %8$d
            alias.url = ( "/hello" => "%1$s/hello.txt" )
            mimetype.assign = (
                ".txt" => "text/plain",
                ".html" => "text/html",
                "" => "application/octet-stream"
            )
            $HTTP["url"] =~ "^/cgi-bin/" {
                cgi.assign = ( "" => "" )
            }
            """;

    @Override
    public String name() {
        return "lighttpd";
    }

    @Override
    public boolean hasCode() {
        return false;
    }

    @Override
    public boolean hasCgi() {
        return true;
    }

    @Override
    public String version(Toolbox tools) throws LabException, InterruptedException {
        return Toolbox.firstLine(List.of(program(tools).toString(), "-v"));
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        Path program = program(environment.tools());
        if (plan.settings().certificate() != null) {
            throw new LabException("lighttpd has no TLS in the lab: leave it out of this");
        }
        Path file = plan.folder().resolve("lighttpd.conf");
        try {
            Files.writeString(plan.folder().resolve("hello.txt"), "Hello, World!");
            Files.writeString(file, configuration(plan));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        // With several processes it ends by a signal to its process group, which is to be its own.
        Path setsid = environment.tools().need("setsid", "apt-get install util-linux");
        return List.of(setsid.toString(), program.toString(), "-D", "-f", file.toString());
    }

    /// With one processor there is a single process; its time-outs are whole seconds.
    private static String configuration(RivalPlan plan) {
        int processes = plan.processorCount();
        return CONFIGURATION.formatted(
                plan.folder(),
                plan.port(),
                plan.root(),
                processes == 1 ? 0 : processes,
                CONNECTIONS_MAX,
                2 * CONNECTIONS_MAX,
                KEEP_ALIVE_REQUESTS_MAX,
                Math.max(1, Math.ceilDiv(plan.settings().keepAlive().toMillis(), 1_000)));
    }

    private static Path program(Toolbox tools) throws LabException {
        return tools.need("lighttpd", "apt-get install lighttpd");
    }
}
