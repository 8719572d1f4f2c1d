package dev.tandem.fleet;

/// How many requests balancers should have sent at once: as many as admission can use. Pure; one
/// thread.
///
/// What waits at a balancer waits in the order of arrival, or by what the balancer knows, and is
/// not rejected there: with room for few requests, an overload's new sessions fill the balancer's
/// queue, and the pages of those that have begun wait behind them.
/// Admission lets live sessions go first and rejects others at once, but only what it has seen. A
/// request that waits there holds no thread. So there is room for all that could still be admitted:
/// with waits of at most 0.4 s, a second's requests are enough. Only what is beyond that waits
/// outside.
final class RoomForAdmission {
    /// 64: bursts on an instance that has served nothing yet.
    private static final int LEAST = 64;

    /// 65,536, more than a balancer has ports for.
    private static final int MOST = 1 << 16;

    private static final int PER_WORKER = 4;

    /// A half in about eleven minutes: after a quiet hour there is still room for a burst.
    private static final double FADING = 0.999;

    private double most;

    /// @param workers how many requests may run at once
    /// @param rate requests per second that were served in the last second
    int requests(int workers, double rate) {
        most = Math.max(FADING * most, rate);
        return (int) Math.clamp(Math.ceil(PER_WORKER * workers + most), LEAST, MOST);
    }
}
