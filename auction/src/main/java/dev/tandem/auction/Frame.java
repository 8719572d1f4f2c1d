package dev.tandem.auction;

import org.jspecify.annotations.Nullable;

/// What every page has around its content.
///
/// @param page the state of RUBiS that it is, which clients check it by
/// @param root where the site lies, without a slash at the end
/// @param nickname of whoever is signed in
/// @param token that forms must bring back; empty where no session was begun
public record Frame(String page, String root, @Nullable String nickname, String token) {

    /// For templates: whether somebody is signed in.
    public boolean isSignedIn() {
        return nickname != null;
    }
}
