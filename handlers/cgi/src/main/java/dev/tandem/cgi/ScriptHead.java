package dev.tandem.cgi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a program said before its document (RFC 3875, section 6.3).
///
/// @param status what its `Status` field says; 0 if it has none
/// @param location its `Location`, or null
/// @param length its `Content-Length` in bytes, or -1
/// @param headers all that go to the client, as name, value, name, value; also `Content-Type` and
///     `Location`, not `Status` and `Content-Length`
public record ScriptHead(int status, @Nullable String location, long length, List<String> headers) {

    /// Whether the server is to answer as if this path had been asked for (section 6.2.2), or null.
    ///
    /// By the RFC such an answer has no other field. One with a type is common and means the same;
    /// one with a `Status` is meant for the client, and so is one with other fields, a cookie
    /// perhaps, which would be lost.
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

    /// The status to answer with: 302 for a redirect that says none (section 6.2.3).
    public int responseStatus() {
        if (status != 0) {
            return status;
        }
        return location == null ? 200 : 302;
    }
}
