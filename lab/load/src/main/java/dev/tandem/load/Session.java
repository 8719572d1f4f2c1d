package dev.tandem.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One visitor's way through a site. Confined to one thread.
public interface Session {

    /// What the visitor does next. Must not block: every other visitor of this thread waits.
    ///
    /// @param replies to the last step's calls, in the order of its calls; empty at first. The
    ///     list is the caller's again when this returns
    /// @return null if the session is over
    @Nullable Step next(List<Reply> replies);
}
