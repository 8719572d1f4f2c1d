package dev.tandem.cli;

import dev.tandem.net.Datagrams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Whoever started the process and waits to hear of it: systemd, with `Type=notify`
/// (`sd_notify(3)`). Without one, nothing is said.
///
/// @param socket where it listens; empty if there is none
record Supervisor(String socket) {

    static Supervisor ofProcess() {
        String socket = System.getenv("NOTIFY_SOCKET");
        return new Supervisor(socket == null ? "" : socket);
    }

    /// It listens, and is the process that counts from now on.
    void ready() {
        sendState("READY=1\nMAINPID=" + ProcessHandle.current().pid());
    }

    /// Another configuration is being read; `ready` follows, whatever comes of it.
    void reloading() {
        long micros = System.nanoTime() / 1000; // CLOCK_MONOTONIC, on Linux
        sendState("RELOADING=1\nMONOTONIC_USEC=" + micros);
    }

    void stopping() {
        sendState("STOPPING=1");
    }

    private void sendState(String what) {
        if (socket.isEmpty()) {
            return;
        }
        Datagrams.find()
                .ifPresentOrElse(
                        by -> send(by, what),
                        () -> warn("needs native access, --enable-native-access=ALL-UNNAMED"));
    }

    private void send(Datagrams by, String what) {
        try {
            by.send(socket, what.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | IllegalArgumentException e) {
            warn(String.valueOf(e.getMessage()));
        }
    }

    private static void warn(String why) {
        System.err.println("tandem: cannot tell NOTIFY_SOCKET: " + why);
    }
}
