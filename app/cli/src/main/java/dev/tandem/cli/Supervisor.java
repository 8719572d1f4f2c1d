package dev.tandem.cli;

import dev.tandem.net.Datagrams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The supervisor that started the process and expects notifications: systemd, with `Type=notify`
/// (`sd_notify(3)`). Without one, nothing is sent.
///
/// @param socket its address; empty if there is none
record Supervisor(String socket) {

    static Supervisor ofProcess() {
        String socket = System.getenv("NOTIFY_SOCKET");
        return new Supervisor(socket == null ? "" : socket);
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
        System.err.println("tandem: cannot notify NOTIFY_SOCKET:  " + why);
    }
}
