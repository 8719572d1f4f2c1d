package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Bidding, and buying at once.
final class Trading {
    /// More of one item nobody offers.
    static final int QUANTITY_MAX = 1_000;

    /// Characters of a form's name: as many as there is room for in the books.
    private static final int FORM_MAX = 24;

    private final Database database;
    private final Site.Gate gate;
    private final Clock clock;

    Trading(Database database, Site.Gate gate, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("BuyNowAuth", "/buy/sign-in", visit -> signIn(visit, "/buy")),
                Page.both("BuyNow", "/buy", this::toBuy),
                Page.post("StoreBuyNow", "/buy/store", this::buy),
                Page.get("PutBidAuth", "/bid/sign-in", visit -> signIn(visit, "/bid")),
                Page.both("PutBid", "/bid", visit -> Reply.shown("bid", "item", open(visit))),
                Page.post("StoreBid", "/bid/store", this::bid));
    }

    private static Reply signIn(Visit visit, String to) {
        String title = to.equals("/buy") ? "Buy it now" : "Bid";
        return Site.Gate.form(title, to, List.of(new Named(visit.id("item"), "item")));
    }

    private Reply toBuy(Visit visit) throws SQLException {
        Item item = open(visit);
        if (!item.isBuyable()) {
            throw new Sorry(409, "This item is sold to the highest bidder only.");
        }
        return Reply.shown("buy", "item", item, "form", Visit.random());
    }

    /// What whoever is signed in may bid on, or buy.
    private Item open(Visit visit) throws SQLException {
        long id = visit.id("item");
        gate.member(visit);
        Item item = database.find(c -> Items.forSale(c, id));
        if (item == null) {
            throw new Sorry(404, "There is no such item for sale.");
        }
        if (item.isOver(clock.instant())) {
            throw new Sorry(409, "This auction is over.");
        }
        return item;
    }

    private Reply buy(Visit visit) throws SQLException {
        var purchase =
                new Deals.Purchase(
                        visit.id("item"),
                        gate.member(visit),
                        visit.count("quantity", 1, QUANTITY_MAX),
                        visit.has("form") ? visit.text("form", FORM_MAX) : "");
        int bought = database.write(c -> Deals.buy(c, purchase, clock));
        return Reply.shown(
                "done",
                "title",
                "It is yours",
                "says",
                "Thank you: the seller has been told. You bought " + bought + ".",
                "item",
                purchase.item());
    }

    private Reply bid(Visit visit) throws SQLException {
        long amount = visit.money("bid");
        long limit = visit.has("maxBid") ? visit.moneyIfAny("maxBid") : amount;
        if (limit != 0 && limit < amount) {
            throw new Sorry(400, "The most that you would pay is less than what you bid.");
        }
        var bidding =
                new Deals.Bidding(
                        visit.id("item"),
                        gate.member(visit),
                        visit.count("quantity", 1, QUANTITY_MAX),
                        amount,
                        Math.max(limit, amount));
        database.write(
                c -> {
                    Deals.bid(c, bidding, clock);
                    return bidding;
                });
        return Reply.shown(
                "done",
                "title",
                "Your bid stands",
                "says",
                "You bid " + Text.money(amount) + ", and are the highest bidder now.",
                "item",
                bidding.item());
    }
}
