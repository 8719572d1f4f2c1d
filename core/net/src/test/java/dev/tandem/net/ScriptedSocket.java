package dev.tandem.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// A socket whose input and accepted output a test determines.
final class ScriptedSocket implements Socket {
    private int readable;
    private int room;
    private int closed;
    private int aborted;
    private boolean isHeld;
    private final StringBuilder written = new StringBuilder();

    /// Adds readable bytes.
    synchronized void receive(int bytes) {
        readable = bytes;
    }

    /// Adds readable bytes that no poller reports.
    synchronized void hold(int bytes) {
        readable = bytes;
        isHeld = true;
    }

    @Override
    public synchronized boolean hasInput() {
        return isHeld && readable > 0;
    }

    /// Adds bytes that can be written.
    synchronized void makeRoom(int bytes) {
        room = bytes;
    }

    /// Returns the number of remaining readable bytes.
    synchronized int readable() {
        return readable;
    }

    /// Returns the written bytes as ASCII.
    synchronized String written() {
        return written.toString();
    }

    /// Returns how often it was closed.
    synchronized int closed() {
        return closed;
    }

    /// Returns how often it was closed by a reset.
    synchronized int aborted() {
        return aborted;
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
    public synchronized void abort() {
        aborted++;
    }

    @Override
    public synchronized void close() {
        closed++;
    }
}
