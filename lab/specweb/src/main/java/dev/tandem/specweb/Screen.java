package dev.tandem.specweb;

import java.util.List;

/// One page of a site.
///
/// @param name the benchmark's
/// @param command of the simulator for its data; 0 for none
/// @param kind how it is requested
/// @param fields the request's parameters
/// @param heads of the columns of its data
record Screen(
        Site site,
        String name,
        String title,
        int command,
        Kind kind,
        List<String> fields,
        List<String> heads) {

    /// How a page is requested.
    enum Kind {
        /// By any user.
        OPEN,
        /// With a name and a password, which give access to the other pages.
        LOGIN,
        /// By a signed-in user.
        INSIDE,
        /// By a signed-in user's form: it changes something.
        FORM,
        /// By a form of any user.
        OPEN_FORM,
        /// By a form; it ends the session.
        LOGOUT,
        /// A picture that belongs to the signed-in user.
        PICTURE
    }

    boolean isPost() {
        return kind == Kind.LOGIN
                || kind == Kind.FORM
                || kind == Kind.OPEN_FORM
                || kind == Kind.LOGOUT;
    }

    boolean needsSignIn() {
        return kind == Kind.INSIDE || kind == Kind.FORM || kind == Kind.PICTURE;
    }

    boolean needsToken() {
        return isPost() && kind != Kind.LOGIN;
    }

    /// The path within the application.
    String path() {
        return "/" + site.path() + "/" + name;
    }
}
