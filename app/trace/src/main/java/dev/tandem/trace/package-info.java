/// The activity of each thread of a server: the model of a recording, and its writers.
@NullMarked
package dev.tandem.trace;

import org.jspecify.annotations.NullMarked;
