package dev.tandem.testing;

import java.io.IOException;
import java.net.URI;
import java.util.stream.Stream;

/// How requests reach the sites.
interface Transport extends AutoCloseable {

    /// @throws IllegalStateException if there is no address
    URI address();

    /// Returns the response to a request, when it is complete.
    ///
    /// @throws IOException if it is not complete
    Exchanged exchange(Outgoing request) throws IOException, InterruptedException;

    /// Returns the lines of a response, as they come. Closing them disconnects.
    ///
    /// @throws IOException if there is no response
    /// @throws UnsupportedOperationException if responses are only seen when they are complete
    Stream<String> lines(Outgoing request) throws IOException, InterruptedException;

    @Override
    void close();
}
