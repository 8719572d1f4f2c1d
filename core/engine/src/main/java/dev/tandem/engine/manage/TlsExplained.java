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

    List<Explanation> all() {
        return List.of(
                new Explanation(
                        "tls",
                        Integer.toString(part.open().get()),
                        "open connections, by " + part.engineName()),
                new Explanation("handshakes", done(), "full and resumed; and how many resumed"),
                new Explanation(
                        "handshake share",
                        percent(counts.share()),
                        "of all processors is what key work may use: less as requests use more, at"
                                + " least "
                                + percent(HandshakeAdmission.SHARE_MIN)),
                lane("full handshakes", counts.full(), "newcomers"),
                lane("resumed handshakes", counts.resumed(), "those who claim to come back"),
                new Explanation(
                        "false claims",
                        Long.toString(part.falseClaims()),
                        "to resume; "
                                + counts.offenders()
                                + " addresses are not believed for a minute"));
    }

    private String done() {
        long full = part.full();
        long resumed = part.resumed();
        double ratio = full + resumed == 0 ? 0 : (double) resumed / (full + resumed);
        return full + " + " + resumed + " (" + percent(ratio) + ")";
    }

    private static Explanation lane(String name, HandshakeCounters.Lane lane, String who) {
        HandshakeCounters.Price price = lane.price();
        String micros = Math.round(price.nanos() / 1e3) + " us";
        return new Explanation(
                name,
                micros,
                (price.count() == 0 ? "assumed" : "learned from " + price.count())
                        + ", CPU time of one; "
                        + who
                        + ": "
                        + lane.running()
                        + " of "
                        + lane.runningMax()
                        + " at work, "
                        + lane.waiting()
                        + " wait; refused: "
                        + lane.tooMany()
                        + " since too many waited, "
                        + lane.tooLate()
                        + " after too long; had left: "
                        + lane.disconnected());
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }
}
