package dev.tandem.cli;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Failure;
import dev.tandem.config.InheritedSocket;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.net.Datagrams;
import dev.tandem.net.Listener;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The control socket of a running server: HTTP over a Unix-domain socket that only its own user
/// can connect to.
///
/// | request | response |
/// |---|---|
/// | `POST /reload` | 200 and the result; 409 and the reason why nothing has changed |
/// | `POST /handover?to=PATH&pid=PID` | sends the listening sockets to PATH, of process PID |
/// | `POST /retire` | 202; ends after running requests: another process has the sockets |
///
/// A hand-over is rejected with 409 while another process has received the sockets and is alive, or
/// if PATH has no receiver.
///
/// @param server handles the requests
record Control(Server server) {
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Options OPTIONS =
            Options.DEFAULT
                    .withThreads(t -> t.withLoops(1).withWorkersMax(4))
                    .withLimits(l -> l.withConnectionsMax(16).withBodyMax(0));

    /// @param inherited sockets, possibly including this one
    static Control open(Path socket, List<InheritedSocket> inherited, Operations operations)
            throws IOException {
        var commands = new ControlHandlers(operations);
        Server server =
                Tandem.listen(UnixDomainSocketAddress.of(socket))
                        .options(OPTIONS)
                        .inherit(inherited.stream().map(InheritedSocket::listener).toList())
                        .post("/reload", commands::reload)
                        .post("/handover", commands::handOver)
                        .post("/retire", commands::retire)
                        .start();
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        commands.control = server;
        return new Control(server);
    }

    /// Returns all listeners of a process.
    static List<Listener> listeners(Server server, Server control) {
        var all = new ArrayList<>(server.listeners());
        Listener management = server.managementListener();
        if (management != null) {
            all.add(management);
        }
        all.addAll(control.listeners());
        return all;
    }

    void stop() {
        server.stop(GRACE);
    }

    /// Leaves the socket to the next process.
    void retire() {
        server.retire(GRACE);
    }

    /// Handlers of the requests.
    private static final class ControlHandlers {
        private final Operations operations;
        private volatile Server control;

        /// Found at the start: an upgrade removes the jar in which they are looked for, before the
        /// next process asks for the sockets.
        private final Optional<Datagrams> datagrams = Datagrams.find();

        /// The process that has received the sockets, or 0. Two receivers would both keep running,
        /// each with half of the connections.
        private long receiverPid;

        ControlHandlers(Operations operations) {
            this.operations = operations;
            this.control = operations.server();
        }

        void reload(Exchange x) throws IOException {
            try {
                x.send(operations.reload() + "\n");
            } catch (Failure e) {
                x.status(409).send(e.getMessage() + "\n");
            }
        }

        synchronized void handOver(Exchange x) throws IOException {
            String to = x.request().query().first("to");
            if (to == null) {
                throw new HttpException(400, "to=PATH is missing");
            }
            Datagrams sender =
                    datagrams.orElseThrow(
                            () -> new HttpException(501, "sockets need native access"));
            int[] descriptors =
                    listeners(operations.server(), control).stream()
                            .mapToInt(Listener::descriptor)
                            .toArray();
            for (int descriptor : descriptors) {
                if (descriptor < 0) {
                    throw new HttpException(
                            501, "network " + control.network() + " cannot hand sockets over");
                }
            }
            long pid = pid(x.request().query().first("pid"));
            if (!reserveFor(pid)) {
                x.status(409).send("another process is taking them over: " + receiverPid + "\n");
                return;
            }
            try {
                sender.send(to, "sockets".getBytes(StandardCharsets.UTF_8), descriptors);
                x.send(descriptors.length + " sockets were sent\n");
            } catch (IOException | IllegalArgumentException e) {
                receiverPid = 0;
                x.status(409).send("they could not be sent: " + e.getMessage() + "\n");
            }
        }

        private static long pid(@Nullable String text) {
            if (text == null || !text.matches("[0-9]{1,18}")) {
                throw new HttpException(400, "pid=NUMBER is missing");
            }
            return Long.parseLong(text);
        }

        private boolean reserveFor(long pid) {
            boolean isTaken =
                    receiverPid != 0
                            && receiverPid != pid
                            && ProcessHandle.of(receiverPid)
                                    .map(ProcessHandle::isAlive)
                                    .orElse(false);
            if (!isTaken) {
                receiverPid = pid;
            }
            return !isTaken;
        }

        void retire(Exchange x) throws IOException {
            x.status(202).send("ends when running requests have finished\n");
            operations.retire();
        }
    }
}
