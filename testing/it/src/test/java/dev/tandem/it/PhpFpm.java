package dev.tandem.it;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A php-fpm with one process, at a Unix socket.
///
/// @param socket accepts connections
record PhpFpm(Process process, Path socket) implements AutoCloseable {
    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/usr/bin"));

    /// Aborts the test if it is not installed.
    static PhpFpm start(Path folder) throws IOException {
        String program = program();
        Path socket = folder.resolve("fpm.sock");
        String user = System.getProperty("user.name");
        Path configuration =
                Files.writeString(
                        folder.resolve("fpm.conf"),
                        """
                        [global]
                        error_log = %1$s
                        daemonize = no
                        [unix]
                        user = %2$s
                        group = %2$s
                        listen = %3$s
                        pm = static
                        pm.max_children = 1
                        """
                                .formatted(folder.resolve("fpm-errors.log"), user, socket));
        Process process =
                new ProcessBuilder(program, "-F", "-R", "-y", configuration.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("fpm.log").toFile())
                        .start();
        var started = new PhpFpm(process, socket);
        Patience.until("php-fpm accepts", started::accepts);
        return started;
    }

    private static String program() throws IOException {
        for (Path place : FOLDERS) {
            if (!Files.isDirectory(place)) {
                continue;
            }
            try (Stream<Path> files = Files.list(place)) {
                var found =
                        files.filter(f -> f.getFileName().toString().matches("php-fpm[0-9.]*"))
                                .findFirst();
                if (found.isPresent()) {
                    return found.get().toString();
                }
            }
        }
        return abort("skipped: needs php-fpm");
    }

    private boolean accepts() {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
