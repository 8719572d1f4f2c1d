package dev.tandem.net.epoll;

import dev.tandem.net.Datagrams;
import dev.tandem.net.IoBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Unix-domain datagrams on Linux.
///
/// The layout of the arguments of `sendmsg(2)` and `recvmsg(2)` in scratch memory:
///
/// ```
///    0  msghdr:  0 name | 8 its length u32 | 16 vector | 24 1 | 32 control | 40 its length
///   56  iovec:   56 content | 64 its length
///   72  sockaddr_un
///  192  control: 192 length u64 | 200 level u32 | 204 type u32 | 208 descriptors, 4 bytes each
/// 1024  content
/// ```
public final class UnixDatagrams implements Datagrams {
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    private static final int VECTOR = 56;
    private static final int NAME = 72;
    private static final int CONTROL = 192;
    private static final int CONTROL_HEAD = 16;
    private static final int CONTENT = 1024;

    /// For the service loader.
    public UnixDatagrams() {}

    @Override
    public boolean isUsable() {
        return new EpollNetwork().isUsable();
    }

    @Override
    public void send(String to, byte[] content, int... descriptors) throws IOException {
        if (content.length > CONTENT_MAX || descriptors.length > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException(
                    "a datagram carries "
                            + CONTENT_MAX
                            + " bytes and "
                            + DESCRIPTORS_MAX
                            + " descriptors at most");
        }
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        int fd = socket(calls);
        try {
            IoBuffer message = Linux.scratch();
            ByteBuffer bytes = message.bytes();
            int size = SocketAddresses.writeUnix(to, bytes, NAME);
            bytes.put(CONTENT, content);
            head(message, content.length);
            bytes.putLong(0, message.address() + NAME).putInt(8, size);
            if (descriptors.length > 0) {
                int length = CONTROL_HEAD + Integer.BYTES * descriptors.length;
                bytes.putLong(CONTROL, length);
                bytes.putInt(CONTROL + 8, SOL_SOCKET).putInt(CONTROL + 12, SCM_RIGHTS);
                for (int i = 0; i < descriptors.length; i++) {
                    bytes.putInt(CONTROL + CONTROL_HEAD + Integer.BYTES * i, descriptors[i]);
                }
                bytes.putLong(32, message.address() + CONTROL).putLong(40, length);
            }
            checked(Linux.call(calls.sendmsg(), fd, message.address(), MSG_NOSIGNAL), to);
        } finally {
            Linux.call(calls.close(), fd, 0, 0);
        }
    }

    private static int socket(SystemCallNumbers calls) throws IOException {
        int type = SOCK_DGRAM_NONBLOCK_CLOEXEC;
        return (int)
                checked(Linux.call(calls.socket(), SocketAddresses.AF_UNIX, type, 0), "socket");
    }

    /// Writes the header of a message without a name or descriptors.
    private static void head(IoBuffer message, int contentLength) {
        ByteBuffer bytes = message.bytes();
        for (int i = 0; i < VECTOR; i += Long.BYTES) {
            bytes.putLong(i, 0);
        }
        bytes.putLong(16, message.address() + VECTOR).putLong(24, 1);
        bytes.putLong(VECTOR, message.address() + CONTENT).putLong(VECTOR + 8, contentLength);
    }

    private static long checked(long result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": " + Linux.message(-result));
        }
        return result;
    }

    @Override
    public Receiver bind(Path path) throws IOException {
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        int fd = socket(calls);
        try {
            IoBuffer name = Linux.scratch();
            int size = SocketAddresses.writeUnix(path.toString(), name.bytes(), 0);
            checked(Linux.call(calls.bind(), fd, name.address(), size), path.toString());
            return new UnixBox(calls, fd, path);
        } catch (IOException | RuntimeException e) {
            Linux.call(calls.close(), fd, 0, 0);
            throw e;
        }
    }

    /// @param path the path to delete on close
    private record UnixBox(SystemCallNumbers calls, int fd, Path path) implements Receiver {
        @Override
        public Optional<Datagram> receive() throws IOException {
            IoBuffer message = Linux.scratch();
            ByteBuffer bytes = message.bytes();
            head(message, CONTENT_MAX);
            int room = CONTROL_HEAD + Integer.BYTES * DESCRIPTORS_MAX;
            bytes.putLong(32, message.address() + CONTROL).putLong(40, room);
            long length = Linux.call(calls.recvmsg(), fd, message.address(), MSG_CMSG_CLOEXEC);
            if (length == -Linux.EAGAIN) {
                return Optional.empty();
            }
            byte[] content = new byte[(int) checked(length, path.toString())];
            bytes.get(CONTENT, content);
            String text = new String(content, StandardCharsets.UTF_8);
            return Optional.of(new Datagram(text, descriptors(bytes)));
        }

        private static List<Integer> descriptors(ByteBuffer bytes) {
            var descriptors = new ArrayList<Integer>();
            boolean hasRights =
                    bytes.getLong(40) >= CONTROL_HEAD
                            && bytes.getInt(CONTROL + 8) == SOL_SOCKET
                            && bytes.getInt(CONTROL + 12) == SCM_RIGHTS;
            int end = hasRights ? CONTROL + (int) bytes.getLong(CONTROL) : 0;
            for (int at = CONTROL + CONTROL_HEAD; at + Integer.BYTES <= end; at += Integer.BYTES) {
                descriptors.add(bytes.getInt(at));
            }
            return descriptors;
        }

        @Override
        public void close() {
            Linux.call(calls.close(), fd, 0, 0);
            try {
                Files.deleteIfExists(path);
            } catch (IOException _) {
                // An empty file in a temporary directory.
            }
        }
    }
}
