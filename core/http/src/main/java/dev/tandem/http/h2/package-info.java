/// The HTTP/2 codec (RFC 9113; HPACK, RFC 7541; priorities, RFC 9218; extended CONNECT, RFC 8441):
/// bytes in, events out, for servers and clients. Strict. Pure: no socket, thread or clock. Each
/// object is confined to its caller.
///
/// An event loop, or each thread that runs it, has one of each of these for all connections:
///
/// | type | for |
/// |---|---|
/// | [HeaderList] | decoded headers, and buffers for decoding |
/// | [Http2RequestHead] | a validated request |
/// | [HeadWriter] | an encoded head |
///
/// A connection has these. Together they have no buffer while it is idle, except for the headers in
/// its tables:
///
/// | type | for |
/// |---|---|
/// | [FrameDecoder] | preface, frames, header blocks, the peer's settings |
/// | [HpackEncoder] | the peer's dynamic table |
/// | [StreamTable] | streams, their states and identifiers |
/// | [SendWindow], [ReceiveWindow] | flow control; also one of each for each stream |
/// | [DefenceLedger] | what the peer costs |
///
/// Input is decoded frame by frame, so that the connection can stop between two:
///
/// ```
/// while (decoder.decode(input, loop.headerList(), this) && !output.isHeldUp()) {}
/// ```
///
/// and the connection, which is the [FrameListener], asks the table first, whatever the frame is:
///
/// ```
/// public void headers(int id, HeaderList list, boolean isEndStream) {
///     Transition transition = streams.on(id, StreamEvent.RECEIVE_HEADERS, isEndStream);
///     switch (transition.outcome()) {
///         case PROCESS -> {
///             Http2Stream stream = streams.get(id);
///             if (stream == null) startRequest(id, list, isEndStream); else trailers(stream, …);
///         }
///         case IGNORE -> ledger.charge(Cost.FRAME_IGNORED, now);
///         case STREAM_ERROR -> reset(id, transition.error());
///         case CONNECTION_ERROR -> goAway(transition.error());
///     }
/// }
///
/// private void startRequest(int id, HeaderList list, boolean isEndStream) {
///     MalformedMessage error = head.set(list, isEndStream, own.isExtendedConnectEnabled());
///     // error: respond and reset; else resolve head.parseTarget(…), ask admission,
///     // streams.put(id, new Http2Stream(head.copy(), …))
/// }
/// ```
///
/// DATA takes from both windows, is compared with the length ([ContentLength]), and is copied to
/// the stream's body or passed on; what a handler has read is announced:
///
/// ```
/// int increment = stream.receiveWindow().consume(length);
/// if (increment > 0) {
///     FrameWriter.windowUpdate(out, id, increment);
/// }
/// ```
///
/// Frames are written into the buffer that the connection gathers its output in. The head of a
/// prepared response costs two copies, the second for the `date` of this second:
///
/// ```
/// writer.start(encoder).prepared(response.headerBlock(PreparedHead::of)).prepared(date);
/// FrameWriter.headers(out, id, writer, decoder.peerSettings().maxFrameSize(), false);
/// FrameWriter.data(out, id, body.remaining(), true);
/// out.put(body.duplicate());
/// ```
///
/// Errors of the peer are values: events of the listener for frames, transitions for states, false
/// for windows, a [MalformedMessage][dev.tandem.http.MalformedMessage] for requests. Exceptions are
/// bugs of the caller.
@NullMarked
package dev.tandem.http.h2;

import org.jspecify.annotations.NullMarked;
