package dev.tandem.tls;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Reads the header that a proxy sends before the client's first byte, with the addresses of the
/// client's connection (the PROXY protocol, versions 1 and 2,
/// haproxy.org/download/2.9/doc/proxy-protocol.txt). The input may be split anywhere; subsequent
/// bytes are not consumed.
///
/// Used only by listeners that are configured for it, and only for trusted peers, because any
/// client can send such a header.
///
/// Never throws an exception, whatever is received. Confined to one thread at a time.
///
/// ```
///   1:  PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n          at most 107 bytes
///   2:  \r\n\r\n\0\r\nQUIT\n  version|command  family|transport  length(2)  addresses  TLVs
/// ```
public final class ProxyProtocolReader {
    /// The maximum length of the line of version 1, with its terminator (section 2.1).
    public static final int LINE_MAX = 107;

    /// The maximum length of an accepted header of version 2, in bytes: addresses and TLVs, which
    /// are ignored.
    public static final int HEADER_MAX = 4096;

    private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");
    private static final byte[] WORD = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 16;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int INET = 0x11;
    private static final int INET6 = 0x21;
    private static final int PORT_MAX = 65_535;

    /// The state of reading.
    public enum Status {
        /// The bytes are the start of a header; more are needed.
        INCOMPLETE,
        /// The header is complete; see [#source()].
        COMPLETE,
        /// The bytes are not a header: close the connection without a response.
        INVALID
    }

    private byte[] bytes = new byte[LINE_MAX];
    private int size;
    private Status status = Status.INCOMPLETE;
    private @Nullable InetSocketAddress source;
    private @Nullable InetSocketAddress destination;

    /// Creates a reader for the start of a connection.
    public ProxyProtocolReader() {}

    /// Reads bytes until the header is complete.
    ///
    /// @return the state, which no longer changes once it is not `INCOMPLETE`
    public Status read(ByteBuffer from) {
        while (status == Status.INCOMPLETE && from.hasRemaining()) {
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, HEADER_MAX);
            }
            bytes[size++] = from.get();
            status = isLine() ? lineStatus() : headerStatus();
        }
        return status;
    }

    /// Returns the address of the client; null if the proxy does not know it, or connects on its
    /// own behalf (a health check): the peer's own address then applies.
    public @Nullable InetSocketAddress source() {
        return source;
    }

    /// Returns the address that the client connected to; null if the source is null.
    public @Nullable InetSocketAddress destination() {
        return destination;
    }

    private boolean isLine() {
        return bytes[0] == WORD[0];
    }

    private Status lineStatus() {
        if (size <= WORD.length) {
            return bytes[size - 1] == WORD[size - 1] ? Status.INCOMPLETE : Status.INVALID;
        }
        byte last = bytes[size - 1];
        if (last != '\n') {
            boolean isPrintable = last >= ' ' && last < 0x7f;
            boolean isEnd = last == '\r' && bytes[size - 2] != '\r';
            boolean mayGoOn = size < LINE_MAX && bytes[size - 2] != '\r';
            return (isPrintable || isEnd) && mayGoOn ? Status.INCOMPLETE : Status.INVALID;
        }
        if (bytes[size - 2] != '\r') {
            return Status.INVALID;
        }
        int from = WORD.length;
        var line = new String(bytes, from, size - 2 - from, StandardCharsets.US_ASCII);
        return readLine(line.split(" ", -1));
    }

    private Status readLine(String[] words) {
        if (words[0].equals("UNKNOWN")) {
            // The rest of the line is ignored (section 2.1).
            return Status.COMPLETE;
        }
        boolean is4 = words[0].equals("TCP4");
        if (words.length != 5 || !is4 && !words[0].equals("TCP6")) {
            return Status.INVALID;
        }
        source = address(words[1], words[3], is4);
        destination = address(words[2], words[4], is4);
        return source == null || destination == null ? Status.INVALID : Status.COMPLETE;
    }

    private static @Nullable InetSocketAddress address(String host, String port, boolean is4) {
        boolean isHost = is4 ? isDotted(host) : host.matches("[0-9A-Fa-f:.]{2,45}");
        if (!isHost || !port.matches("0|[1-9][0-9]{0,4}") || Integer.parseInt(port) > PORT_MAX) {
            return null;
        }
        try {
            // Accepts only literals, so that no name is resolved.
            InetAddress parsed =
                    is4 ? InetAddress.ofLiteral(host) : InetAddress.ofLiteral("[" + host + "]");
            return new InetSocketAddress(parsed, Integer.parseInt(port));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Four numbers up to 255 without leading zeros, which some parsers interpret as octal.
    private static boolean isDotted(String host) {
        String[] parts = host.split("\\.", -1);
        for (String part : parts) {
            if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) {
                return false;
            }
        }
        return parts.length == 4;
    }

    private Status headerStatus() {
        if (size <= SIGNATURE.length) {
            return bytes[size - 1] == SIGNATURE[size - 1] ? Status.INCOMPLETE : Status.INVALID;
        }
        int command = bytes[SIGNATURE.length] & 0xff;
        if (command != LOCAL && command != PROXY) {
            return Status.INVALID;
        }
        if (size < HEAD) {
            return Status.INCOMPLETE;
        }
        int length = number(HEAD - 2);
        if (HEAD + length > HEADER_MAX) {
            return Status.INVALID;
        }
        return size < HEAD + length ? Status.INCOMPLETE : readHeader(command, length);
    }

    private Status readHeader(int command, int length) {
        int width =
                switch (bytes[HEAD - 3] & 0xff) {
                    case INET -> 4;
                    case INET6 -> 16;
                    // Datagrams, Unix sockets and unspecified families: no usable address.
                    default -> 0;
                };
        if (command == LOCAL || width == 0) {
            return Status.COMPLETE;
        }
        if (length < 2 * width + 4) {
            return Status.INVALID;
        }
        int ports = HEAD + 2 * width;
        source = new InetSocketAddress(host(HEAD, width), number(ports));
        destination = new InetSocketAddress(host(HEAD + width, width), number(ports + 2));
        return Status.COMPLETE;
    }

    private InetAddress host(int at, int width) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + width));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are an address", e);
        }
    }

    private int number(int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
