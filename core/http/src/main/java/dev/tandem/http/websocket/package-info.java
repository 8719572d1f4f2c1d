/// The WebSocket codec (RFC 6455; compression of messages, RFC 7692): bytes in, events out, for
/// servers and clients. Strict. Pure: no socket, thread or clock. Each object is confined to its
/// caller.
///
/// | type | for |
/// |---|---|
/// | [Handshake], [DeflateTerms] | the request that begins a session, and what is agreed on |
/// | [MessageDecoder] | frames and messages that were received, reported to a [MessageListener] |
/// | [FrameEncoder], [Deflation] | messages to send |
///
/// ```
/// while (decoder.decode(input, this)) {}
/// ```
@NullMarked
package dev.tandem.http.websocket;

import org.jspecify.annotations.NullMarked;
