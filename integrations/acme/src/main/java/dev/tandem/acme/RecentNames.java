package dev.tandem.acme;

import java.util.LinkedHashMap;
import java.util.Map;

/// What is known of the names that were put last: of no more than 1,000, as clients choose them.
/// Not safe for use by several threads.
final class RecentNames<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    /// Names have 253 characters at most.
    private static final int MAX = 1_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MAX;
    }
}
