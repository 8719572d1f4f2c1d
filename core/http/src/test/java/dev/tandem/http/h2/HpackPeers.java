package dev.tandem.http.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.AsciiString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackException;

/// Other implementations of HPACK, each with the state of one connection.
final class HpackPeers {
    static final List<String> MALFORMED = List.of("malformed");

    /// Of a decoder that breaks: Netty 4.2.18 writes behind the array of its dynamic table after
    /// some series of changes of its size.
    static final List<String> BROKEN = List.of("broken");

    private static final int LIST_MAX = 10_000_000;

    private HpackPeers() {}

    /// A decoder. Headers are text, `name: value`.
    interface Decoder {
        /// Returns the list of a block, [#MALFORMED] or [#BROKEN].
        List<String> decode(byte[] block);
    }

    interface Encoder {
        byte[] encode(List<Map.Entry<String, String>> list);
    }

    static Decoder ours() {
        var decoder = new HpackDecoder(4_096);
        return block -> {
            var list = new HeaderList();
            list.begin(LIST_MAX, 1_000_000);
            String error = decoder.decode(block, 0, block.length, list);
            return error == null ? Lists.headers(list) : MALFORMED;
        };
    }

    static Encoder oursEncoding() {
        var encoder = new HpackEncoder(4_096);
        var writer = new HeadWriter();
        return list -> {
            writer.start(encoder);
            list.forEach(header -> writer.header(header.getKey(), header.getValue()));
            return Arrays.copyOf(writer.bytes(), writer.length());
        };
    }

    /// Netty lists pseudo-headers first.
    static Decoder netty() {
        var decoder = new DefaultHttp2HeadersDecoder(false, false, LIST_MAX);
        return block -> {
            ByteBuf in = Unpooled.wrappedBuffer(block);
            try {
                var headers = new ArrayList<String>();
                for (Map.Entry<CharSequence, CharSequence> header : decoder.decodeHeaders(1, in)) {
                    headers.add(header.getKey() + ": " + header.getValue());
                }
                return headers;
            } catch (Http2Exception | RuntimeException e) {
                boolean isBroken = e.getCause() instanceof ArrayIndexOutOfBoundsException;
                return isBroken ? BROKEN : MALFORMED;
            }
        };
    }

    static Encoder nettyEncoding() {
        var encoder =
                new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, true, 16, 0);
        return list -> {
            Http2Headers headers = new DefaultHttp2Headers(false);
            list.forEach(
                    h -> headers.add(new AsciiString(h.getKey()), new AsciiString(h.getValue())));
            ByteBuf out = Unpooled.buffer();
            try {
                encoder.encodeHeaders(1, headers, out);
            } catch (Http2Exception e) {
                throw new AssertionError(e);
            }
            byte[] block = new byte[out.readableBytes()];
            out.readBytes(block);
            return block;
        };
    }

    /// Jetty decodes lists without pseudo-headers, or those of valid messages, and trims values.
    static Decoder jetty() {
        var decoder =
                new org.eclipse.jetty.http2.hpack.HpackDecoder(LIST_MAX, System::currentTimeMillis);
        return block -> {
            try {
                MetaData message = decoder.decode(ByteBuffer.wrap(block));
                var headers = new ArrayList<String>();
                for (HttpField field : message.getHttpFields()) {
                    headers.add(field.getLowerCaseName() + ": " + field.getValue());
                }
                return headers;
            } catch (HpackException e) {
                return MALFORMED;
            }
        };
    }

    static Encoder jettyEncoding() {
        var encoder = new org.eclipse.jetty.http2.hpack.HpackEncoder();
        encoder.setMaxTableCapacity(4_096);
        encoder.setTableCapacity(4_096);
        return list -> {
            HttpFields.Mutable fields = HttpFields.build();
            list.forEach(header -> fields.add(header.getKey(), header.getValue()));
            ByteBuffer out = ByteBuffer.allocate(65_536);
            try {
                encoder.encode(out, new MetaData(HttpVersion.HTTP_2, fields));
            } catch (HpackException e) {
                throw new AssertionError(e);
            }
            byte[] block = new byte[out.position()];
            out.flip().get(block);
            return block;
        };
    }

    /// Returns a list with pseudo-headers first, in their order.
    static List<String> pseudoFirst(List<String> list) {
        return Stream.concat(
                        list.stream().filter(HpackPeers::isPseudo),
                        list.stream().filter(header -> !isPseudo(header)))
                .toList();
    }

    /// Whether the name, which may be empty, begins with a colon.
    private static boolean isPseudo(String header) {
        return header.startsWith(":") && !header.startsWith(": ");
    }
}
