package dev.tandem.auction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prepared statements with their parameters, and their results. User input is never part of a
/// statement's text.
final class Rows {
    private Rows() {}

    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> all(Connection c, Reader<T> reader, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(c, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            var list = new ArrayList<T>();
            while (rows.next()) {
                list.add(reader.read(rows));
            }
            return list;
        }
    }

    static <T> @Nullable T one(Connection c, Reader<T> reader, String sql, Object... parameters)
            throws SQLException {
        List<T> list = all(c, reader, sql, parameters);
        return list.isEmpty() ? null : list.getFirst();
    }

    /// Returns the number of changed rows.
    static int change(Connection c, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(c, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /// Returns the key of the new row.
    static long insert(Connection c, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement =
                c.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
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

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
    }

    /// Converts a value to that of a column. Times are in UTC, whatever zone this machine or the
    /// database is in: in local time an hour of each autumn occurs twice.
    static Object kept(Object value) {
        return value instanceof Instant at ? LocalDateTime.ofInstant(at, ZoneOffset.UTC) : value;
    }

    private static PreparedStatement prepare(Connection c, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = c.prepareStatement(sql);
        try {
            bind(statement, parameters);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, kept(parameters[i]));
        }
    }
}
