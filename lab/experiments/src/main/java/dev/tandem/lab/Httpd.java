package dev.tandem.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Apache's httpd with one of its two threaded architectures, and CGI by its daemon. `/hello` is a
/// file: it runs no code.
///
/// @param mpm `worker`, with a thread for each connection, or `event`, which keeps idle connections
///     without a thread
record Httpd(String mpm) implements Rival {
    /// Maximum threads of one process: the more processes there are, the less their threads
    /// contend.
    private static final int PROCESS_THREADS_MAX = 256;

    /// Where systems put the modules, relative to the program's folder.
    private static final List<String> MODULES =
            List.of("../lib/apache2/modules", "../lib64/httpd/modules", "../lib/httpd/modules");

    /// If root starts httpd, its processes run as this user; httpd does not run them as root.
    private static final String USER = "User " + "nobody" + "\nGroup #65534";

    private static final String CONFIGURATION =
            """
            ServerRoot "%1$s"
            PidFile "%1$s/httpd.pid"
            DefaultRuntimeDir "%1$s"
            ServerName localhost
            Listen 127.0.0.1:%2$d
            ListenBacklog 4096
            LoadModule mpm_%3$s_module %4$s/mod_mpm_%3$s.so
            LoadModule authz_core_module %4$s/mod_authz_core.so
            LoadModule alias_module %4$s/mod_alias.so
            LoadModule cgid_module %4$s/mod_cgid.so
            %11$s
            ErrorLog "%1$s/httpd-error.log"
            LogLevel error
            %5$s
            StartServers %6$d
            ServerLimit %6$d
            ThreadLimit %7$d
            ThreadsPerChild %7$d
            MaxRequestWorkers %8$d
            MinSpareThreads 1
            MaxSpareThreads %8$d
            MaxConnectionsPerChild 0
            KeepAlive On
            KeepAliveTimeout %9$dms
            MaxKeepAliveRequests 0
            EnableSendfile On
            EnableMMAP On
            ScriptSock "%1$s/cgid.sock"
            DocumentRoot "%10$s"
            <Directory "%10$s">
                AllowOverride None
                Require all granted
            </Directory>
            ScriptAlias "/cgi-bin/" "%10$s/cgi-bin/"
            Alias "/hello" "%1$s/hello.txt"
            <Files "hello.txt">
                ForceType text/plain
                Require all granted
            </Files>
            """;

    /// TLS session caches: shared memory for TLS 1.2, tickets for 1.3.
    private static final String TLS =
            """
            LoadModule socache_shmcb_module %1$s/mod_socache_shmcb.so
            LoadModule ssl_module %1$s/mod_ssl.so
            Listen 127.0.0.1:%2$d
            SSLSessionCache "shmcb:%3$s/ssl-cache(2097152)"
            <VirtualHost 127.0.0.1:%2$d>
                SSLEngine on
                SSLCertificateFile "%4$s"
                SSLCertificateKeyFile "%5$s"
            </VirtualHost>
            """;

    @Override
    public String name() {
        return "httpd-" + mpm;
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
        Path program = program(tools);
        modules(program);
        return Toolbox.firstLine(List.of(program.toString(), "-v"));
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        Path program = program(environment.tools());
        Path folder = plan.folder();
        Path file = folder.resolve("httpd.conf");
        try {
            Files.writeString(folder.resolve("hello.txt"), "Hello, World!");
            Files.writeString(file, configuration(plan, modules(program)));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        if (Kernel.isRoot()) {
            needOpen(folder.resolve("hello.txt"));
            needOpen(firstFile(plan.root()));
        }
        String prefix = folder.toString();
        return List.of(program.toString(), "-d", prefix, "-f", file.toString(), "-D", "FOREGROUND");
    }

    /// As many threads as planned, in processes of equal size.
    private String configuration(RivalPlan plan, Path modules) {
        int threads = plan.settings().threads();
        int processes = (threads + PROCESS_THREADS_MAX - 1) / PROCESS_THREADS_MAX;
        int each = (threads + processes - 1) / processes;
        return CONFIGURATION.formatted(
                plan.folder(),
                plan.port(),
                mpm,
                modules,
                Kernel.isRoot() ? USER : "",
                processes,
                each,
                processes * each,
                plan.settings().keepAlive().toMillis(),
                plan.root(),
                tls(plan, modules));
    }

    private static String tls(RivalPlan plan, Path modules) {
        Certificate certificate = plan.settings().certificate();
        if (certificate == null) {
            return "";
        }
        return TLS.formatted(
                modules, plan.tlsPort(), plan.folder(), certificate.chain(), certificate.key());
    }

    private static Path program(Toolbox tools) throws LabException {
        Path program = tools.find("apache2");
        return program != null
                ? program
                : tools.need("httpd", "apt-get install apache2 (or your system's httpd)");
    }

    private Path modules(Path program) throws LabException {
        for (String name : MODULES) {
            Path folder = program.resolveSibling(name).normalize();
            if (Files.exists(folder.resolve("mod_mpm_" + mpm + ".so"))) {
                return folder;
            }
        }
        throw new LabException(
                "needs httpd's mod_mpm_"
                        + mpm
                        + ".so next to "
                        + program
                        + ": install its modules");
    }

    /// Returns a file of the folder, for all of them; the folder if it has none.
    private static Path firstFile(Path folder) throws LabException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).findFirst().orElse(folder);
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot look at " + folder + ": " + e.getMessage());
        }
    }

    /// Checks that httpd's user may read the file, and enter every folder above it.
    private static void needOpen(Path path) throws LabException {
        for (Path at = path.toAbsolutePath(); at != null; at = parent(at)) {
            try {
                PosixFilePermission right =
                        Files.isDirectory(at)
                                ? PosixFilePermission.OTHERS_EXECUTE
                                : PosixFilePermission.OTHERS_READ;
                if (!Files.getPosixFilePermissions(at).contains(right)) {
                    throw new LabException(
                            "httpd's user may not read " + at + ": chmod o+rX " + at);
                }
            } catch (IOException e) {
                throw new LabException("cannot look at " + at + ": " + e.getMessage());
            }
        }
    }

    private static @Nullable Path parent(Path path) {
        return path.getParent();
    }
}
