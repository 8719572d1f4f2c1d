/// Starts programs by the C library's posix_spawn.
@NullMarked
package dev.tandem.cgi.posix;

import org.jspecify.annotations.NullMarked;
