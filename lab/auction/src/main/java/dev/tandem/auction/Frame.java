package dev.tandem.auction;

import org.jspecify.annotations.Nullable;

/// The data around every page's content.
///
/// @param page the state of RUBiS, which clients check
/// @param root the site's path, without a slash at the end
/// @param nickname of the signed-in member
/// @param token that forms must return; empty if no session was begun
/// @param inside a page that shows the server's activity; null if there is none
public record Frame(
        String page,
        String root,
        @Nullable String nickname,
        String token,
        @Nullable String inside) {

    /// For templates: whether a member is signed in.
    public boolean isSignedIn() {
        return nickname != null;
    }
}
