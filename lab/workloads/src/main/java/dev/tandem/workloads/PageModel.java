package dev.tandem.workloads;

import java.util.List;

/// What is known of a page beside its place in the graph.
///
/// @param paddingBytes what the site adds to it, so that it is as long as a real one
/// @param isThoughtAbout whether a visitor thinks before asking for it
/// @param embedded what is asked for with it; their targets are names
public record PageModel(int paddingBytes, boolean isThoughtAbout, List<Fetch> embedded) {
    /// One of which nothing is known.
    public static final PageModel PLAIN = new PageModel(0, true, List.of());

    /// @throws IllegalArgumentException if `paddingBytes` is negative
    public PageModel {
        if (paddingBytes < 0) {
            throw new IllegalArgumentException(
                    "paddingBytes must be at least 0, was " + paddingBytes);
        }
        embedded = List.copyOf(embedded);
    }
}
