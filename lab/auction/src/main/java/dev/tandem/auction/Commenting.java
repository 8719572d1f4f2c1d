package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Saying something of a seller.
final class Commenting {
    private static final int REMARK_MAX = 2_048;

    private final Database database;
    private final Site.Gate gate;
    private final Clock clock;

    Commenting(Database database, Site.Gate gate, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("PutCommentAuth", "/comment/sign-in", Commenting::signIn),
                Page.both("PutComment", "/comment", this::form),
                Page.post("StoreComment", "/comment/store", this::store));
    }

    private static Reply signIn(Visit visit) {
        return Site.Gate.form(
                "Comment on a seller",
                "/comment",
                List.of(new Named(visit.id("item"), "item"), new Named(visit.id("to"), "to")));
    }

    private Reply form(Visit visit) throws SQLException {
        long itemId = visit.id("item");
        long to = visit.id("to");
        gate.member(visit);
        return database.read(
                c -> {
                    Item item = Items.item(c, itemId);
                    Member member = Members.member(c, to);
                    if (item == null || member == null || item.seller() != to) {
                        throw new Sorry(404, "This member did not sell such an item.");
                    }
                    return Reply.shown("comment", "item", item, "member", member);
                });
    }

    private Reply store(Visit visit) throws SQLException {
        var remark =
                new Members.Remark(
                        gate.member(visit),
                        visit.id("to"),
                        visit.id("item"),
                        visit.count("rating", -5, 5),
                        visit.text("comment", REMARK_MAX));
        if (remark.from() == remark.to()) {
            throw new Sorry(409, "Let others speak of you.");
        }
        database.write(
                c -> {
                    Item item = Items.item(c, remark.item());
                    if (item == null || item.seller() != remark.to()) {
                        throw new Sorry(404, "This member did not sell such an item.");
                    }
                    Members.comment(c, remark, clock.instant());
                    return remark;
                });
        return Reply.shown(
                "done",
                "title",
                "Your comment was added",
                "says",
                "Thank you: others will read it.",
                "item",
                remark.item());
    }
}
