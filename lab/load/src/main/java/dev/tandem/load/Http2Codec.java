package dev.tandem.load;

import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.Settings;

/// What all HTTP/2 connections of a load thread share. Confined to that thread.
///
/// @param requests encodes heads
/// @param list receives decoded heads
/// @param settings announced to servers
/// @param connectionWindow of what a server may send on a connection, in bytes
record Http2Codec(
        RequestEncoder requests, HeaderList list, Settings settings, int connectionWindow) {
    /// Windows that no response of usual size fills, so that they cost no frames: like browsers'.
    private static final int STREAM_WINDOW = 1 << 20;

    private static final int CONNECTION_WINDOW = 16 << 20;

    static Http2Codec of(Target target, Client client) {
        var requests = new RequestEncoder(target, client.fields());
        // A slow reader must not have the server send ahead.
        boolean isSlow = client.receiveRate() > 0;
        int stream = isSlow ? Settings.INITIAL.initialWindowSize() : STREAM_WINDOW;
        return new Http2Codec(
                requests,
                new HeaderList(),
                Settings.CLIENT.withInitialWindowSize(stream),
                isSlow ? Settings.INITIAL.initialWindowSize() : CONNECTION_WINDOW);
    }
}
