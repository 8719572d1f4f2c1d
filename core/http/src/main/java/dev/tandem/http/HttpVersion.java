package dev.tandem.http;

/// A version of HTTP, as the access log, CGI's `SERVER_PROTOCOL` and `Via` name it.
public enum HttpVersion {
    HTTP_1_0("HTTP/1.0"),
    /// HTTP/1.1, and later minor versions, which are treated as 1.1 (RFC 9110, section 2.5).
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2.0");

    private final String protocol;

    HttpVersion(String protocol) {
        this.protocol = protocol;
    }

    /// Returns the version of an HTTP/1 message.
    ///
    /// @param minorVersion 0 for HTTP/1.0
    public static HttpVersion ofMinor(int minorVersion) {
        return minorVersion == 0 ? HTTP_1_0 : HTTP_1_1;
    }

    /// Returns name and number, such as `HTTP/1.1`.
    public String protocol() {
        return protocol;
    }

    /// Returns the number, such as `1.1`.
    public String number() {
        return protocol.substring("HTTP/".length());
    }

    /// Returns the number as OpenTelemetry's conventions write it: `1.0`, `1.1`, `2`.
    public String conventionalNumber() {
        return this == HTTP_2 ? "2" : number();
    }
}
