package dev.tandem.http;

/// What is wrong with bytes that a peer sent: parsers return it and do not throw.
///
/// @param status the answer, 400 to 599
/// @param reason for the log and the error page; says what was found and holds none of the bytes
public record MalformedMessage(int status, String reason) {

    /// A 400 with that reason.
    public static MalformedMessage badRequest(String reason) {
        return new MalformedMessage(400, reason);
    }
}
