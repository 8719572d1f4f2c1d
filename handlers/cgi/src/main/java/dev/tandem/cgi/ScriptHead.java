package dev.tandem.cgi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of a program's response (RFC 3875, section 6.3).
///
/// @param status the value of `Status`; 0 if there is none
/// @param location the value of `Location`, or null
/// @param length the value of `Content-Length` in bytes, or -1
/// @param headers headers for the client, as name, value, name, value; including `Content-Type` and
///     `Location`, without `Status` and `Content-Length`
public record ScriptHead(int status, @Nullable String location, long length, List<String> headers) {

    /// Returns the path of a local redirect, which the server handles itself (section 6.2.2), or
    /// null.
    ///
    /// By the RFC such a response has no other header. One with a type is common and means the
    /// same; one with a `Status` is meant for the client, and so is one with other headers, for
    /// example a cookie, which would be lost.
    public @Nullable String localRedirect() {
        String to = location;
        boolean isLocal = to != null && to.startsWith("/") && !to.startsWith("//");
        return isLocal && status == 0 && hasOnlyRedirectHeaders() ? to : null;
    }

    private boolean hasOnlyRedirectHeaders() {
        for (int i = 0; i < headers.size(); i += 2) {
            String name = headers.get(i);
            if (!name.equalsIgnoreCase("Location") && !name.equalsIgnoreCase("Content-Type")) {
                return false;
            }
        }
        return true;
    }

    /// Returns the status of the response: 302 for a redirect without one (section 6.2.3).
    public int responseStatus() {
        if (status != 0) {
            return status;
        }
        return location == null ? 200 : 302;
    }
}
