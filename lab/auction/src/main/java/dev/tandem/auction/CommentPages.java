package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Writing comments on sellers.
final class CommentPages {
    private static final int REMARK_MAX = 2_048;

    private final Database database;
    private final Site.SignIn gate;
    private final Clock clock;

    CommentPages(Database database, Site.SignIn gate, Clock clock) {
        this.database = database;
        this.gate = gate;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("PutCommentAuth", "/comment/sign-in", CommentPages::signIn),
                Page.both("PutComment", "/comment", this::form),
                Page.post("StoreComment", "/comment/store", this::store));
    }

    private static Reply signIn(PageRequest request) {
        return Site.SignIn.form(
                "Comment on a seller",
                "/comment",
                List.of(new Named(request.id("item"), "item"), new Named(request.id("to"), "to")));
    }

    private Reply form(PageRequest request) throws SQLException {
        long itemId = request.id("item");
        long to = request.id("to");
        gate.member(request);
        return database.read(
                c -> {
                    Item item = Items.item(c, itemId);
                    Member member = Members.member(c, to);
                    if (item == null || member == null || item.seller() != to) {
                        throw new RejectedException(404, "This member did not sell such an item.");
                    }
                    return Reply.shown("comment", "item", item, "member", member);
                });
    }

    private Reply store(PageRequest request) throws SQLException {
        var remark =
                new Members.Remark(
                        gate.member(request),
                        request.id("to"),
                        request.id("item"),
                        request.count("rating", -5, 5),
                        request.text("comment", REMARK_MAX));
        if (remark.from() == remark.to()) {
            throw new RejectedException(409, "Let others speak of you.");
        }
        database.write(
                c -> {
                    Item item = Items.item(c, remark.item());
                    if (item == null || item.seller() != remark.to()) {
                        throw new RejectedException(404, "This member did not sell such an item.");
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
