package dev.tandem.files;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Caches parsed `Accept-Encoding` headers. Browsers send only a few different values, so the last
/// few are kept, and parsing one of them again allocates nothing. Thread safe.
final class AcceptedCodingsCache {
    /// A power of two.
    private static final int SIZE = 8;

    private final AtomicReferenceArray<AcceptedCodings> known = new AtomicReferenceArray<>(SIZE);

    /// The next slot to overwrite. A race writes two entries to one slot, which does no harm.
    private int next;

    /// Returns the codings that the client of a request accepts.
    AcceptedCodings of(RequestHead head) {
        if (!head.has(KnownHeader.ACCEPT_ENCODING)) {
            return AcceptedCodings.IDENTITY_ONLY;
        }
        for (int i = 0; i < SIZE; i++) {
            AcceptedCodings accepted = known.get(i);
            if (accepted != null
                    && head.isExactly(KnownHeader.ACCEPT_ENCODING, accepted.header())) {
                return accepted;
            }
        }
        // Several headers are one list; the first alone has fewer codings than accepted, never
        // more.
        AcceptedCodings parsed = AcceptedCodings.of(head.value(KnownHeader.ACCEPT_ENCODING));
        known.set(next++ & SIZE - 1, parsed);
        return parsed;
    }
}
