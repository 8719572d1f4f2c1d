package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// Status codes of the IANA HTTP Status Code Registry and RFC 9110, section 15.
public final class Status {
    private static final String REGISTRY =
            """
            100 Continue
            101 Switching Protocols
            102 Processing
            103 Early Hints
            104 Upload Resumption Supported
            200 OK
            201 Created
            202 Accepted
            203 Non-Authoritative Information
            204 No Content
            205 Reset Content
            206 Partial Content
            207 Multi-Status
            208 Already Reported
            226 IM Used
            300 Multiple Choices
            301 Moved Permanently
            302 Found
            303 See Other
            304 Not Modified
            305 Use Proxy
            306 (Unused)
            307 Temporary Redirect
            308 Permanent Redirect
            400 Bad Request
            401 Unauthorized
            402 Payment Required
            403 Forbidden
            404 Not Found
            405 Method Not Allowed
            406 Not Acceptable
            407 Proxy Authentication Required
            408 Request Timeout
            409 Conflict
            410 Gone
            411 Length Required
            412 Precondition Failed
            413 Content Too Large
            414 URI Too Long
            415 Unsupported Media Type
            416 Range Not Satisfiable
            417 Expectation Failed
            418 (Unused)
            421 Misdirected Request
            422 Unprocessable Content
            423 Locked
            424 Failed Dependency
            425 Too Early
            426 Upgrade Required
            428 Precondition Required
            429 Too Many Requests
            431 Request Header Fields Too Large
            451 Unavailable For Legal Reasons
            500 Internal Server Error
            501 Not Implemented
            502 Bad Gateway
            503 Service Unavailable
            504 Gateway Timeout
            505 HTTP Version Not Supported
            506 Variant Also Negotiates
            507 Insufficient Storage
            508 Loop Detected
            510 Not Extended
            511 Network Authentication Required
            """;

    private static final @Nullable String[] REASONS = reasons();

    private Status() {}

    /// Returns the reason phrase; never empty, because some clients treat a status line without one
    /// as a failure. An unregistered status gets a phrase for its class.
    public static String reasonPhrase(int status) {
        String known = status >= 0 && status < REASONS.length ? REASONS[status] : null;
        return known != null ? known : classWord(status);
    }

    /// Returns whether a response with that status may have content. One that may not has no
    /// `Content-Length` either (RFC 9110, section 8.6), except 205, which has `Content-Length: 0`
    /// (section 15.3.6).
    public static boolean allowsContent(int status) {
        return status >= 200 && status != 204 && status != 205 && status != 304;
    }

    /// Whether a response of that status has no content, but must say so by its framing: 205, which
    /// clients read like 200 (RFC 9112, section 6.3). Without a length they would wait for content.
    public static boolean isEmptyByLength(int status) {
        return status == 205;
    }

    /// Whether a message of that status ends with its head, whatever the head announces (RFC 9112,
    /// section 6.3): 1xx, 204 and 304, but not 205.
    public static boolean endsWithHead(int status) {
        return status < 200 || status == 204 || status == 304;
    }

    private static String classWord(int status) {
        return switch (Math.floorDiv(status, 100)) {
            case 1 -> "Unknown Information";
            case 2 -> "Unknown Success";
            case 3 -> "Unknown Redirection";
            case 4 -> "Unknown Client Error";
            case 5 -> "Unknown Server Error";
            default -> "Unknown Status";
        };
    }

    private static @Nullable String[] reasons() {
        var reasons = new @Nullable String[512];
        for (String line : REGISTRY.split("\n")) {
            reasons[Integer.parseInt(line, 0, 3, 10)] = line.substring(4);
        }
        return reasons;
    }
}
