package dev.tandem.cli;

import dev.tandem.net.Datagrams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The supervisor that started the process and expects notifications: systemd, with `Type=notify`
/// (`sd_notify(3)`). Without one, nothing is sent. A notification that fails keeps no reload and no
/// stop from proceeding. Safe for use by any thread.
final class Supervisor {
    private final String socket;

    /// Found at the start: an upgrade removes the jar in which it is looked for. Null if nothing is
    /// sent.
    private final @Nullable Datagrams datagrams;

    private final Consumer<String> log;
    private final AtomicBoolean isWarned = new AtomicBoolean();

    /// @param socket its address; empty if there is none
    /// @param datagrams called at once, if there is an address
    /// @param log gets the first failure
    Supervisor(String socket, Supplier<Optional<Datagrams>> datagrams, Consumer<String> log) {
        this.socket = socket;
        this.log = log;
        this.datagrams = socket.isEmpty() ? null : find(datagrams);
    }

    static Supervisor ofProcess() {
        String socket = System.getenv("NOTIFY_SOCKET");
        return new Supervisor(
                socket == null ? "" : socket, Datagrams::find, line -> System.err.println(line));
    }

    private @Nullable Datagrams find(Supplier<Optional<Datagrams>> datagrams) {
        try {
            Datagrams found = datagrams.get().orElse(null);
            if (found == null) {
                warn("needs native access, --enable-native-access=ALL-UNNAMED");
            }
            return found;
        } catch (RuntimeException | Error e) {
            warn(e.toString());
            return null;
        }
    }

    /// Reports that the server listens, and that this is the main process from now on.
    void ready() {
        sendState("READY=1\nMAINPID=" + ProcessHandle.current().pid());
    }

    /// Reports that the configuration is being reloaded; `ready` follows, whatever the result.
    void reloading() {
        long micros = System.nanoTime() / 1000; // CLOCK_MONOTONIC, on Linux
        sendState("RELOADING=1\nMONOTONIC_USEC=" + micros);
    }

    void stopping() {
        sendState("STOPPING=1");
    }

    private void sendState(String what) {
        Datagrams by = datagrams;
        if (by == null) {
            return;
        }
        try {
            by.send(socket, what.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            warn(String.valueOf(e.getMessage()));
        } catch (Error e) { // such as a class that an upgrade has removed
            warn(e.toString());
        }
    }

    private void warn(String why) {
        if (!isWarned.getAndSet(true)) {
            log.accept("tandem: cannot notify NOTIFY_SOCKET:  " + why);
        }
    }
}
