package dev.tandem.http;

/// The error in a message that a peer sent. Parsers return it instead of throwing an exception.
///
/// @param status the status of the response, 400 to 599
/// @param reason for the log and the error page; describes the error without quoting the peer's
///     bytes
public record MalformedMessage(int status, String reason) {

    /// Returns an error with status 400.
    public static MalformedMessage badRequest(String reason) {
        return new MalformedMessage(400, reason);
    }
}
