/// TLS on connections: handshakes, and the socket that encrypts.
@NullMarked
package dev.tandem.engine.tls;

import org.jspecify.annotations.NullMarked;
