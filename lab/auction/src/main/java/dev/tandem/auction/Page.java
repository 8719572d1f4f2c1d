package dev.tandem.auction;

import java.sql.SQLException;

/// One of the site's pages.
///
/// @param name the state of RUBiS
/// @param isPost whether it is asked for by POST, with a form's token
/// @param isGet whether it is asked for by GET
record Page(String name, String path, boolean isGet, boolean isPost, Maker maker) {

    interface Maker {
        /// Runs on the thread of the request.
        ///
        /// @throws Sorry if what is asked for cannot be
        Reply make(Visit visit) throws SQLException;
    }

    static Page get(String name, String path, Maker maker) {
        return new Page(name, path, true, false, maker);
    }

    static Page post(String name, String path, Maker maker) {
        return new Page(name, path, false, true, maker);
    }

    /// By POST with nickname and password, or by GET for whoever is signed in.
    static Page both(String name, String path, Maker maker) {
        return new Page(name, path, true, true, maker);
    }
}
