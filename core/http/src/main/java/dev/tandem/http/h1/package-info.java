/// HTTP/1.1 on the wire (RFC 9112, and what of RFC 9110 concerns messages): bytes in, heads and
/// bodies out, and back. Strict: where two parsers could read the same bytes differently, the bytes
/// are refused. Pure: no socket, thread or clock. Each object is confined to its caller.
@NullMarked
package dev.tandem.http.h1;

import org.jspecify.annotations.NullMarked;
