package dev.tandem.workloads.surge;

import java.util.List;

/// A page: a file, and those that are embedded in it. These are the next in rank, so that they are
/// requested about as often.
///
/// @param main of kind `BASE` or `SINGLE`
/// @param embedded none, if it is single
public record SurgePage(SurgeFile main, List<SurgeFile> embedded) {
    public SurgePage {
        embedded = List.copyOf(embedded);
    }

    /// Returns the embedded files that are requested at a view of the page. A file's requests are
    /// spread evenly over the page's views; at the others, the user has it in the cache.
    ///
    /// @param view of the page, from 0; below the requests for it
    List<SurgeFile> fetched(long view) {
        long views = main.requests();
        return embedded.stream()
                .filter(
                        file ->
                                (view + 1) * file.requests() / views
                                        > view * file.requests() / views)
                .toList();
    }
}
