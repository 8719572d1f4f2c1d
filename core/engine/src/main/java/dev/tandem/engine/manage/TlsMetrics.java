package dev.tandem.engine.manage;

import dev.tandem.admission.HandshakeCounters;
import dev.tandem.engine.manage.MetricsText.Label;
import dev.tandem.engine.tls.TlsListeners;
import dev.tandem.tls.FailureReason;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// The metrics of TLS: handshakes, what they cost, which were rejected, and why connections failed.
///
/// @param text where they are written
/// @param part its TLS listeners
/// @param counts of handshakes that were admitted and rejected
record TlsMetrics(MetricsText text, TlsListeners part, HandshakeCounters counts) {
    private static final String KIND = "kind";

    void write() {
        text.single(
                "tandem_tls_connections",
                "gauge",
                "Open TLS connections, handshakes included.",
                part.open().get());
        kinds();
        lanes();
        text.single(
                "tandem_tls_handshake_share",
                "gauge",
                "Part of all processors that handshakes may use, 0 to 1.",
                counts.share());
        text.single(
                "tandem_tls_false_resumption_claims_total",
                "counter",
                "Clients that claimed to resume a session, and did not.",
                part.falseClaims());
        text.single(
                "tandem_tls_resumption_offenders",
                "gauge",
                "Addresses whose claims to resume are not believed for a while.",
                counts.offenders());
        failures();
    }

    private void kinds() {
        String done = "tandem_tls_handshakes_total";
        text.metric(done, "counter", "Completed handshakes.");
        text.sample(done, part.full(), new Label(KIND, "full"));
        text.sample(done, part.resumed(), new Label(KIND, "resumed"));
        each(
                "tandem_tls_handshake_cpu_seconds_total",
                "counter",
                "CPU time of key work, including that of abandoned handshakes.",
                KIND,
                lane -> lane.cost().totalNanos() / 1e9);
        each(
                "tandem_tls_handshake_mean_cpu_seconds",
                "gauge",
                "CPU time of the key work of one handshake, averaged over the last ones.",
                KIND,
                lane -> lane.cost().nanos() / 1e9);
    }

    private void lanes() {
        String lane = "lane";
        each(
                "tandem_tls_handshakes_running",
                "gauge",
                "Handshakes whose key work is done now.",
                lane,
                HandshakeCounters.Lane::running);
        each(
                "tandem_tls_handshakes_waiting",
                "gauge",
                "Handshakes that wait.",
                lane,
                HandshakeCounters.Lane::waiting);
        String rejected = "tandem_tls_handshakes_rejected_total";
        text.metric(rejected, "counter", "Handshakes whose key work was not started.");
        lanesByName()
                .forEach(
                        (name, of) -> {
                            var in = new Label(lane, name);
                            text.sample(
                                    rejected,
                                    of.queueFull(),
                                    in,
                                    new Label("reason", "queue_full"));
                            text.sample(rejected, of.expired(), in, new Label("reason", "expired"));
                            text.sample(
                                    rejected,
                                    of.disconnected(),
                                    in,
                                    new Label("reason", "disconnected"));
                        });
    }

    private void each(
            String name,
            String type,
            String help,
            String label,
            ToDoubleFunction<HandshakeCounters.Lane> value) {
        text.metric(name, type, help);
        lanesByName()
                .forEach(
                        (lane, of) ->
                                text.sample(name, value.applyAsDouble(of), new Label(label, lane)));
    }

    private Map<String, HandshakeCounters.Lane> lanesByName() {
        return new TreeMap<>(Map.of("full", counts.full(), "resumed", counts.resumed()));
    }

    private void failures() {
        String failures = "tandem_tls_failures_total";
        text.metric(failures, "counter", "TLS connections that failed, by reason.");
        for (FailureReason reason : FailureReason.values()) {
            String name = reason.name().toLowerCase(Locale.ROOT);
            text.sample(failures, part.failures(reason), new Label("reason", name));
        }
    }
}
