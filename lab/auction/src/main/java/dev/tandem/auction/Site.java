package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// The pages, by the states of RUBiS.
final class Site {
    private final List<Page> pages = new ArrayList<>();

    Site(Database database, Passwords passwords) {
        var gate = new Gate(database, passwords);
        Clock clock = Clock.systemUTC();
        still("Home", "", "home");
        still("Browse", "/browse", "browse");
        pages.addAll(new Browsing(database, clock).pages());
        pages.addAll(new Trading(database, gate, clock).pages());
        pages.addAll(new Commenting(database, gate, clock).pages());
        pages.addAll(new Selling(database, gate, clock).pages());
        pages.addAll(new Joining(database, gate, passwords, clock).pages());
    }

    List<Page> pages() {
        return List.copyOf(pages);
    }

    /// A page that needs no data.
    private void still(String name, String path, String template) {
        pages.add(Page.get(name, path, visit -> Reply.shown(template)));
    }

    /// What pages do with whoever is to be signed in.
    static final class Gate {
        private final Database database;
        private final Passwords passwords;

        Gate(Database database, Passwords passwords) {
            this.database = database;
            this.passwords = passwords;
        }

        /// Signs in whoever brings a nickname and a password by a form; else asks who is signed
        /// in. The database is asked first, and its connection given back before the dear
        /// comparison.
        ///
        /// @throws Sorry with 403 if they do not fit, with 401 if nobody is signed in
        long member(Visit visit) throws SQLException {
            if (!visit.isForm() || !visit.has("nickname")) {
                Long member = visit.member();
                if (member == null) {
                    throw new Sorry(401, "Sign in first.");
                }
                return member;
            }
            String nickname = visit.nickname("nickname");
            String password = visit.secret("password");
            Members.Credentials kept = database.find(c -> Members.credentials(c, nickname));
            if (kept == null) {
                passwords.fitsNobody(password);
            } else if (passwords.fits(password, kept.password())) {
                visit.signIn(kept.id(), nickname);
                return kept.id();
            }
            throw new Sorry(403, "This nickname and password are not of one of our members.");
        }

        /// The form to sign in with, which leads on to another page.
        ///
        /// @param fields names and values that go with it
        static Reply form(String title, String action, List<Named> fields) {
            return Reply.shown("signin", "title", title, "action", action, "fields", fields);
        }
    }
}
