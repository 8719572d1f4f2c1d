package dev.tandem.auction;

import org.jspecify.annotations.Nullable;

/// What every page has around its content.
///
/// @param page the state of RUBiS that it is, which clients check it by
/// @param root where the site lies, without a slash at the end
/// @param nickname of whoever is signed in
/// @param token that forms must bring back; empty where no session was begun
/// @param inside a page that shows what the server does; null if there is none
public record Frame(
        String page,
        String root,
        @Nullable String nickname,
        String token,
        @Nullable String inside) {

    /// For templates: whether somebody is signed in.
    public boolean isSignedIn() {
        return nickname != null;
    }
}
