package dev.tandem.lab.bench;

import java.io.IOException;
import org.openjdk.jmh.Main;

/// Runs the benchmarks of this package: `docs/results/README.md` has the command.
public final class Benchmarks {
    private Benchmarks() {}

    /// @param args as JMH takes them, such as `Head -prof gc`; `-h` lists all
    public static void main(String[] args) throws IOException {
        Main.main(args);
    }
}
