package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statements with parameters; user input is never part of a statement's text.
final class Sql {
    private Sql() {}

    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> list(Connection c, Row<T> row, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = c.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                var list = new ArrayList<T>();
                while (rows.next()) {
                    list.add(row.read(rows));
                }
                return list;
            }
        }
    }

    static <T> @Nullable T find(Connection c, Row<T> row, String sql, Object... parameters)
            throws SQLException {
        List<T> list = list(c, row, sql, parameters);
        return list.isEmpty() ? null : list.getFirst();
    }

    static long number(Connection c, String sql, Object... parameters) throws SQLException {
        return list(c, row -> row.getLong(1), sql, parameters).getFirst();
    }

    /// Returns the number of changed rows.
    static int change(Connection c, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = c.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /// Returns the key of the new row.
    ///
    /// @param key its column
    static long insert(Connection c, String key, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = c.prepareStatement(sql, new String[] {key})) {
            bind(statement, parameters);
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("no key came back from: " + sql);
                }
                return keys.getLong(1);
            }
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
