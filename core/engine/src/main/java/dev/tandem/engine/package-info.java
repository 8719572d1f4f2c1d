/// The protocol-independent part: exchanges, admission of requests, dispatch to workers, waits for
/// clients. A protocol brings an [ExchangeIo] and a [QueuedRequest].
@NullMarked
package dev.tandem.engine;

import org.jspecify.annotations.NullMarked;
