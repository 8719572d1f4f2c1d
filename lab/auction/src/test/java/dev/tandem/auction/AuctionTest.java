package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.CookieManager;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The pages as users use them, in a stock Tomcat over H2.
class AuctionTest {
    private static final String URL = "jdbc:h2:mem:auctiontest;DB_CLOSE_DELAY=-1";

    private static RunningAuction site;
    private static org.h2.jdbcx.JdbcDataSource database;

    @BeforeAll
    static void open() throws Exception {
        site = new RunningAuction(Map.of("auction.url", URL));
        database = new org.h2.jdbcx.JdbcDataSource();
        database.setURL(URL);
        database.setUser("sa");
        database.setPassword("");
    }

    @AfterAll
    static void close() throws Exception {
        assertEquals(java.util.List.of(), new ConsistencyCheck(database).violations());
        site.close();
    }

    @Test
    void pageOfTheServersActivity_isLinked() throws Exception {
        String link = "What the server does now</a>";
        assertFalse(site.shopper().get("/").body().contains(link));
        var shown =
                new RunningAuction(Map.of("auction.url", URL, "auction.inside", "http://a/?\"<"));
        try {
            String page = shown.shopper().get("/").body();
            assertTrue(page.contains("<a href=\"http://a/?&#34;&lt;\">" + link), page);
        } finally {
            shown.close();
        }
    }

    @Test
    void frontPage_showsAuctionsThatEndSoon_withPictures() throws Exception {
        assertFalse(site.shopper().get("/").body().contains("Ending soon"));
        var shown = new RunningAuction(Map.of("auction.url", URL, "auction.ending", "5"));
        try {
            Shopper shopper = shown.shopper();
            String page = shopper.get("/").body();
            Matcher lots =
                    Pattern.compile("item\\?id=([0-9]+)\"><img src=\"(/[a-z/-]+\\.svg)\"")
                            .matcher(page);
            var ends = new ArrayList<Timestamp>();
            while (lots.find()) {
                HttpResponse<String> picture = shopper.get(lots.group(2));
                assertEquals(200, picture.statusCode(), lots.group(2));
                assertEquals(
                        "image/svg+xml", picture.headers().firstValue("Content-Type").orElse(""));
                ends.add(end(lots.group(1)));
            }
            assertEquals(5, ends.size(), page);
            assertEquals(ends.stream().sorted().toList(), ends);
            assertTrue(page.contains(" bids, ends in "), page);
            assertTrue(page.strip().endsWith("<!-- end of Home -->"));
        } finally {
            shown.close();
        }
    }

    private static Timestamp end(String item) throws SQLException {
        try (Connection connection = database.getConnection();
                var rows =
                        connection
                                .createStatement()
                                .executeQuery("select end_date from items where id = " + item)) {
            assertTrue(rows.next());
            return rows.getTimestamp(1);
        }
    }

    @Test
    void timeLeft_isShownInTwoUnits() {
        Instant now = Instant.EPOCH;
        assertEquals("1 d 2 h", Text.left(now, now.plusSeconds(26 * 3600 + 59)));
        assertEquals("3 h 0 min", Text.left(now, now.plusSeconds(3 * 3600 + 59)));
        assertEquals("0 min 7 s", Text.left(now, now.plusSeconds(7)));
    }

    @ParameterizedTest
    @CsvSource({
        "Home, /",
        "Register, /register",
        "Browse, /browse",
        "BrowseCategories, /categories",
        "SearchItemsInCategory, /search?category=1",
        "SearchItemsInCategory, /search?category=1&page=3",
        "BrowseRegions, /regions",
        "BrowseCategoriesInRegion, /regions/categories?region=2",
        "SearchItemsInRegion, /regions/search?region=2&category=3",
        "ViewItem, /item?id=1",
        "ViewItem, /item?id=1000000001",
        "ViewUserInfo, /user?id=1",
        "ViewBidHistory, /item/bids?item=1",
        "BuyNowAuth, /buy/sign-in?item=1",
        "PutBidAuth, /bid/sign-in?item=1",
        "PutCommentAuth, /comment/sign-in?item=1&to=1",
        "Sell, /sell",
        "AboutMeAuth, /me/sign-in"
    })
    void page_isWholeAndNamed(String name, String path) throws Exception {
        HttpResponse<String> reply = site.shopper().get(path);
        assertEquals(200, reply.statusCode(), reply.body());
        assertTrue(reply.body().contains("<meta name=\"page\" content=\"" + name + "\">"));
        assertTrue(reply.body().strip().endsWith("<!-- end of " + name + " -->"));
        assertTrue(reply.headers().firstValue("Content-Length").isPresent());
        assertTrue(
                reply.headers()
                        .firstValue("Content-Security-Policy")
                        .orElse("")
                        .contains("default-src 'none'"));
    }

    @ParameterizedTest
    @CsvSource({
        "404, /item?id=999999",
        "400, /item?id=x",
        "400, /item",
        "400, /item?id=-1",
        "404, /user?id=999999",
        "404, /search?category=99",
        "400, /search?category=1&page=-1",
        "404, /regions/search?region=99&category=1",
        "401, /me",
        "401, /bid?item=1",
        "405, /bid/store",
        "404, /nowhere"
    })
    void impossibleRequest_getsAnExplanation(int status, String path) throws Exception {
        assertEquals(status, site.shopper().get(path).statusCode());
    }

    @Test
    void session_fromRegisteringToTheLastPiece() throws Exception {
        var seller = site.shopper();
        var done =
                seller.post(
                        "/register",
                        "/register/user",
                        "firstname",
                        "Ada",
                        "lastname",
                        "L",
                        "nickname",
                        "ada",
                        "email",
                        "ada@example.org",
                        "password",
                        "secret",
                        "region",
                        "3");
        assertEquals(200, done.statusCode(), done.body());
        seller.post("/me/sign-in", "/me", "nickname", "ada", "password", "secret");
        var offered = offer(seller, "A clock <of> mine", "10", "2", "25.50");
        assertEquals(200, offered.statusCode(), offered.body());
        String item = offered.body().replaceAll("(?s).*/item\\?id=([0-9]+).*", "$1");
        assertTrue(seller.get("/item?id=" + item).body().contains("A clock &lt;of&gt; mine"));
        assertEquals(409, bid(seller, item, "11").statusCode(), "of one's own");

        var buyer = site.shopper();
        buyer.signIn(7);
        assertEquals(409, bid(buyer, item, "9.99").statusCode(), "below the price");
        assertEquals(200, bid(buyer, item, "10").statusCode());
        assertEquals(409, bid(buyer, item, "10").statusCode(), "not above the last");
        assertEquals(200, bid(buyer, item, "12.30").statusCode());
        assertTrue(buyer.get("/item/bids?item=" + item).body().contains("12.30"));
        assertTrue(buyer.get("/me").body().contains("A clock &lt;of&gt; mine"));
        assertEquals(409, buy(buyer, item, "3").statusCode(), "more than there are");
        assertEquals(200, buy(buyer, item, "2").statusCode());
        assertTrue(buyer.get("/item?id=" + item).body().contains("This auction is over."));
        assertEquals(409, bid(buyer, item, "50").statusCode(), "after the end");
        assertEquals(409, buy(buyer, item, "1").statusCode(), "none is left");

        String to = buyer.get("/item?id=" + item).body();
        String owner = to.replaceAll("(?s).*/user\\?id=([0-9]+).*", "$1");
        var said =
                buyer.post(
                        "/comment?item=" + item + "&to=" + owner,
                        "/comment/store",
                        "item",
                        item,
                        "to",
                        owner,
                        "rating",
                        "5",
                        "comment",
                        "<script>alert(1)</script>");
        assertEquals(200, said.statusCode(), said.body());
        String seen = buyer.get("/user?id=" + owner).body();
        assertTrue(seen.contains("&lt;script>") || seen.contains("&lt;script&gt;"), seen);
        assertFalse(seen.contains("<script>"));
    }

    @Test
    void nickname_isGivenOnce() throws Exception {
        var reply = site.shopper().register("user1");
        assertEquals(409, reply.statusCode());
    }

    @Test
    void wrongPassword_isRejectedLikeAnUnknownName() throws Exception {
        var shopper = site.shopper();
        var wrong =
                shopper.post("/me/sign-in", "/me", "nickname", "user1", "password", "password2");
        var unknown = shopper.post("/me/sign-in", "/me", "nickname", "no", "password", "password2");
        assertEquals(403, wrong.statusCode());
        assertEquals(403, unknown.statusCode());
        assertEquals(wrong.body(), unknown.body());
    }

    @Test
    void bidAfterTheEnd_isRejected() throws Exception {
        var seller = site.shopper();
        seller.signIn(11);
        var offered = offer(seller, "Too late", "10", "1", "20");
        String item = offered.body().replaceAll("(?s).*/item\\?id=([0-9]+).*", "$1");
        var late = site.shopper();
        late.signIn(12);
        try (java.sql.Connection c = database.getConnection()) {
            Rows.change(
                    c,
                    "update items set end_date = timestamp '2020-01-01 00:00:00' where id = "
                            + item);
        }
        assertEquals(409, bid(late, item, "50").statusCode());
        assertEquals(409, buy(late, item, "1").statusCode());
    }

    @Test
    void formWithoutItsToken_changesNothing() throws Exception {
        var shopper = site.shopper();
        shopper.signIn(3);
        String form = Shopper.form("item", "1", "bid", "9999", "quantity", "1");
        assertEquals(403, shopper.postRaw("/bid/store", form).statusCode());
        assertEquals(403, shopper.postRaw("/bid/store", form + "&token=x").statusCode());
        var other = site.shopper();
        String stolen = other.token("/me/sign-in");
        assertEquals(403, shopper.postRaw("/bid/store", form + "&token=" + stolen).statusCode());
    }

    @Test
    void session_getsANewIdAtSignIn() throws Exception {
        var shopper = site.shopper();
        shopper.token("/me/sign-in");
        String before = cookie(shopper);
        shopper.signIn(4);
        assertNotEquals(before, cookie(shopper));

        var thief = site.shopper();
        var request =
                java.net.http.HttpRequest.newBuilder(java.net.URI.create(thief.site() + "/me"))
                        .header("Cookie", "JSESSIONID=" + before)
                        .build();
        var reply =
                thief.client().send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
        assertEquals(401, reply.statusCode(), "a session fixed before is worth nothing");
    }

    @Test
    void sessionCookie_isHiddenFromScriptsAndOtherSites() throws Exception {
        var reply = site.shopper().get("/me/sign-in");
        String cookie = reply.headers().firstValue("Set-Cookie").orElse("");
        assertTrue(cookie.contains("HttpOnly"), cookie);
        assertTrue(cookie.contains("SameSite=Lax"), cookie);
    }

    @Test
    void signOut_endsTheSession() throws Exception {
        var shopper = site.shopper();
        shopper.signIn(5);
        assertEquals(200, shopper.get("/me").statusCode());
        assertEquals(303, shopper.post("/me", "/sign-out").statusCode());
        assertEquals(401, shopper.get("/me").statusCode());
    }

    private static Stream<Arguments> attacks() {
        String[] texts = {
            "' or '1'='1", "1; drop table users; --", "\" onmouseover=alert(1) x=\"", "${7*7}",
            "<img src=x onerror=alert(1)>", "%00", "\u0000", "' union select password from users --"
        };
        return Stream.of(texts).map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void injection_throughEveryField_isTextOrRejected(String text) throws Exception {
        var shopper = site.shopper();
        shopper.signIn(9);
        String value = Shopper.encoded(text);
        for (String path :
                new String[] {
                    "/item?id=",
                    "/user?id=",
                    "/search?category=",
                    "/search?category=1&page=",
                    "/regions/categories?region=",
                    "/item/bids?item=",
                    "/bid/sign-in?item=",
                    "/regions/search?category=1&region=",
                    "/bid?item=",
                    "/buy?item=",
                    "/sell/form?category=",
                    "/comment?to=1&item="
                }) {
            assertEquals(400, shopper.get(path + value).statusCode(), path);
        }
        var signedIn = shopper.post("/me/sign-in", "/me", "nickname", text, "password", text);
        assertTrue(signedIn.statusCode() == 403 || signedIn.statusCode() == 400);
        var offered = offer(shopper, text, "10", "1", "");
        boolean isText = offered.statusCode() == 200;
        assertTrue(isText || text.equals("\u0000"), offered.body());
        if (isText) {
            assertFalse(offered.body().contains("<img src=x"), offered.body());
        }
        assertEquals(400, bid(shopper, "1", text).statusCode());
    }

    static HttpResponse<String> offer(
            Shopper seller, String name, String price, String quantity, String buyNow)
            throws Exception {
        return seller.post(
                "/sell/form?category=2",
                "/sell/store",
                "name",
                name,
                "description",
                name,
                "initialPrice",
                price,
                "reservePrice",
                "",
                "buyNow",
                buyNow,
                "days",
                "3",
                "quantity",
                quantity,
                "category",
                "2");
    }

    static HttpResponse<String> bid(Shopper shopper, String item, String amount) throws Exception {
        return shopper.post(
                "/me/sign-in", "/bid/store", "item", item, "bid", amount, "quantity", "1");
    }

    static HttpResponse<String> buy(Shopper shopper, String item, String quantity)
            throws Exception {
        return shopper.post("/me/sign-in", "/buy/store", "item", item, "quantity", quantity);
    }

    private static String cookie(Shopper shopper) {
        var manager = (CookieManager) shopper.client().cookieHandler().orElseThrow();
        return manager.getCookieStore().getCookies().getFirst().getValue();
    }
}
