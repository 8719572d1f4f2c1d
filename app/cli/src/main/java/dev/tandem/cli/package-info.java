/// The command line: what `./tandem` runs.
@NullMarked
package dev.tandem.cli;

import org.jspecify.annotations.NullMarked;
