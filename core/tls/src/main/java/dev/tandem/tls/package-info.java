/// TLS without sockets or threads: bytes in, bytes out. See [TlsContext] and [TlsSession].
@NullMarked
package dev.tandem.tls;

import org.jspecify.annotations.NullMarked;
