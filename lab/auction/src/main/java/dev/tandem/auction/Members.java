package dev.tandem.auction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Members and their comments on each other.
final class Members {
    /// The maximum number of comments on a page: each has up to 8 KB.
    private static final int COMMENTS_MAX = 200;

    private Members() {}

    /// @param password hashed
    record Credentials(long id, String password) {}

    /// @param password hashed
    record NewMember(
            String firstName,
            String lastName,
            String nickname,
            String password,
            String email,
            long region) {}

    static @Nullable Credentials credentials(Connection c, String nickname) throws SQLException {
        return Rows.one(
                c,
                row -> new Credentials(row.getLong(1), row.getString(2)),
                "select id, password from users where nickname = ?",
                nickname);
    }

    static @Nullable Member member(Connection c, long id) throws SQLException {
        return Rows.one(
                c,
                row ->
                        new Member(
                                row.getLong("id"),
                                row.getString("nickname"),
                                row.getInt("rating"),
                                Rows.instant(row, "creation_date"),
                                row.getString("region_name")),
                """
                select u.id, u.nickname, u.rating, u.creation_date, r.name as region_name
                from users u join regions r on r.id = u.region where u.id = ?\
                """,
                id);
    }

    /// Returns false if the nickname is taken.
    static boolean add(Connection c, NewMember newMember, Instant now) throws SQLException {
        if (credentials(c, newMember.nickname()) != null) {
            return false;
        }
        Rows.insert(
                c,
                """
                insert into users (firstname, lastname, nickname, password, email, rating, balance,
                creation_date, region) values (?, ?, ?, ?, ?, 0, 0, ?, ?)\
                """,
                newMember.firstName(),
                newMember.lastName(),
                newMember.nickname(),
                newMember.password(),
                newMember.email(),
                now,
                newMember.region());
        return true;
    }

    /// The last first, [#COMMENTS_MAX] at most.
    static List<Comment> commentsOn(Connection c, long user) throws SQLException {
        return Rows.all(
                c,
                Members::comment,
                """
                select k.from_user_id, u.nickname, k.rating, k.made, k.remark
                from comments k join users u on u.id = k.from_user_id
                where k.to_user_id = ? order by k.id desc limit ?\
                """,
                user,
                COMMENTS_MAX);
    }

    /// @param rating from -5 to 5
    record Remark(long from, long to, long item, int rating, String text) {}

    /// A comment that is stored already.
    private record StoredComment(long id, int rating) {}

    /// Adds a comment and updates the rating of its subject. Must run in a transaction. A member
    /// has one comment on each item: a later or repeated one replaces it.
    static void comment(Connection c, Remark remark, Instant now) throws SQLException {
        Rows.one(
                c,
                row -> row.getLong(1),
                "select id from users where id = ? for update",
                remark.to());
        StoredComment said =
                Rows.one(
                        c,
                        row -> new StoredComment(row.getLong(1), row.getInt(2)),
                        "select id, rating from comments where item_id = ? and from_user_id = ?",
                        remark.item(),
                        remark.from());
        Rows.change(
                c,
                "update users set rating = rating + ? where id = ?",
                remark.rating() - (said == null ? 0 : said.rating()),
                remark.to());
        if (said != null) {
            Rows.change(
                    c,
                    "update comments set rating = ?, made = ?, remark = ? where id = ?",
                    remark.rating(),
                    now,
                    remark.text(),
                    said.id());
            return;
        }
        Rows.insert(
                c,
                """
                insert into comments (from_user_id, to_user_id, item_id, rating, made, remark)
                values (?, ?, ?, ?, ?, ?)\
                """,
                remark.from(),
                remark.to(),
                remark.item(),
                remark.rating(),
                now,
                remark.text());
    }

    private static Comment comment(ResultSet row) throws SQLException {
        return new Comment(
                row.getLong("from_user_id"),
                row.getString("nickname"),
                row.getInt("rating"),
                Rows.instant(row, "made"),
                row.getString("remark"));
    }
}
