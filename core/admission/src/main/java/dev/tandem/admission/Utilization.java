package dev.tandem.admission;

import java.util.Locale;

/// How much of what a server can do was used in the last seconds, by resource: 0 for nothing, 1 for
/// all of it, more than 1 where requests wait for it in addition. A load balancer divides traffic
/// by it, and an autoscaler adds instances (docs/fleet.md).
///
/// @param workers requests that run or wait for a worker, per worker: 1 if all are busy and none
///     waits
/// @param processors part of the processors that the process may use and used; 0 if it is not known
/// @param databases requests that have or wait for a connection, per connection, of the busiest
///     database
/// @param handshakes part of their budget that TLS handshakes used
public record Utilization(double workers, double processors, double databases, double handshakes) {

    /// Of a server that does nothing.
    public static final Utilization NONE = new Utilization(0, 0, 0, 0);

    /// Returns the largest of the four: the resource that limits the server first.
    public double value() {
        return Math.max(Math.max(workers, processors), Math.max(databases, handshakes));
    }

    /// Returns it as a number that admission acts on, with its reason.
    public Explanation explain() {
        return new Explanation(
                "Workers",
                "utilization",
                text(value()),
                "the largest of workers "
                        + text(workers)
                        + ", processors "
                        + text(processors)
                        + ", databases "
                        + text(databases)
                        + ", handshakes "
                        + text(handshakes)
                        + "; more than 1.00 if requests wait");
    }

    private static String text(double part) {
        return String.format(Locale.ROOT, "%.2f", part);
    }
}
