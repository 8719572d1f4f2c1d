package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Registering, signing in and out, and the page about oneself.
final class Joining {
    private static final int NAME_MAX = 20;
    private static final int EMAIL_MAX = 50;

    /// How far back the page about oneself looks.
    private static final Duration BACK = Duration.ofDays(30);

    private final Database database;
    private final Site.Gate gate;
    private final Passwords passwords;
    private final Clock clock;

    Joining(Database database, Site.Gate gate, Passwords passwords, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.passwords = passwords;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("Register", "/register", this::form),
                Page.post("RegisterUser", "/register/user", this::register),
                Page.get(
                        "AboutMeAuth",
                        "/me/sign-in",
                        visit -> Site.Gate.form("About me", "/me", List.of())),
                Page.both("AboutMe", "/me", this::aboutMe),
                Page.post("SignOut", "/sign-out", Joining::signOut));
    }

    private Reply form(Visit visit) throws SQLException {
        return Reply.shown("register", "regions", database.read(Places::regions));
    }

    private Reply register(Visit visit) throws SQLException {
        String nickname = visit.newNickname("nickname", NAME_MAX);
        var newcomer =
                new Members.Newcomer(
                        visit.text("firstname", NAME_MAX),
                        visit.text("lastname", NAME_MAX),
                        nickname,
                        passwords.hash(visit.secret("password")),
                        visit.text("email", EMAIL_MAX),
                        visit.id("region"));
        if (!isAdded(newcomer)) {
            throw new Sorry(409, "The nickname '" + nickname + "' is taken. Choose another.");
        }
        return Reply.shown(
                "done",
                "title",
                "Welcome, " + nickname,
                "says",
                "You can bid, buy and sell from now on.",
                "item",
                0L);
    }

    private boolean isAdded(Members.Newcomer newcomer) throws SQLException {
        try {
            return database.write(
                    c -> {
                        if (Places.region(c, newcomer.region()) == null) {
                            throw new Sorry(404, "There is no such region.");
                        }
                        return Members.add(c, newcomer, clock.instant());
                    });
        } catch (SQLException e) {
            // Class 23: somebody else took the name just now. Outside of the transaction, which
            // PostgreSQL would not commit any more.
            if (e.getSQLState() != null && e.getSQLState().startsWith("23")) {
                return false;
            }
            throw e;
        }
    }

    private static Reply signOut(Visit visit) {
        visit.signOut();
        return new Reply.Elsewhere("/");
    }

    private Reply aboutMe(Visit visit) throws SQLException {
        long id = gate.member(visit);
        Instant now = clock.instant();
        Instant since = now.minus(BACK);
        Account account =
                database.read(
                        c -> {
                            Member member = Members.member(c, id);
                            if (member == null) {
                                throw new Sorry(404, "You are no longer a member.");
                            }
                            return new Account(
                                    member,
                                    Items.bidOnBy(c, id, now),
                                    Items.wonBy(c, id, since, now),
                                    Items.boughtBy(c, id, since),
                                    Items.sellingBy(c, id, now),
                                    Items.soldBy(c, id, since, now),
                                    Members.commentsOn(c, id));
                        });
        return Reply.shown("aboutme", "account", account);
    }
}
