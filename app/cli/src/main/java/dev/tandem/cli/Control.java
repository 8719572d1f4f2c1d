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
import org.jspecify.annotations.Nullable;

/// Where a running server is told what to do: HTTP at a Unix-domain socket that only its own user
/// can connect to.
///
/// | request | answer |
/// |---|---|
/// | `POST /reload` | 200 and what came of it; 409 and why all stays as it was |
/// | `POST /handover?to=PATH&pid=PID` | sends the listening sockets to PATH, of process PID |
/// | `POST /retire` | 202; ends once what has begun is served: another process has the sockets |
///
/// A hand-over is 409 while another process has got the sockets and lives, or if nobody takes them.
///
/// @param server answers
record Control(Server server) {
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Options OPTIONS =
            Options.DEFAULT.withLoops(1).withConnectionsMax(16).withBodyMax(0).withWorkersMax(4);

    /// @param inherited sockets, of which one may be this
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

    void stop() {
        server.stop(GRACE);
    }

    /// Leaves the socket to the process that follows.
    void retire() {
        server.retire(GRACE);
    }

    /// What is done on request.
    private static final class ControlHandlers {
        private final Operations operations;
        private volatile Server control;

        /// The process that has got the sockets, or 0. Two that have them would both stay, each
        /// with half of the visitors.
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
            Datagrams datagrams =
                    Datagrams.find()
                            .orElseThrow(
                                    () -> new HttpException(501, "sockets need native access"));
            int[] descriptors = listeners().stream().mapToInt(Listener::descriptor).toArray();
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
                datagrams.send(to, "sockets".getBytes(StandardCharsets.UTF_8), descriptors);
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

        private List<Listener> listeners() {
            var all = new ArrayList<>(operations.server().listeners());
            Listener management = operations.server().managementListener();
            if (management != null) {
                all.add(management);
            }
            all.addAll(control.listeners());
            return all;
        }

        void retire(Exchange x) throws IOException {
            x.status(202).send("ends when all that has begun is done\n");
            operations.retire();
        }
    }
}
