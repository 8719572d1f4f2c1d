package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Bidding, and buying at once.
final class TradingPages {
    /// The maximum quantity of one item.
    static final int QUANTITY_MAX = 1_000;

    /// The maximum length of a form's id: the size of its column.
    private static final int FORM_MAX = 24;

    private final Database database;
    private final Site.SignIn gate;
    private final LivePrices prices;
    private final Clock clock;

    TradingPages(Database database, Site.SignIn gate, LivePrices prices, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.prices = prices;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("BuyNowAuth", "/buy/sign-in", request -> signIn(request, "/buy")),
                Page.both("BuyNow", "/buy", this::toBuy),
                Page.post("StoreBuyNow", "/buy/store", this::buy),
                Page.get("PutBidAuth", "/bid/sign-in", request -> signIn(request, "/bid")),
                Page.both("PutBid", "/bid", request -> Reply.shown("bid", "item", open(request))),
                Page.post("StoreBid", "/bid/store", this::bid));
    }

    private static Reply signIn(PageRequest request, String to) {
        String title = to.equals("/buy") ? "Buy it now" : "Bid";
        return Site.SignIn.form(title, to, List.of(new Named(request.id("item"), "item")));
    }

    private Reply toBuy(PageRequest request) throws SQLException {
        Item item = open(request);
        if (!item.isBuyable()) {
            throw new RejectedException(409, "This item is sold to the highest bidder only.");
        }
        return Reply.shown("buy", "item", item, "form", PageRequest.random());
    }

    /// Returns an item that the signed-in member may bid on, or buy.
    private Item open(PageRequest request) throws SQLException {
        long id = request.id("item");
        gate.member(request);
        Item item = database.find(c -> Items.forSale(c, id));
        if (item == null) {
            throw new RejectedException(404, "There is no such item for sale.");
        }
        if (item.isOver(clock.instant())) {
            throw new RejectedException(409, "This auction is over.");
        }
        return item;
    }

    private Reply buy(PageRequest request) throws SQLException {
        var purchase =
                new Deals.Purchase(
                        request.id("item"),
                        gate.member(request),
                        request.count("quantity", 1, QUANTITY_MAX),
                        request.has("form") ? request.text("form", FORM_MAX) : "");
        int bought = database.write(c -> Deals.buy(c, purchase, clock));
        prices.changed(purchase.item());
        return Reply.shown(
                "done",
                "title",
                "It is yours",
                "says",
                "Thank you: the seller has been notified. You bought " + bought + ".",
                "item",
                purchase.item());
    }

    private Reply bid(PageRequest request) throws SQLException {
        long amount = request.money("bid");
        long limit = request.has("maxBid") ? request.moneyIfAny("maxBid") : amount;
        if (limit != 0 && limit < amount) {
            throw new RejectedException(
                    400, "The most that you would pay is less than what you bid.");
        }
        var bidding =
                new Deals.Bidding(
                        request.id("item"),
                        gate.member(request),
                        request.count("quantity", 1, QUANTITY_MAX),
                        amount,
                        Math.max(limit, amount));
        database.write(
                c -> {
                    Deals.bid(c, bidding, clock);
                    return bidding;
                });
        prices.changed(bidding.item());
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
