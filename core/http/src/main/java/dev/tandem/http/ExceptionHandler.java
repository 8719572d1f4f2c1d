package dev.tandem.http;

/// Responds where a handler or filter has thrown an exception of some type.
///
/// @param <E> the type, subtypes included
@FunctionalInterface
public interface ExceptionHandler<E extends Exception> {

    /// Responds. The status is 500 at first, or the one that an [HttpException] has; headers that
    /// describe content are removed. Runs on the thread of the handler that failed: on an event
    /// loop if that is declared non-blocking. Not called if the response is committed.
    ///
    /// @throws Exception if it fails, too: then the error page responds
    void handle(Exchange x, E thrown) throws Exception;
}
