/// Flags become calls: what `./tandem` runs.
@NullMarked
package dev.tandem.cli;

import org.jspecify.annotations.NullMarked;
