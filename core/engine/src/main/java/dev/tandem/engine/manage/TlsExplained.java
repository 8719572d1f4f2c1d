package dev.tandem.engine.manage;

import dev.tandem.admission.Explanation;
import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.engine.tls.TlsListeners;
import java.util.List;
import java.util.Locale;

/// Explains a server's handshakes.
///
/// @param part its TLS listeners
/// @param counts of handshakes that were admitted and rejected
record TlsExplained(TlsListeners part, HandshakeCounters counts) {
    private static final String SECTION = "TLS";

    List<Explanation> all() {
        return List.of(
                new Explanation(
                        SECTION,
                        "tls",
                        Integer.toString(part.open().get()),
                        "open connections, by " + part.engineName()),
                new Explanation(
                        SECTION, "handshakes", done(), "full and resumed; the part that resumed"),
                new Explanation(
                        SECTION,
                        "handshake share",
                        percent(counts.share()),
                        "of all processors is what key work may use: less as requests use more, at"
                                + " least "
                                + percent(HandshakeAdmission.SHARE_MIN)),
                lane("full handshakes", counts.full(), "no claim to resume"),
                lane("resumed handshakes", counts.resumed(), "claims to resume"),
                new Explanation(
                        SECTION,
                        "false resumption claims",
                        Long.toString(part.falseClaims()),
                        "clients that claimed to resume a session and did not; claims of "
                                + counts.offenders()
                                + " addresses are not believed for a minute"));
    }

    private String done() {
        long full = part.full();
        long resumed = part.resumed();
        double ratio = full + resumed == 0 ? 0 : (double) resumed / (full + resumed);
        return full + " + " + resumed + " (" + percent(ratio) + ")";
    }

    private static Explanation lane(String name, HandshakeCounters.Lane lane, String clients) {
        HandshakeCounters.Cost cost = lane.cost();
        String micros = Math.round(cost.nanos() / 1e3) + " us";
        return new Explanation(
                SECTION,
                name,
                micros,
                (cost.count() == 0 ? "assumed" : "learned from " + cost.count())
                        + ", CPU time of one; "
                        + clients
                        + ": "
                        + lane.running()
                        + " of "
                        + lane.runningMax()
                        + " running, "
                        + lane.waiting()
                        + " waiting; rejected: "
                        + lane.queueFull()
                        + " since the queue was full, "
                        + lane.expired()
                        + " after too long; disconnected: "
                        + lane.disconnected());
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }
}
