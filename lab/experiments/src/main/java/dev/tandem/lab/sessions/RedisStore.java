package dev.tandem.lab.sessions;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.catalina.Session;
import org.apache.catalina.session.StandardSession;
import org.apache.catalina.session.StoreBase;
import org.jspecify.annotations.Nullable;

/// Sessions of Catalina's `PersistentManager` in Redis or Valkey on this machine, which expires
/// them: for the laboratory, where one store for several servers is all that is needed. Speaks RESP
/// (the Redis serialization protocol). Safe for use by several threads.
public final class RedisStore extends StoreBase {
    /// 2 s: it is on this machine.
    private static final int PATIENCE_MILLIS = 2_000;

    /// 16 MiB; a session here has some hundred bytes.
    private static final int SIZE_MAX = 16 << 20;

    private final Queue<Link> idle = new ConcurrentLinkedQueue<>();
    private int port;

    /// Sets where it listens on the loopback; an attribute of the `Store` element.
    public void setPort(int port) {
        this.port = port;
    }

    /// A connection.
    private static final class Link {
        final Socket socket;
        final InputStream in;

        Link(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
        }

        byte @Nullable [] ask(byte[]... words) throws IOException {
            var request = new ByteArrayOutputStream();
            request.writeBytes(ascii("*" + words.length + "\r\n"));
            for (byte[] word : words) {
                request.writeBytes(ascii("$" + word.length + "\r\n"));
                request.writeBytes(word);
                request.writeBytes(ascii("\r\n"));
            }
            socket.getOutputStream().write(request.toByteArray());
            String line = line();
            char kind = line.isEmpty() ? ' ' : line.charAt(0);
            return switch (kind) {
                case '+', ':' -> ascii(line.substring(1));
                case '$' -> content(Integer.parseInt(line.substring(1)));
                default -> throw new IOException("the store responds " + line);
            };
        }

        private byte @Nullable [] content(int length) throws IOException {
            if (length < 0) {
                return null;
            }
            if (length > SIZE_MAX) {
                throw new IOException("a session of " + length + " bytes");
            }
            byte[] bytes = in.readNBytes(length + 2);
            if (bytes.length < length + 2) {
                throw new IOException("the store has disconnected");
            }
            return Arrays.copyOf(bytes, length);
        }

        private String line() throws IOException {
            var text = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0 || text.length() > 1_024) {
                    throw new IOException("the store has disconnected");
                }
                text.append((char) c);
            }
            return text.toString().strip();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private byte @Nullable [] ask(byte[]... words) throws IOException {
        Link known = idle.poll();
        if (known != null) {
            try {
                return done(known, known.ask(words));
            } catch (IOException _) {
                known.socket.close(); // it may have been idle for long: another one decides
            }
        }
        var link = new Link(port);
        try {
            return done(link, link.ask(words));
        } catch (IOException e) {
            link.socket.close();
            throw e;
        }
    }

    private byte @Nullable [] done(Link link, byte @Nullable [] reply) {
        idle.add(link);
        return reply;
    }

    private static byte[] key(String id) {
        return ascii("session:" + id);
    }

    @Override
    public @Nullable Session load(String id) throws ClassNotFoundException, IOException {
        byte[] bytes = ask(ascii("GET"), key(id));
        if (bytes == null) {
            return null;
        }
        ClassLoader before = manager.getContext().bind(null);
        try (var in = getObjectInputStream(new ByteArrayInputStream(bytes))) {
            var session = (StandardSession) manager.createEmptySession();
            session.readObjectData(in);
            session.setManager(manager);
            return session;
        } finally {
            manager.getContext().unbind(before);
        }
    }

    @Override
    public void save(Session session) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            ((StandardSession) session).writeObjectData(out);
        }
        int seconds = Math.max(1, session.getMaxInactiveInterval());
        ask(
                ascii("SET"),
                key(session.getIdInternal()),
                bytes.toByteArray(),
                ascii("EX"),
                ascii("" + seconds));
    }

    @Override
    public void remove(String id) throws IOException {
        ask(ascii("DEL"), key(id));
    }

    @Override
    public int getSize() throws IOException {
        byte[] count = ask(ascii("DBSIZE"));
        return count == null ? 0 : Integer.parseInt(new String(count, StandardCharsets.US_ASCII));
    }

    /// Returns none: sessions are found by their ids only.
    @Override
    public String[] keys() {
        return new String[0];
    }

    @Override
    public void clear() throws IOException {
        ask(ascii("FLUSHDB"));
    }

    /// Does nothing: the store expires them.
    @Override
    public void processExpires() {
        // Each instance would load all sessions, once a minute.
    }
}
