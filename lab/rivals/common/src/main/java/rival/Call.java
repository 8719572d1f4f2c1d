package rival;

import java.nio.file.Path;
import java.time.Duration;

/// The command line of a rival: `PORT ROOT FOLDER THREADS KEEP_ALIVE_MILLIS platform|virtual`, and
/// for TLS also `TLS_PORT CHAIN KEY`.
///
/// @param port on the loopback
/// @param root the folder whose files are at `/`
/// @param folder for its own files
/// @param threads maximum concurrent handlers, where they are platform threads
/// @param keepAlive how long a connection may be idle
/// @param isVirtual whether handlers run on virtual threads
/// @param tls port and files of TLS, in addition to the plain port; null without TLS
public record Call(
        int port,
        Path root,
        Path folder,
        int threads,
        Duration keepAlive,
        boolean isVirtual,
        Tls tls) {

    /// As many pending connections as Tandem lets the kernel hold.
    public static final int BACKLOG = 4096;

    /// More than any experiment opens.
    public static final int CONNECTIONS_MAX = 100_000;

    /// @param chain the certificate, in PEM form
    /// @param key its key, in PEM form
    public record Tls(int port, Path chain, Path key) {}

    /// @throws IllegalArgumentException if something is missing or malformed
    public static Call of(String[] words) {
        if (words.length != 6 && words.length != 9) {
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
                words.length == 6
                        ? null
                        : new Tls(
                                Integer.parseInt(words[6]), Path.of(words[7]), Path.of(words[8])));
    }
}
