/// Metrics and traces for systems that collect them from many servers.
@NullMarked
package dev.tandem.observe;

import org.jspecify.annotations.NullMarked;
