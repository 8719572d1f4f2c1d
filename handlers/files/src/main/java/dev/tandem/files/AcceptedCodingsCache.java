package dev.tandem.files;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// What clients' `Accept-Encoding` fields mean. Browsers send a handful of different ones, so the
/// last few are known, and telling what a field means allocates nothing. Shared by all threads.
final class AcceptedCodingsCache {
    /// A power of two.
    private static final int SIZE = 8;

    private final AtomicReferenceArray<AcceptedCodings> known = new AtomicReferenceArray<>(SIZE);

    /// Which place the next one takes. A race puts two into one place, which is no harm.
    private int next;

    /// What the client of that request takes.
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
        // Two fields are one list; the first alone is less than the client takes, never more.
        AcceptedCodings made = AcceptedCodings.of(head.value(KnownHeader.ACCEPT_ENCODING));
        known.set(next++ & SIZE - 1, made);
        return made;
    }
}
