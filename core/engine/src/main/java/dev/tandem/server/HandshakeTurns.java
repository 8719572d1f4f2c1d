package dev.tandem.server;

import java.net.InetAddress;

/// Decides who may shake hands now: key work costs many times what a request does, and anybody may
/// ask for it. Safe for use by any thread.
interface HandshakeTurns {

    /// A client's handshake that has key work to do. Whoever runs or refuses it owns its connection
    /// from then on.
    interface Turn {
        /// Whether the client claims to go on with an earlier session.
        boolean claimsToResume();

        /// Whether the server has done key work for it already.
        boolean hasBegun();

        /// Whom it is of.
        InetAddress from();

        /// Whether the client has gone while it waited, so that key work would be for nobody. Only
        /// before [#run], by the thread that would run it; costs a system call.
        boolean hasLeft();

        /// Does the key work; some hundred microseconds.
        ///
        /// @return the CPU time that it took, in nanoseconds
        long run();

        /// It will not be run: closes the connection.
        void refuse();
    }

    /// What a handshake has been. Known before it is done: from the server's part of it.
    ///
    /// @param from whose
    /// @param isClaimed whether the client claimed to resume
    /// @param isResumed whether that is what came of it
    /// @param cpuNanos what its key work has cost, in nanoseconds of CPU time
    record Past(InetAddress from, boolean isClaimed, boolean isResumed, long cpuNanos) {}

    /// Has a turn run or refused, now or later, by a worker. It must not be touched afterwards.
    void ask(Turn turn);

    /// Learns what a handshake has been: whether the claim was true, and its price.
    void learn(Past past);

    /// What happened so far.
    Handshakes counts();

    /// Refuses who still waits, and whoever comes.
    void stop();
}
