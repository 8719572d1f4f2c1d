/// Benchmarks of the code that runs for every request; `docs/results/README.md` says how to run
/// them.
@NullMarked
package dev.tandem.lab.bench;

import org.jspecify.annotations.NullMarked;
