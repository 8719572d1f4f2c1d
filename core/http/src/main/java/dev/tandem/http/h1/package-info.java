/// The HTTP/1.1 codec (RFC 9112, and the message syntax of RFC 9110): decodes bytes to heads and
/// bodies, and encodes them. Strict: input that two parsers could interpret differently is
/// rejected. Pure: no socket, thread or clock. Each object is confined to its caller.
@NullMarked
package dev.tandem.http.h1;

import org.jspecify.annotations.NullMarked;
