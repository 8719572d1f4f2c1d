/// Reads a configuration from a file or flags into one immutable value, and starts a server with
/// it.
@NullMarked
package dev.tandem.config;

import org.jspecify.annotations.NullMarked;
