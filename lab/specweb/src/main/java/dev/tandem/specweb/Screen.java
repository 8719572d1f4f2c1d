package dev.tandem.specweb;

import java.util.List;

/// One page of a site.
///
/// @param name as the benchmark has it
/// @param command of the simulator that has its data; 0 for none
/// @param kind how it is asked for
/// @param fields what it is asked for with
/// @param heads of the columns of its data
record Screen(
        Site site,
        String name,
        String title,
        int command,
        Kind kind,
        List<String> fields,
        List<String> heads) {

    /// How a page is asked for.
    enum Kind {
        /// By whoever wants.
        OPEN,
        /// With a name and a password, which open the rest.
        LOGIN,
        /// By who is signed in.
        INSIDE,
        /// The same, by a form of ours: it changes something.
        FORM,
        /// By a form of ours, whoever wants.
        OPEN_FORM,
        /// By a form of ours; it ends the session.
        LOGOUT,
        /// A picture of the one who is signed in.
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

    /// Within the application.
    String path() {
        return "/" + site.path() + "/" + name;
    }
}
