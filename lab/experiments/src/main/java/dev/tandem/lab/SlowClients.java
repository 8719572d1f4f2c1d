package dev.tandem.lab;

import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Many clients that hold what a server has for them, or what it has of theirs. Their receive
/// buffers are as small as the kernel allows. Confined to one thread.
final class SlowClients implements AutoCloseable {
    /// Most that is read of a client in a second where it reads at all, in bytes.
    private static final int DRIP = 1;

    /// Another address than that of clients that read: a server may share by addresses.
    private static final String LOCAL = "127.0.0.2";

    private static final int RECEIVE_BUFFER = 1;
    private static final int HEAD_MAX = 4096;

    /// Of a message that does not end.
    private static final int ANNOUNCED = 64 << 10;

    private static final int BEGUN = 60 << 10;
    private static final int LITTLE = 1 << 10;

    private final Behaviour behaviour;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer one = ByteBuffer.allocateDirect(DRIP);

    /// What they do.
    enum Behaviour {
        TEXTS_UNREAD("texts-unread", "members of a group that read nothing"),
        TEXTS_DRIP("texts-drip", "members of a group that read a byte a second"),
        EVENTS_UNREAD("events-unread", "subscribers of events that read nothing"),
        EVENTS_DRIP("events-drip", "subscribers of events that read a byte a second"),
        INCOMPLETE("incomplete", "60 KiB of a message of 64 KiB each"),
        HALF_CLOSED("half-closed", "the beginning of a message, then FIN without a close frame");

        private final String label;
        private final String help;

        Behaviour(String label, String help) {
            this.label = label;
            this.help = help;
        }

        String label() {
            return label;
        }

        String help() {
            return help;
        }

        /// @throws LabException if there is none
        static Behaviour named(String label) throws LabException {
            for (Behaviour behaviour : values()) {
                if (behaviour.label.equals(label)) {
                    return behaviour;
                }
            }
            throw new LabException("no behaviour " + label);
        }

        boolean isDripping() {
            return this == TEXTS_DRIP || this == EVENTS_DRIP;
        }

        private boolean isOfEvents() {
            return this == EVENTS_UNREAD || this == EVENTS_DRIP;
        }
    }

    SlowClients(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    /// Opens one more.
    ///
    /// @param group of the texts that they are to get
    /// @throws IOException if there is no connection, or the response is another
    void open(int port, String group) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
        channel.bind(new InetSocketAddress(InetAddress.ofLiteral(LOCAL), 0));
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request =
                behaviour.isOfEvents()
                        ? "GET /events/" + group + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                        : "GET /live/"
                                + group
                                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        awaitHead(channel, behaviour.isOfEvents() ? " 200 " : " 101 ");
        switch (behaviour) {
            case INCOMPLETE -> write(channel, BEGUN);
            case HALF_CLOSED -> {
                write(channel, LITTLE);
                channel.shutdownOutput();
            }
            default -> {}
        }
        channel.configureBlocking(false);
    }

    private void awaitHead(SocketChannel channel, String status) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            if (channel.read(one.clear()) < 0 || head.length() > HEAD_MAX) {
                throw new EOFException("no response head");
            }
            head.append((char) one.get(0));
        }
        if (head.indexOf(status) < 0) {
            throw new IOException("not served: " + head.substring(0, head.indexOf("\r\n")));
        }
    }

    /// Writes the beginning of a message; the rest is never sent.
    private static void write(SocketChannel channel, int bytes) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(ANNOUNCED + 14);
        ByteBuffer content = ByteBuffer.allocate(ANNOUNCED);
        FrameEncoder.masked(frame, Opcode.TEXT, true, content, 0);
        frame.flip().limit(bytes);
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    int count() {
        return channels.size();
    }

    /// Reads a byte of each, if it reads at all: to be called once a second.
    void drip() {
        if (!behaviour.isDripping()) {
            return;
        }
        for (SocketChannel channel : channels) {
            try {
                channel.read(one.clear());
            } catch (IOException e) {
                // The server has ended it, which its descriptors show.
            }
        }
    }

    @Override
    public void close() {
        for (SocketChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }
    }
}
