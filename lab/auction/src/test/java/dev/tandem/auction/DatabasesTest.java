package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.testkit.DatabaseServer;
import dev.tandem.testkit.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The same on each database that the site supports: the first request wins, and the data is
/// consistent.
class DatabasesTest {
    private static final int SHOPPERS = 12;

    /// Those who wait for the winner's row wait for as long as a busy machine needs.
    private static final String H2_URL = "jdbc:h2:mem:race;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";

    private static final Map<DatabaseServer.Kind, DatabaseServer> SERVERS =
            new ConcurrentHashMap<>();

    enum Kind {
        H2,
        MARIADB,
        POSTGRESQL
    }

    @AfterAll
    static void stop() throws Exception {
        for (DatabaseServer server : SERVERS.values()) {
            server.remove();
        }
    }

    private static Map<String, String> settings(Kind kind) throws Exception {
        if (kind == Kind.H2) {
            return Map.of("auction.url", H2_URL);
        }
        return settings(server(kind));
    }

    private static Map<String, String> settings(DatabaseServer server) {
        return Map.of(
                "auction.url", server.url(),
                "auction.user", server.user(),
                "auction.password", "");
    }

    private static DatabaseServer server(Kind kind) throws Exception {
        var server = DatabaseServer.Kind.valueOf(kind.name());
        assumeTrue(server.isHere(), "needs " + server.name());
        if (!SERVERS.containsKey(server)) {
            SERVERS.put(server, DatabaseServer.start(server));
        }
        return SERVERS.get(server);
    }

    private static List<String> violations(Map<String, String> settings) throws Exception {
        try (var pool = pool(settings)) {
            return new ConsistencyCheck(pool).violations();
        }
    }

    private static HikariDataSource pool(Map<String, String> settings) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(settings.get("auction.url"));
        pool.setUsername(settings.getOrDefault("auction.user", "sa"));
        pool.setPassword(settings.getOrDefault("auction.password", ""));
        return pool;
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void filling_fromOutside_leavesTheSiteNothingToFill(Kind kind) throws Exception {
        Map<String, String> properties = new HashMap<>(settings(kind));
        properties.put("auction.users", "60");
        properties.put("auction.items", "30");
        properties.put("auction.olditems", "10");
        drop(properties);
        properties.forEach(System::setProperty);
        try {
            Filling.main(new String[0]);
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }
        var site = new RunningAuction(settings(kind));
        try {
            var shopper = site.shopper();
            shopper.signIn(60);
            assertTrue(shopper.get("/me").body().contains("user60"));
        } finally {
            site.close();
        }
        assertEquals(List.of(), violations(properties));
        drop(properties);
    }

    private static void drop(Map<String, String> settings) throws Exception {
        try (var connection =
                        DriverManager.getConnection(
                                settings.get("auction.url"), settings.get("auction.user"), "");
                var statement = connection.createStatement()) {
            for (String table : Schema.TABLES) {
                statement.execute("drop table if exists " + table);
            }
        }
    }

    /// Twice: what was kept is still there after it was put back.
    @ParameterizedTest
    @EnumSource
    void restoredDatabase_isWhatItWas(Kind kind) throws Exception {
        Map<String, String> settings = settings(kind);
        new RunningAuction(settings).close();
        try (var pool = pool(settings)) {
            var database = new Database(pool);
            // What a call that failed half-way leaves is no obstacle.
            database.read(c -> Rows.change(c, "create table auction_kept_items (id int)"));
            restore(database);
            List<String> before = database.read(DatabasesTest::contents);
            for (int time = 0; time < 2; time++) {
                database.write(DatabasesTest::trade);
                assertNotEquals(before, database.read(DatabasesTest::contents));
                restore(database);
                assertEquals(before, database.read(DatabasesTest::contents));
                assertEquals(List.of(), new ConsistencyCheck(pool).violations());
            }
        }
    }

    private static void restore(Database database) throws Exception {
        database.read(
                connection -> {
                    Restoring.run(connection);
                    return true;
                });
    }

    /// A new member and item, bids on an old one, all pieces of another, and a comment that its
    /// writer replaces.
    private static boolean trade(Connection c) throws SQLException {
        var clock = Clock.systemUTC();
        Instant now = clock.instant();
        assertTrue(Members.add(c, new Members.NewMember("A", "B", "new", "-", "a@b.c", 1), now));
        long added = Items.add(c, new Offer("x", "y", 1, 0, 9, 3, 1, 1), 1, now);
        Deals.bid(c, new Deals.Bidding(added, 2, 1, 1, 1), clock);
        List<Long> open =
                Rows.all(
                        c,
                        row -> row.getLong(1),
                        """
                        select id from items where quantity > 0 and end_date > ?
                        and buy_now > max_bid and id < ? order by id limit 2\
                        """,
                        now.plusSeconds(600),
                        added);
        Item sold = Objects.requireNonNull(Items.item(c, open.getFirst()));
        long buyer = sold.seller() == 3 ? 4 : 3;
        Deals.buy(c, new Deals.Purchase(sold.id(), buyer, sold.quantity(), ""), clock);
        Item wanted = Objects.requireNonNull(Items.item(c, open.getLast()));
        long bidder = wanted.seller() == 3 ? 4 : 3;
        long price = wanted.bidMin();
        Deals.bid(c, new Deals.Bidding(wanted.id(), bidder, 1, price, price), clock);
        Members.Remark said =
                Rows.one(
                        c,
                        row ->
                                new Members.Remark(
                                        row.getLong("from_user_id"),
                                        row.getLong("to_user_id"),
                                        row.getLong("item_id"),
                                        row.getInt("rating") - 1,
                                        row.getString("remark")),
                        "select * from comments order by id limit 1");
        Members.comment(c, Objects.requireNonNull(said), now);
        return true;
    }

    /// All rows, without the date of a comment.
    private static List<String> contents(Connection c) throws SQLException {
        var all = new ArrayList<String>();
        for (String columns :
                List.of(
                        "id, quantity, nb_of_bids, max_bid, end_date from items",
                        "id, rating, nickname from users",
                        "id, rating, remark from comments",
                        "id, bid, item_id from bids",
                        "id, qty, item_id from buy_now")) {
            all.addAll(
                    Rows.all(
                            c, row -> columns + values(row), "select " + columns + " order by id"));
        }
        return all;
    }

    private static String values(ResultSet row) throws SQLException {
        var values = new StringBuilder();
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            values.append(' ').append(row.getObject(column));
        }
        return values.toString();
    }

    @ParameterizedTest
    @EnumSource
    void firstRequest_wins(Kind kind) throws Exception {
        Map<String, String> settings = settings(kind);
        var site = new RunningAuction(settings);
        try {
            var seller = site.shopper();
            seller.signIn(1);
            String item = offered(seller);
            List<Shopper> shoppers = new ArrayList<>();
            for (int i = 0; i < SHOPPERS; i++) {
                var shopper = site.shopper();
                shopper.signIn(10 + i);
                shoppers.add(shopper);
            }
            Map<Integer, Integer> bids =
                    race(
                            shoppers,
                            (s, token) ->
                                    s.postRaw(
                                                    "/bid/store",
                                                    Shopper.form(
                                                            "item",
                                                            item,
                                                            "bid",
                                                            "77",
                                                            "quantity",
                                                            "1",
                                                            "token",
                                                            token))
                                            .statusCode());
            assertEquals(Map.of(200, 1, 409, SHOPPERS - 1), bids, "the same bid");
            Map<Integer, Integer> buyers =
                    race(
                            shoppers,
                            (s, token) ->
                                    s.postRaw(
                                                    "/buy/store",
                                                    Shopper.form(
                                                            "item",
                                                            item,
                                                            "quantity",
                                                            "1",
                                                            "token",
                                                            token))
                                            .statusCode());
            assertEquals(Map.of(200, 1, 409, SHOPPERS - 1), buyers, "the last piece");
        } finally {
            site.close();
        }
        assertEquals(List.of(), violations(settings));
    }

    @ParameterizedTest
    @EnumSource
    void nicknameRequestedAtOnce_isGivenOnce(Kind kind) throws Exception {
        Map<String, String> settings = settings(kind);
        var site = new RunningAuction(settings);
        try {
            List<Shopper> shoppers = new ArrayList<>();
            for (int i = 0; i < SHOPPERS; i++) {
                shoppers.add(site.shopper());
            }
            String person = Shopper.form(Shopper.person("wanted")) + "&token=";
            Map<Integer, Integer> statuses =
                    race(
                            shoppers,
                            (s, token) -> s.postRaw("/register/user", person + token).statusCode());
            assertEquals(Map.of(200, 1, 409, SHOPPERS - 1), statuses);
        } finally {
            site.close();
        }
    }

    /// In mid-run: accepted bids and purchases are in the database afterwards, for the check sees
    /// only stored ones.
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void killedDatabase_causes503_andDataStaysConsistent(Kind kind) throws Exception {
        DatabaseServer server = server(kind);
        var settings = new HashMap<>(settings(server));
        settings.put("auction.pool.wait", "1000");
        var site = new RunningAuction(settings);
        try (var bidding = Executors.newFixedThreadPool(4)) {
            var seller = site.shopper();
            seller.signIn(1);
            var taken = new AtomicInteger();
            var bids = new HashMap<String, Future<Integer>>();
            for (int i = 0; i < 4; i++) {
                String item = offered(seller);
                var bidder = site.shopper();
                bidder.signIn(20 + i);
                String token = bidder.token("/me/sign-in");
                bids.put(item, bidding.submit(() -> bidUntilRejected(bidder, item, token, taken)));
            }
            Patience.until("some bids", () -> taken.get() > 20);
            server.kill();
            for (Future<Integer> last : bids.values()) {
                last.get(30, TimeUnit.SECONDS);
            }
            var rejected = seller.get("/categories");
            assertEquals(503, rejected.statusCode());
            assertTrue(rejected.headers().firstValue("Retry-After").isPresent());
            assertEquals(200, seller.get("/browse").statusCode(), "needs no data");
            server.start();
            Patience.until("the site's return", () -> hasCategories(seller));
            for (var bid : bids.entrySet()) {
                String history = seller.get("/item/bids?item=" + bid.getKey()).body();
                int last = bid.getValue().get();
                assertTrue(last == 0 || history.contains(">" + last + ".00<"), history);
            }
        } finally {
            site.close();
        }
        assertEquals(List.of(), violations(settings));
    }

    /// @return the last accepted bid; 0 if there was none
    private static int bidUntilRejected(
            Shopper bidder, String item, String token, AtomicInteger taken) throws Exception {
        int last = 0;
        for (int bid = 10; ; bid++) {
            String form =
                    Shopper.form("item", item, "bid", "" + bid, "quantity", "1", "token", token);
            if (bidder.postRaw("/bid/store", form).statusCode() != 200) {
                return last;
            }
            last = bid;
            taken.incrementAndGet();
        }
    }

    /// All its connections are open, and no query gets a result.
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void frozenDatabase_causes503(Kind kind) throws Exception {
        DatabaseServer server = server(kind);
        var settings = new HashMap<>(settings(server));
        settings.put("auction.pool.wait", "1000");
        settings.put("auction.query", "3");
        var site = new RunningAuction(settings);
        var isOver = new AtomicBoolean();
        try (var asking = Executors.newFixedThreadPool(4)) {
            // Without a pause between them, so that some have a connection, some want one.
            var ends = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 4; i++) {
                Shopper shopper = site.shopper();
                Patience.until("the site responds", () -> hasCategories(shopper));
                ends.add(
                        asking.submit(
                                () -> {
                                    boolean isThere = true;
                                    while (isThere && !isOver.get()) {
                                        isThere = hasCategories(shopper);
                                    }
                                    return !isThere;
                                }));
            }
            try {
                server.freeze();
                for (Future<Boolean> end : ends) {
                    assertTrue(end.get(30, TimeUnit.SECONDS));
                }
            } finally {
                isOver.set(true);
                server.thaw();
            }
            Shopper shopper = site.shopper();
            Patience.until("the site's return", () -> hasCategories(shopper));
        } finally {
            site.close();
        }
    }

    private static boolean hasCategories(Shopper shopper) {
        try {
            return shopper.get("/categories").statusCode() == 200;
        } catch (Exception e) {
            throw new AssertionError("the site did not respond", e);
        }
    }

    private interface Try {
        int run(Shopper shopper, String token) throws Exception;
    }

    /// Runs all at the same moment; returns how often each status was returned.
    private static Map<Integer, Integer> race(List<Shopper> shoppers, Try what) throws Exception {
        var tokens = new ArrayList<String>();
        for (Shopper shopper : shoppers) {
            tokens.add(shopper.token("/me/sign-in"));
        }
        var counts = new HashMap<Integer, Integer>();
        try (var threads = Executors.newFixedThreadPool(shoppers.size())) {
            var tasks = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < shoppers.size(); i++) {
                Shopper shopper = shoppers.get(i);
                String token = tokens.get(i);
                tasks.add(() -> what.run(shopper, token));
            }
            for (Future<Integer> status : threads.invokeAll(tasks)) {
                counts.merge(status.get(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static String offered(Shopper seller) throws Exception {
        var reply =
                seller.post(
                        "/sell/form?category=2",
                        "/sell/store",
                        "name",
                        "The last one",
                        "description",
                        "One piece",
                        "initialPrice",
                        "10",
                        "buyNow",
                        "100",
                        "days",
                        "3",
                        "quantity",
                        "1",
                        "category",
                        "2");
        assertEquals(200, reply.statusCode(), reply.body());
        return reply.body().replaceAll("(?s).*/item\\?id=([0-9]+).*", "$1");
    }
}
