package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Looking around: categories, regions, searches, items, members, bids.
final class Browsing {
    /// Nobody turns more pages than this.
    private static final int PAGES_MAX = 10_000;

    private final Database database;
    private final Clock clock;

    Browsing(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    List<Page> pages() {
        return List.of(
                Page.get("BrowseCategories", "/categories", this::categories),
                Page.get("SearchItemsInCategory", "/search", this::search),
                Page.get("BrowseRegions", "/regions", this::regions),
                Page.get("BrowseCategoriesInRegion", "/regions/categories", this::inRegion),
                Page.get("SearchItemsInRegion", "/regions/search", this::searchInRegion),
                Page.get("ViewItem", "/item", this::item),
                Page.get("ViewUserInfo", "/user", this::member),
                Page.get("ViewBidHistory", "/item/bids", this::bids));
    }

    private Reply categories(Visit visit) throws SQLException {
        List<Named> list = database.read(Places::categories);
        return Reply.shown(
                "places", "title", "Categories", "to", "/search?category=", "list", list);
    }

    private Reply regions(Visit visit) throws SQLException {
        List<Named> list = database.read(Places::regions);
        return Reply.shown(
                "places", "title", "Regions", "to", "/regions/categories?region=", "list", list);
    }

    private Reply inRegion(Visit visit) throws SQLException {
        long id = visit.id("region");
        return database.read(
                c -> {
                    Named region = Places.region(c, id);
                    if (region == null) {
                        throw new Sorry(404, "There is no such region.");
                    }
                    return Reply.shown(
                            "places",
                            "title",
                            "Categories in " + region.name(),
                            "to",
                            "/regions/search?region=" + id + "&category=",
                            "list",
                            Places.categories(c));
                });
    }

    private Reply search(Visit visit) throws SQLException {
        long category = visit.id("category");
        int page = visit.count("page", 0, PAGES_MAX, 0);
        return database.read(
                c -> {
                    Named found = Places.category(c, category);
                    if (found == null) {
                        throw new Sorry(404, "There is no such category.");
                    }
                    List<Line> lines = Items.inCategory(c, category, page, clock.instant());
                    return results(found.name(), "/search?category=" + category, page, lines);
                });
    }

    private Reply searchInRegion(Visit visit) throws SQLException {
        var search =
                new Items.Search(
                        visit.id("region"),
                        visit.id("category"),
                        visit.count("page", 0, PAGES_MAX, 0));
        return database.read(
                c -> {
                    Named category = Places.category(c, search.category());
                    Named region = Places.region(c, search.region());
                    if (category == null || region == null) {
                        throw new Sorry(404, "There is no such category or region.");
                    }
                    List<Line> lines = Items.inRegion(c, search, clock.instant());
                    String to =
                            "/regions/search?region="
                                    + search.region()
                                    + "&category="
                                    + search.category();
                    String title = category.name() + " in " + region.name();
                    return results(title, to, search.page(), lines);
                });
    }

    private static Reply results(String title, String to, int page, List<Line> lines) {
        boolean hasMore = lines.size() > Items.PAGE;
        return Reply.shown(
                "results",
                "title",
                title,
                "to",
                to,
                "page",
                page,
                "hasMore",
                hasMore,
                "lines",
                hasMore ? lines.subList(0, Items.PAGE) : lines);
    }

    private Reply item(Visit visit) throws SQLException {
        Item item = found(visit.id("id"));
        return Reply.shown("item", "item", item, "isOver", item.isOver(clock.instant()));
    }

    private Item found(long id) throws SQLException {
        Item item = database.find(c -> Items.item(c, id));
        if (item == null) {
            throw new Sorry(404, "There is no such item.");
        }
        return item;
    }

    private Reply member(Visit visit) throws SQLException {
        long id = visit.id("id");
        return database.read(
                c -> {
                    Member member = Members.member(c, id);
                    if (member == null) {
                        throw new Sorry(404, "There is no such member.");
                    }
                    return Reply.shown(
                            "member", "member", member, "comments", Members.commentsOn(c, id));
                });
    }

    private Reply bids(Visit visit) throws SQLException {
        Item item = found(visit.id("item"));
        List<Bid> bids = database.read(c -> Deals.history(c, item.id()));
        return Reply.shown("bids", "item", item, "bids", bids);
    }
}
