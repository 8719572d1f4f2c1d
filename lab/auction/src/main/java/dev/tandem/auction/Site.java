package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// The pages, by the states of RUBiS.
final class Site {
    private final List<Page> pages = new ArrayList<>();

    Site(Database database, Passwords passwords) {
        var gate = new SignIn(database, passwords);
        Clock clock = Clock.systemUTC();
        still("Home", "", "home");
        still("Browse", "/browse", "browse");
        pages.addAll(new BrowsingPages(database, clock).pages());
        pages.addAll(new TradingPages(database, gate, clock).pages());
        pages.addAll(new CommentPages(database, gate, clock).pages());
        pages.addAll(new SellingPages(database, gate, clock).pages());
        pages.addAll(new AccountPages(database, gate, passwords, clock).pages());
    }

    List<Page> pages() {
        return List.copyOf(pages);
    }

    /// A page that needs no data.
    private void still(String name, String path, String template) {
        pages.add(Page.get(name, path, request -> Reply.shown(template)));
    }

    /// What pages do with whoever is to be signed in.
    static final class SignIn {
        private final Database database;
        private final Passwords passwords;

        SignIn(Database database, Passwords passwords) {
            this.database = database;
            this.passwords = passwords;
        }

        /// Signs in whoever brings a nickname and a password by a form; else asks who is signed
        /// in. The database is asked first, and its connection given back before the dear
        /// comparison.
        ///
        /// @throws RejectedException with 403 if they do not fit, with 401 if nobody is signed in
        long member(PageRequest request) throws SQLException {
            if (!request.isForm() || !request.has("nickname")) {
                Long member = request.member();
                if (member == null) {
                    throw new RejectedException(401, "Sign in first.");
                }
                return member;
            }
            String nickname = request.nickname("nickname");
            String password = request.secret("password");
            Members.Credentials kept = database.find(c -> Members.credentials(c, nickname));
            if (kept == null) {
                passwords.matchUnknownUser(password);
            } else if (passwords.matches(password, kept.password())) {
                request.signIn(kept.id(), nickname);
                return kept.id();
            }
            throw new RejectedException(
                    403, "This nickname and password are not of one of our members.");
        }

        /// The form to sign in with, which leads on to another page.
        ///
        /// @param fields names and values that go with it
        static Reply form(String title, String action, List<Named> fields) {
            return Reply.shown("signin", "title", title, "action", action, "fields", fields);
        }
    }
}
