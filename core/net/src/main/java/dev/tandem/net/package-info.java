/// Holds connections: event loops own the idle ones, workers borrow one while a request of its
/// runs.
@NullMarked
package dev.tandem.net;

import org.jspecify.annotations.NullMarked;
