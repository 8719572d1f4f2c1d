/// What all protocols share: exchanges, admission of requests, dispatch to workers, waits for
/// clients. Names no protocol. A protocol brings an [ExchangeIo] and a [QueuedRequest].
@NullMarked
package dev.tandem.engine;

import org.jspecify.annotations.NullMarked;
