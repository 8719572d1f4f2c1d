package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks on the site in a stock Tomcat over H2.
class AttackTest {
    private static final String URL = "jdbc:h2:mem:attacks;DB_CLOSE_DELAY=-1";

    private static RunningAuction site;

    @BeforeAll
    static void open() throws Exception {
        site = new RunningAuction(Map.of("auction.url", URL));
    }

    @AfterAll
    static void close() throws Exception {
        var database = new org.h2.jdbcx.JdbcDataSource();
        database.setURL(URL);
        database.setUser("sa");
        database.setPassword("");
        assertEquals(List.of(), new ConsistencyCheck(database).violations());
        site.close();
    }

    /// A link on another site would make its readers members of the attacker's choice.
    @Test
    void signInByALinkIsRejected() throws Exception {
        var shopper = site.shopper();
        assertEquals(401, shopper.get("/me?nickname=user1&password=password1").statusCode());
        shopper.signIn(2);
        HttpResponse<String> me = shopper.get("/me?nickname=user1&password=password1");
        assertTrue(me.body().contains("<h1>About user2</h1>"), me.body());
    }

    /// After a first bid of zero, the second would not be above it.
    @ParameterizedTest
    @ValueSource(strings = {"0", "0.00", "-1", "0.001", "1e3", "1,50", "NaN", "\u0663"})
    void priceBelowACentIsRejected(String price) throws Exception {
        var seller = site.shopper();
        seller.signIn(3);
        assertEquals(400, AuctionTest.offer(seller, "x", price, "1", "").statusCode());
        assertEquals(400, AuctionTest.bid(seller, "1", price).statusCode());
    }

    @Test
    void formSubmittedTwice_buysOnce() throws Exception {
        var seller = site.shopper();
        seller.signIn(4);
        String offered = AuctionTest.offer(seller, "Two cups", "10", "2", "20").body();
        String item = offered.replaceAll("(?s).*/item\\?id=([0-9]+).*", "$1");
        var buyer = site.shopper();
        buyer.signIn(5);
        String page = buyer.get("/buy?item=" + item).body();
        String name = page.replaceAll("(?s).*name=\"form\" value=\"([^\"]+)\".*", "$1");
        for (int i = 0; i < 2; i++) {
            var done =
                    buyer.post(
                            "/buy?item=" + item,
                            "/buy/store",
                            "item",
                            item,
                            "quantity",
                            "1",
                            "form",
                            name);
            assertEquals(200, done.statusCode(), done.body());
        }
        String left = buyer.get("/item?id=" + item).body();
        assertTrue(left.contains("<dt>Left</dt><dd data-shows=\"left\">1</dd>"), left);
    }

    @ParameterizedTest
    @CsvSource({
        "400, a\u200bb",
        "400, \u202eadmin",
        "400, \uff35\uff33\uff25\uff32\uff11",
        "400, us\u0435r1",
        "400, 'a\nb'",
        "400, <b>",
        "409, USER1"
    })
    void nicknameThatLooksLikeAnother_isRejected(int status, String nickname) throws Exception {
        var reply = site.shopper().register(nickname);
        assertEquals(status, reply.statusCode(), reply.body());
    }

    /// Containers would show the classes in which they fail.
    @Test
    void malformedRequest_getsTheSitesErrorPage() throws Exception {
        var shopper = site.shopper();
        var replies =
                List.of(
                        shopper.get("/item?id=%ff%fe"),
                        shopper.postRaw("/bid/store", "item=%zz"),
                        shopper.postRaw("/bid/store", "a=1&".repeat(2_000)));
        for (HttpResponse<String> reply : replies) {
            assertEquals(400, reply.statusCode(), reply.body());
            assertFalse(reply.body().contains("Exception"), reply.body());
            assertTrue(reply.body().contains("<!-- end of "), reply.body());
        }
    }

    /// Each request for a form would take memory for half an hour.
    @Test
    void anonymousSessions_endOnlyAnonymousOnes() throws Exception {
        var small = new RunningAuction(Map.of("auction.url", URL, "auction.sessions", "3"));
        try {
            var member = small.shopper();
            member.signIn(6);
            var first = small.shopper();
            String token = first.token("/me/sign-in");
            for (int i = 0; i < 3; i++) {
                small.shopper().token("/me/sign-in");
            }
            String form =
                    Shopper.form("nickname", "user7", "password", "password7", "token", token);
            assertEquals(403, first.postRaw("/me", form).statusCode(), "its session ended");
            assertEquals(200, member.get("/me").statusCode(), "a member stays");
            for (int user = 8; user < 11; user++) {
                var other = small.shopper();
                other.signIn(user);
                assertEquals(200, other.get("/me").statusCode());
            }
            assertEquals(401, member.get("/me").statusCode(), "members are counted, too");
        } finally {
            small.close();
        }
    }
}
