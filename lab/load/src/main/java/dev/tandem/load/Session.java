package dev.tandem.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One user's path through a site. Confined to one thread.
public interface Session {

    /// Returns the user's next step. Must not block: all other users of this thread would wait.
    ///
    /// @param replies to the last step's calls, in the order of its calls; empty at first. The
    ///     caller reuses the list after this returns
    /// @return null if the session is over
    @Nullable Step next(List<Reply> replies);
}
