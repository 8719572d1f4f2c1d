package dev.tandem.lab;

import dev.tandem.load.LoadRun;
import java.util.ArrayList;
import java.util.List;

/// Detects when a server under load is warm: when a response costs as much of its CPU time as in
/// the seconds before. Confined to one thread.
final class WarmUp {
    /// Long enough that CPU time, in ticks of 10 ms, and pauses of a collector even out.
    static final int WINDOW_SECONDS = 5;

    /// That many windows in a row must cost the same.
    static final int WINDOWS = 3;

    /// Highest cost of a response in these windows, as a multiple of the lowest.
    static final double SAME = 1.05;

    /// Before that no server is found to be warm.
    static final int SECONDS_MIN = WINDOWS * WINDOW_SECONDS;

    private static final long SECOND_MILLIS = 1_000;

    /// The state at the end of a second.
    ///
    /// @param cpuSeconds of the server so far
    /// @param replies so far
    private record State(double cpuSeconds, long replies) {}

    private final List<State> states = new ArrayList<>();

    /// Adds the state at the beginning, and then after each second.
    void add(double cpuSeconds, long replies) {
        states.add(new State(cpuSeconds, replies));
    }

    boolean isWarm() {
        if (states.size() <= SECONDS_MIN) {
            return false;
        }
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int window = 0; window < WINDOWS; window++) {
            double cost = cost(states.size() - 1 - window * WINDOW_SECONDS);
            least = Math.min(least, cost);
            most = Math.max(most, cost);
        }
        return most <= SAME * least; // false if there was no response
    }

    /// CPU time of a response in the window that ends there; NaN without responses.
    private double cost(int end) {
        State to = states.get(end);
        State from = states.get(end - WINDOW_SECONDS);
        long replies = to.replies - from.replies;
        return replies == 0 ? Double.NaN : (to.cpuSeconds - from.cpuSeconds) / replies;
    }

    /// Waits under these loads, which are running, until the server is warm or the time is up. The
    /// report says which.
    ///
    /// @param name of the server
    static void await(
            Run run, String name, RunningRival server, List<LoadRun> loads, double secondsMax)
            throws LabException, InterruptedException {
        var warmUp = new WarmUp();
        long begin = System.nanoTime();
        warmUp.add(server.cpuSeconds(), 0);
        double seconds = 0;
        while (seconds < secondsMax && !warmUp.isWarm()) {
            double left = Math.min(1, secondsMax - seconds);
            Thread.sleep(Math.max(1, Math.round(left * SECOND_MILLIS)));
            server.needsLife();
            long replies = loads.stream().mapToLong(load -> load.progress().replies()).sum();
            warmUp.add(server.cpuSeconds(), replies);
            seconds = (System.nanoTime() - begin) / 1e9;
        }
        run.warmed(name, seconds, warmUp.isWarm());
    }
}
