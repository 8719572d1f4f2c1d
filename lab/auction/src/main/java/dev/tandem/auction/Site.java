package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// The pages, by the states of RUBiS.
final class Site {
    private final List<Page> pages = new ArrayList<>();

    /// @param ending how many auctions that end soon the front page shows
    Site(Database database, Passwords passwords, LivePrices prices, Clock clock, int ending) {
        var gate = new SignIn(database, passwords);
        pages.add(new EndingSoon(database, clock, ending).page());
        still("Browse", "/browse", "browse");
        pages.addAll(new BrowsingPages(database, clock).pages());
        pages.addAll(new TradingPages(database, gate, prices, clock).pages());
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

    /// Signs members in for pages that need one.
    static final class SignIn {
        private final Database database;
        private final Passwords passwords;

        SignIn(Database database, Passwords passwords) {
            this.database = database;
            this.passwords = passwords;
        }

        /// Signs in the member of the form's nickname and password; without a form returns the
        /// signed-in member. The database is read first, and its connection released before the
        /// expensive comparison.
        ///
        /// @throws RejectedException with 403 if they do not match, with 401 if no member is signed
        ///     in
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

        /// The sign-in form, which leads on to another page.
        ///
        /// @param fields names and values that are submitted with it
        static Reply form(String title, String action, List<Named> fields) {
            return Reply.shown("signin", "title", title, "action", action, "fields", fields);
        }
    }
}
