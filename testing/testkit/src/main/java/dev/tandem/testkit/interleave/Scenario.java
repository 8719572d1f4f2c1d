package dev.tandem.testkit.interleave;

import java.util.List;

/// A few actors, each a thread, on objects that one of them shares with another. A new one is made
/// for each
/// interleaving, by a constructor without parameters.
public interface Scenario {
    /// Returns what each thread does; it must end, and depend on nothing but the others' steps.
    List<Runnable> actors();

    /// Checks what holds when all actors have ended.
    ///
    /// @throws AssertionError if it does not
    void check();
}
