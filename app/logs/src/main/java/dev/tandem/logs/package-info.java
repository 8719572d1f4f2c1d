/// The access log and the error log.
@NullMarked
package dev.tandem.logs;

import org.jspecify.annotations.NullMarked;
