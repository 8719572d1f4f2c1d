/// What each thread of a server did: the model of a recording, and its writers.
@NullMarked
package dev.tandem.trace;

import org.jspecify.annotations.NullMarked;
