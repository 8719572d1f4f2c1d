package dev.tandem.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// Gives the bytes and takes as many as a test says.
final class ScriptedSocket implements Socket {
    private int readable;
    private int room;
    private int closed;
    private boolean isHeld;
    private final StringBuilder written = new StringBuilder();

    /// From now on so many bytes can be read.
    synchronized void receive(int bytes) {
        readable = bytes;
    }

    /// The same, of which no poller tells.
    synchronized void hold(int bytes) {
        readable = bytes;
        isHeld = true;
    }

    @Override
    public synchronized boolean hasInput() {
        return isHeld && readable > 0;
    }

    /// From now on so many bytes are taken.
    synchronized void makeRoom(int bytes) {
        room = bytes;
    }

    /// How many bytes can be read still.
    synchronized int readable() {
        return readable;
    }

    /// What was taken, as ASCII.
    synchronized String written() {
        return written.toString();
    }

    /// How often it was closed.
    synchronized int closed() {
        return closed;
    }

    @Override
    public synchronized int read(IoBuffer to) {
        int count = Math.min(readable, to.bytes().remaining());
        to.bytes().put(new byte[count]);
        readable -= count;
        return count;
    }

    @Override
    public synchronized int write(IoBuffer from) {
        return take(from.bytes());
    }

    @Override
    public synchronized long write(IoBuffer first, ByteBuffer second) {
        return take(first.bytes()) + take(second);
    }

    private int take(ByteBuffer from) {
        int count = Math.min(room, from.remaining());
        for (int i = 0; i < count; i++) {
            written.append((char) from.get());
        }
        room -= count;
        return count;
    }

    @Override
    public long send(OpenFile file, long offset, long count) {
        throw new UnsupportedOperationException("no files here");
    }

    @Override
    public void shutdownOutput() throws IOException {
        throw new IOException("not scripted");
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress(1);
    }

    @Override
    public SocketAddress localAddress() {
        return new InetSocketAddress(2);
    }

    @Override
    public synchronized void close() {
        closed++;
    }
}
