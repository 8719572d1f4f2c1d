/// What measurements, and the engine itself, change of a server; no part of the API for users.
@NullMarked
package dev.tandem.engine.tuning;

import org.jspecify.annotations.NullMarked;
