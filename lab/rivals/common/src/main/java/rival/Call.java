package rival;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a rival is called with: `PORT ROOT FOLDER THREADS KEEP_ALIVE_MILLIS platform|virtual`, and
/// where it speaks TLS as well, `TLS_PORT CHAIN KEY`.
///
/// @param port on the loopback
/// @param root the folder whose files are at `/`
/// @param folder where it may write
/// @param threads the most handlers at once, where they are platform threads
/// @param keepAlive how long a connection may be idle
/// @param isVirtual whether handlers run on virtual threads
/// @param tlsPort 0 if it speaks no TLS
/// @param tls certificate and key, as PEM files; empty if it speaks no TLS
public record Call(
        int port,
        Path root,
        Path folder,
        int threads,
        Duration keepAlive,
        boolean isVirtual,
        int tlsPort,
        List<Path> tls) {

    /// As many newcomers as Tandem lets the kernel hold.
    public static final int BACKLOG = 4096;

    /// More than any experiment opens.
    public static final int CONNECTIONS_MAX = 100_000;

    /// @throws IllegalArgumentException if something is missing or malformed
    public static Call of(String[] words) {
        boolean hasTls = words.length == 9;
        if (words.length != 6 && !hasTls) {
            throw new IllegalArgumentException(
                    "called with PORT ROOT FOLDER THREADS KEEP_ALIVE_MILLIS platform|virtual"
                            + " [TLS_PORT CHAIN KEY]");
        }
        return new Call(
                Integer.parseInt(words[0]),
                Path.of(words[1]),
                Path.of(words[2]),
                Integer.parseInt(words[3]),
                Duration.ofMillis(Long.parseLong(words[4])),
                words[5].equals("virtual"),
                hasTls ? Integer.parseInt(words[6]) : 0,
                hasTls ? List.of(Path.of(words[7]), Path.of(words[8])) : List.of());
    }
}
