package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// One kind of load that servers are compared by.
///
/// @param what for the report
/// @param connections concurrent ones
/// @param isClosing whether every request has a connection of its own
/// @param length of a right response's body, in bytes; [#ANY] if it varies
/// @param isPlain whether a server that runs no code has it, too
record Trial(
        String name,
        String what,
        String path,
        int connections,
        boolean isClosing,
        int length,
        boolean isPlain) {

    static final int ANY = -1;

    /// What `/block` sleeps in the trial of that name.
    static final int BLOCK_MILLIS = 5;

    private static final int FEW = 64;

    static final Trial HELLO = kept("hello", "blocking style, 13 bytes", "/hello", 13);

    static final List<Trial> ALL =
            List.of(
                    HELLO,
                    kept("hello-loop", "declared non-blocking, 13 bytes", "/hello-loop", 13),
                    new Trial(
                            "hello-close",
                            "64 at a time, a new connection for every request",
                            "/hello",
                            FEW,
                            true,
                            13,
                            true),
                    kept("static1k", "a file of 1 KiB", "/static/1k.bin", 1_024),
                    kept("static100k", "a file of 100 KiB", "/static/100k.bin", 102_400),
                    kept("static1m", "a file of 1 MiB", "/static/1m.bin", 1_048_576),
                    new Trial(
                            "db",
                            "64 kept connections, one row of H2 through a pool of 10",
                            "/db",
                            FEW,
                            false,
                            ANY,
                            false),
                    new Trial(
                            "block5",
                            "1,000 kept connections, the handler sleeps 5 ms",
                            "/block?ms=" + BLOCK_MILLIS,
                            1_000,
                            false,
                            2,
                            false));

    private static Trial kept(String name, String what, String path, int length) {
        return new Trial(name, FEW + " kept connections, " + what, path, FEW, false, length, true);
    }

    static List<String> names() {
        return ALL.stream().map(Trial::name).toList();
    }

    static List<Trial> named(List<String> names) {
        var trials = new ArrayList<Trial>();
        for (Trial trial : ALL) {
            if (names.contains(trial.name)) {
                trials.add(trial);
            }
        }
        return trials;
    }
}
