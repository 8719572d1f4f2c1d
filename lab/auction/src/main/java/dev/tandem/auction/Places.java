package dev.tandem.auction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Categories and regions.
final class Places {
    private Places() {}

    static List<Named> categories(Connection c) throws SQLException {
        return Rows.all(c, Places::named, "select id, name from categories order by id");
    }

    static List<Named> regions(Connection c) throws SQLException {
        return Rows.all(c, Places::named, "select id, name from regions order by id");
    }

    static @Nullable Named category(Connection c, long id) throws SQLException {
        return Rows.one(c, Places::named, "select id, name from categories where id = ?", id);
    }

    static @Nullable Named region(Connection c, long id) throws SQLException {
        return Rows.one(c, Places::named, "select id, name from regions where id = ?", id);
    }

    private static Named named(ResultSet row) throws SQLException {
        return new Named(row.getLong("id"), row.getString("name"));
    }
}
