package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Registering, signing in and out, and the page 'about me'.
final class AccountPages {
    private static final int NAME_MAX = 20;
    private static final int EMAIL_MAX = 50;

    /// The period that the page 'about me' covers.
    private static final Duration BACK = Duration.ofDays(30);

    private final Database database;
    private final Site.SignIn gate;
    private final Passwords passwords;
    private final Clock clock;

    AccountPages(Database database, Site.SignIn gate, Passwords passwords, Clock clock) {
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
                        request -> Site.SignIn.form("About me", "/me", List.of())),
                Page.both("AboutMe", "/me", this::aboutMe),
                Page.post("SignOut", "/sign-out", AccountPages::signOut));
    }

    private Reply form(PageRequest request) throws SQLException {
        return Reply.shown("register", "regions", database.read(Places::regions));
    }

    private Reply register(PageRequest request) throws SQLException {
        String nickname = request.newNickname("nickname", NAME_MAX);
        var newMember =
                new Members.NewMember(
                        request.text("firstname", NAME_MAX),
                        request.text("lastname", NAME_MAX),
                        nickname,
                        passwords.hash(request.secret("password")),
                        request.text("email", EMAIL_MAX),
                        request.id("region"));
        if (!isAdded(newMember)) {
            throw new RejectedException(
                    409, "The nickname '" + nickname + "' is taken. Choose another.");
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

    private boolean isAdded(Members.NewMember newMember) throws SQLException {
        try {
            return database.write(
                    c -> {
                        if (Places.region(c, newMember.region()) == null) {
                            throw new RejectedException(404, "There is no such region.");
                        }
                        return Members.add(c, newMember, clock.instant());
                    });
        } catch (SQLException e) {
            // Class 23: another request took the name at the same time. Outside of the transaction,
            // which PostgreSQL would not commit any more.
            if (e.getSQLState() != null && e.getSQLState().startsWith("23")) {
                return false;
            }
            throw e;
        }
    }

    private static Reply signOut(PageRequest request) {
        request.signOut();
        return new Reply.Redirect("/");
    }

    private Reply aboutMe(PageRequest request) throws SQLException {
        long id = gate.member(request);
        Instant now = clock.instant();
        Instant since = now.minus(BACK);
        Account account =
                database.read(
                        c -> {
                            Member member = Members.member(c, id);
                            if (member == null) {
                                throw new RejectedException(404, "You are no longer a member.");
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
