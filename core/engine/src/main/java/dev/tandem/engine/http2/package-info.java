/// HTTP/2 (RFC 9113): connections that always belong to their event loops, and streams that are
/// exchanges.
@NullMarked
package dev.tandem.engine.http2;

import org.jspecify.annotations.NullMarked;
