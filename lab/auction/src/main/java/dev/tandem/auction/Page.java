package dev.tandem.auction;

import java.sql.SQLException;

/// One of the site's pages.
///
/// @param name the state of RUBiS
/// @param isPost whether it accepts POST, with a form's token
/// @param isGet whether it accepts GET
record Page(String name, String path, boolean isGet, boolean isPost, Maker maker) {

    interface Maker {
        /// Runs on the request's thread.
        ///
        /// @throws RejectedException if the request cannot be fulfilled
        Reply make(PageRequest request) throws SQLException;
    }

    static Page get(String name, String path, Maker maker) {
        return new Page(name, path, true, false, maker);
    }

    static Page post(String name, String path, Maker maker) {
        return new Page(name, path, false, true, maker);
    }

    /// By POST with nickname and password, or by GET for a signed-in member.
    static Page both(String name, String path, Maker maker) {
        return new Page(name, path, true, true, maker);
    }
}
