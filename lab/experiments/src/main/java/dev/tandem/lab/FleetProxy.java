package dev.tandem.lab;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// HAProxy before the instances of a fleet, with a port for each way to balance. Its log has a line
/// for each response.
final class FleetProxy implements AutoCloseable {
    /// Ways to balance, by the names of the report.
    enum Way {
        AGENT("agent", "roundrobin", true),
        AGENT_FREE("agent, without stickiness", "roundrobin", true),
        /// As [#AGENT], but what an instance rejects is not repeated by another one.
        AGENT_ONCE("agent, once", "roundrobin", true),
        AGENT_LEASTCONN("agent, leastconn", "leastconn", true),
        ROUNDROBIN("roundrobin", "roundrobin", false),
        LEASTCONN("leastconn", "leastconn", false),
        /// The first instance alone.
        ONE("one instance", "roundrobin", true),
        /// TLS that ends at the instances.
        TLS("tls", "roundrobin", false),
        TLS_ONE("tls, one instance", "roundrobin", false);

        final String label;
        private final String balance;
        private final boolean hasAgent;

        Way(String label, String balance, boolean hasAgent) {
            this.label = label;
            this.balance = balance;
            this.hasAgent = hasAgent;
        }

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }

        private boolean isTls() {
            return this == TLS || this == TLS_ONE;
        }

        /// Whether sessions stay, as in the packaged configuration.
        private boolean isSticky() {
            return this == AGENT || this == AGENT_LEASTCONN || this == AGENT_ONCE;
        }

        /// Whether another instance gets what one rejects.
        private boolean isRepeating() {
            return this == AGENT || this == AGENT_LEASTCONN;
        }

        private boolean isOne() {
            return this == ONE || this == TLS_ONE;
        }
    }

    /// As in the packaged configuration: docs/fleet.md.
    private static final String HEAD =
            """
            global
                maxconn 4000
                log stdout format raw local0
                stats socket %SOCKET mode 600
            defaults
                mode http
                log global
                log-format "%%Ts.%%ms %%Ti %%Ta %%Tw %%b %%s %%ST %%tsc %%rc"
                timeout connect 2s
                timeout client 60s
                timeout server 60s
                timeout queue 2s
                retries 3
                option redispatch 1
                retry-on conn-failure empty-response
                # The laboratory restarts instances sooner than a shop does.
                default-server check inter 500ms fall 2 rise 1 weight 100
            backend rejected
                stick-table type integer size 1 expire 10s store gpc0_rate(1s)
            """;

    /// As in the packaged configuration.
    private static final String REPEATING =
            """
                retry-on conn-failure empty-response 503
                http-request track-sc0 int(1) table rejected
                http-response sc-inc-gpc0(0) if { status 503 }
                http-request disable-l7-retry if { sc0_gpc0_rate gt 10 }
            """;

    private final Child child;
    private final Path socket;
    private final Path log;
    private final Map<Way, Integer> ports;

    private FleetProxy(Child child, Path socket, Path log, Map<Way, Integer> ports) {
        this.child = child;
        this.socket = socket;
        this.log = log;
        this.ports = ports;
    }

    /// A response, as the balancer saw it.
    ///
    /// @param at its end, in milliseconds since 1970
    /// @param millis since the request was there, with time in the balancer's queue
    /// @param server empty if no server responded
    /// @param state how it ended, by HAProxy's letters; `--` begins it where nothing went wrong
    /// @param isRepeated whether the request was sent more than once
    record Line(
            long at,
            long millis,
            String way,
            String server,
            int status,
            String state,
            boolean isRepeated) {
        /// @return null if it is no such line
        static @org.jspecify.annotations.Nullable Line parse(String text) {
            String[] words = text.split(" ");
            if (words.length != 9 || !words[0].matches("[0-9]+\\.[0-9]+")) {
                return null;
            }
            try {
                long begin = Long.parseLong(words[0].replace(".", ""));
                long idle = Math.max(0, Long.parseLong(words[1]));
                long millis = Math.max(0, Long.parseLong(words[2].replace("+", "")));
                String server = words[5].startsWith("<") ? "" : words[5];
                int status = Integer.parseInt(words[6]);
                boolean isRepeated = !words[8].equals("0");
                long at = begin + idle + millis;
                return new Line(at, millis, words[4], server, status, words[7], isRepeated);
            } catch (NumberFormatException e) {
                return null;
            }
        }

        boolean isGood() {
            return status >= 200 && status < 500;
        }
    }

    /// @param plain the instances' ports, those that are not started yet included
    /// @param tls those of TLS; may be empty
    static FleetProxy start(
            Toolbox tools, Path folder, List<FleetInstance.Ports> plain, List<Integer> tls)
            throws LabException, InterruptedException {
        var ports = new LinkedHashMap<Way, Integer>();
        for (Way way : Way.values()) {
            if (!way.isTls() || !tls.isEmpty()) {
                ports.put(way, FreePorts.next());
            }
        }
        Path file = folder.resolve("haproxy.cfg");
        Path log = folder.resolve("haproxy.log");
        Path socket = folder.resolve("haproxy.sock");
        try {
            Files.writeString(file, configuration(socket, ports, plain, tls));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
        List<String> command =
                List.of(
                        tools.need("haproxy", "apt-get install haproxy").toString(),
                        "-db",
                        "-f",
                        file.toString());
        Child child = Child.start("haproxy", command, ports.values().iterator().next(), log);
        child.awaitListening();
        return new FleetProxy(child, socket, log, ports);
    }

    static String configuration(
            Path socket,
            Map<Way, Integer> ports,
            List<FleetInstance.Ports> plain,
            List<Integer> tls) {
        String head = HEAD.replace("%SOCKET", socket.toString());
        var text = new StringBuilder(head.replace("%%", "%"));
        ports.forEach(
                (way, port) -> {
                    text.append("listen ").append(way.word()).append('\n');
                    text.append("    bind 127.0.0.1:").append(port).append('\n');
                    text.append("    balance ").append(way.balance).append('\n');
                    if (way.isTls()) {
                        text.append("    mode tcp\n    log-format \"tcp %Tt %s\"\n");
                        servers(text, way, tls, List.of());
                    } else {
                        if (way.isSticky()) {
                            text.append("    cookie AT insert indirect nocache httponly\n");
                        }
                        text.append("    http-request disable-l7-retry");
                        text.append(" unless METH_GET or METH_HEAD\n");
                        text.append(way.isRepeating() ? REPEATING : "");
                        List<Integer> listening =
                                plain.stream().map(FleetInstance.Ports::listen).toList();
                        List<Integer> agents =
                                plain.stream().map(FleetInstance.Ports::agent).toList();
                        servers(text, way, listening, way.hasAgent ? agents : List.of());
                    }
                });
        return text.toString();
    }

    private static void servers(
            StringBuilder text, Way way, List<Integer> ports, List<Integer> agents) {
        for (int i = 0; i < (way.isOne() ? 1 : ports.size()); i++) {
            text.append("    server s").append(i + 1);
            text.append(" 127.0.0.1:").append(ports.get(i));
            if (way.isSticky()) {
                text.append(" cookie s").append(i + 1);
            }
            if (!agents.isEmpty()) {
                text.append(" maxconn 64 agent-check agent-inter 1s agent-port ");
                text.append(agents.get(i));
            }
            text.append('\n');
        }
    }

    /// Returns the first line of what the balancer says of itself.
    static String version(Toolbox tools) throws LabException, InterruptedException {
        Path program = tools.need("haproxy", "apt-get install haproxy");
        return Toolbox.firstLine(List.of(program.toString(), "-v"));
    }

    int port(Way way) {
        return ports.getOrDefault(way, 0);
    }

    void needsLife() throws LabException {
        child.needsLife();
    }

    double cpuSeconds() throws LabException {
        return child.cpuTicks() / Kernel.TICKS_PER_SECOND;
    }

    /// Returns the responses by a way in a time, in milliseconds since 1970.
    List<Line> lines(Way way, long from, long until) throws LabException {
        var found = new ArrayList<Line>();
        try (var all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            all.forEach(
                    text -> {
                        Line line = Line.parse(text);
                        if (line != null
                                && line.way.equals(way.word())
                                && line.at >= from
                                && line.at < until) {
                            found.add(line);
                        }
                    });
        } catch (IOException e) {
            throw new LabException("cannot read HAProxy's log: " + e.getMessage());
        }
        return found;
    }

    /// Returns what it knows of its servers: the columns of its statistics by their names, by the
    /// servers'; none if it does not respond.
    Map<String, Map<String, String>> servers(Way way) {
        var servers = new LinkedHashMap<String, Map<String, String>>();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap("show stat\n".getBytes(StandardCharsets.US_ASCII)));
            byte[] all = Channels.newInputStream(channel).readAllBytes();
            String[] lines = new String(all, StandardCharsets.ISO_8859_1).split("\n", -1);
            String[] columns = lines[0].replaceFirst("^# ", "").split(",", -1);
            for (String line : lines) {
                String[] values = line.split(",", -1);
                if (values[0].equals(way.word()) && values[1].matches("s[0-9]+")) {
                    var server = new LinkedHashMap<String, String>();
                    for (int i = 0; i < Math.min(columns.length, values.length); i++) {
                        server.put(columns[i], values[i]);
                    }
                    servers.put(values[1], server);
                }
            }
        } catch (IOException e) {
            // It has ended, which needsLife reports.
        }
        return servers;
    }

    @Override
    public void close() {
        child.close();
    }
}
