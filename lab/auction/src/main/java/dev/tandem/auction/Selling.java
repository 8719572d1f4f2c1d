package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Offering something.
final class Selling {
    private static final int NAME_MAX = 100;
    private static final int DESCRIPTION_MAX = 8_192;
    private static final int DAYS_MAX = 30;

    private final Database database;
    private final Site.Gate gate;
    private final Clock clock;

    Selling(Database database, Site.Gate gate, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get(
                        "Sell",
                        "/sell",
                        visit -> Site.Gate.form("Sell", "/sell/category", List.of())),
                Page.both("SelectCategoryToSellItem", "/sell/category", this::categories),
                Page.get("SellItemForm", "/sell/form", this::form),
                Page.post("RegisterItem", "/sell/store", this::store));
    }

    private Reply categories(Visit visit) throws SQLException {
        gate.member(visit);
        return Reply.shown(
                "places",
                "title",
                "Which category?",
                "to",
                "/sell/form?category=",
                "list",
                database.read(Places::categories));
    }

    private Reply form(Visit visit) throws SQLException {
        long id = visit.id("category");
        gate.member(visit);
        Named category = database.find(c -> Places.category(c, id));
        if (category == null) {
            throw new Sorry(404, "There is no such category.");
        }
        return Reply.shown("sellform", "category", category);
    }

    private Reply store(Visit visit) throws SQLException {
        long seller = gate.member(visit);
        Offer offer = offer(visit);
        long id =
                database.write(
                        c -> {
                            if (Places.category(c, offer.category()) == null) {
                                throw new Sorry(404, "There is no such category.");
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

    private static Offer offer(Visit visit) {
        var offer =
                new Offer(
                        visit.text("name", NAME_MAX),
                        visit.text("description", DESCRIPTION_MAX),
                        visit.money("initialPrice"),
                        visit.moneyIfAny("reservePrice"),
                        visit.moneyIfAny("buyNow"),
                        visit.count("days", 1, DAYS_MAX),
                        visit.count("quantity", 1, Trading.QUANTITY_MAX),
                        visit.id("category"));
        if (offer.reservePrice() != 0 && offer.reservePrice() < offer.initialPrice()) {
            throw new Sorry(400, "The reserve is below the price that you begin with.");
        }
        if (offer.buyNow() != 0 && offer.buyNow() < offer.initialPrice()) {
            throw new Sorry(400, "Buying at once is cheaper than the price that you begin with.");
        }
        return offer;
    }
}
