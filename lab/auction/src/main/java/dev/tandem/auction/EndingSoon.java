package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The front page: auctions that end soon, with pictures, where the site is to show them. RUBiS'
/// front page has no data, so an experiment's has none, either. Safe for use by any thread.
final class EndingSoon {
    /// 2 s: their query reads all items, and the front page is the one that most users request.
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Database database;
    private final Clock clock;
    private final int count;
    private List<Line> lines = List.of();
    private Instant read = Instant.MIN;

    /// @param count how many are shown; 0 for none, without a query
    EndingSoon(Database database, Clock clock, int count) {
        this.database = database;
        this.clock = clock;
        this.count = count;
    }

    Page page() {
        return Page.get(
                "Home",
                "",
                request -> Reply.shown("home", "lines", lines(), "now", clock.instant()));
    }

    /// One request at a time reads them, for all that wait for it.
    private synchronized List<Line> lines() throws SQLException {
        Instant now = clock.instant();
        if (count > 0 && read.isBefore(now.minus(FRESH))) {
            lines = database.read(c -> Items.endingSoon(c, count, now));
            read = now;
        }
        return lines;
    }
}
