package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Offering items.
final class SellingPages {
    private static final int NAME_MAX = 100;
    private static final int DESCRIPTION_MAX = 8_192;
    private static final int DAYS_MAX = 30;

    private final Database database;
    private final Site.SignIn gate;
    private final Clock clock;

    SellingPages(Database database, Site.SignIn gate, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get(
                        "Sell",
                        "/sell",
                        request -> Site.SignIn.form("Sell", "/sell/category", List.of())),
                Page.both("SelectCategoryToSellItem", "/sell/category", this::categories),
                Page.get("SellItemForm", "/sell/form", this::form),
                Page.post("RegisterItem", "/sell/store", this::store));
    }

    private Reply categories(PageRequest request) throws SQLException {
        gate.member(request);
        return Reply.shown(
                "places",
                "title",
                "Which category?",
                "to",
                "/sell/form?category=",
                "list",
                database.read(Places::categories));
    }

    private Reply form(PageRequest request) throws SQLException {
        long id = request.id("category");
        gate.member(request);
        Named category = database.find(c -> Places.category(c, id));
        if (category == null) {
            throw new RejectedException(404, "There is no such category.");
        }
        return Reply.shown("sellform", "category", category);
    }

    private Reply store(PageRequest request) throws SQLException {
        long seller = gate.member(request);
        Offer offer = offer(request);
        long id =
                database.write(
                        c -> {
                            if (Places.category(c, offer.category()) == null) {
                                throw new RejectedException(404, "There is no such category.");
                            }
                            return Items.add(c, offer, seller, clock.instant());
                        });
        return Reply.shown(
                "done",
                "title",
                "It is for sale",
                "says",
                "'" + offer.name() + "' can be bid on for " + offer.days() + " days.",
                "item",
                id);
    }

    private static Offer offer(PageRequest request) {
        var offer =
                new Offer(
                        request.text("name", NAME_MAX),
                        request.text("description", DESCRIPTION_MAX),
                        request.money("initialPrice"),
                        request.moneyIfAny("reservePrice"),
                        request.moneyIfAny("buyNow"),
                        request.count("days", 1, DAYS_MAX),
                        request.count("quantity", 1, TradingPages.QUANTITY_MAX),
                        request.id("category"));
        if (offer.reservePrice() != 0 && offer.reservePrice() < offer.initialPrice()) {
            throw new RejectedException(400, "The reserve is below the price that you begin with.");
        }
        if (offer.buyNow() != 0 && offer.buyNow() < offer.initialPrice()) {
            throw new RejectedException(
                    400, "Buying at once is cheaper than the price that you begin with.");
        }
        return offer;
    }
}
