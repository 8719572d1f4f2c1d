package dev.tandem.workloads;

import java.util.List;

/// The properties of a page in addition to its place in the graph.
///
/// @param paddingBytes what the site adds to it, so that it is as long as a real one
/// @param isThoughtAbout whether a user thinks before requesting it
/// @param embedded the requests that go with it; their targets are names
public record PageModel(int paddingBytes, boolean isThoughtAbout, List<Fetch> embedded) {
    /// A page without such properties.
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
