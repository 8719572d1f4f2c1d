package dev.tandem.auction;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/// Browsing: categories, regions, searches, items, members, bids.
final class BrowsingPages {
    /// The maximum page number of a list.
    private static final int PAGES_MAX = 10_000;

    private final Database database;
    private final Clock clock;

    BrowsingPages(Database database, Clock clock) {
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

    private Reply categories(PageRequest request) throws SQLException {
        List<Named> list = database.read(Places::categories);
        return Reply.shown(
                "places", "title", "Categories", "to", "/search?category=", "list", list);
    }

    private Reply regions(PageRequest request) throws SQLException {
        List<Named> list = database.read(Places::regions);
        return Reply.shown(
                "places", "title", "Regions", "to", "/regions/categories?region=", "list", list);
    }

    private Reply inRegion(PageRequest request) throws SQLException {
        long id = request.id("region");
        return database.read(
                c -> {
                    Named region = Places.region(c, id);
                    if (region == null) {
                        throw new RejectedException(404, "There is no such region.");
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

    private Reply search(PageRequest request) throws SQLException {
        long category = request.id("category");
        int page = request.count("page", 0, PAGES_MAX, 0);
        return database.read(
                c -> {
                    Named found = Places.category(c, category);
                    if (found == null) {
                        throw new RejectedException(404, "There is no such category.");
                    }
                    List<Line> lines = Items.inCategory(c, category, page, clock.instant());
                    return results(found.name(), "/search?category=" + category, page, lines);
                });
    }

    private Reply searchInRegion(PageRequest request) throws SQLException {
        var search =
                new Items.Search(
                        request.id("region"),
                        request.id("category"),
                        request.count("page", 0, PAGES_MAX, 0));
        return database.read(
                c -> {
                    Named category = Places.category(c, search.category());
                    Named region = Places.region(c, search.region());
                    if (category == null || region == null) {
                        throw new RejectedException(404, "There is no such category or region.");
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

    private Reply item(PageRequest request) throws SQLException {
        Item item = found(request.id("id"));
        return Reply.shown("item", "item", item, "isOver", item.isOver(clock.instant()));
    }

    private Item found(long id) throws SQLException {
        Item item = database.find(c -> Items.item(c, id));
        if (item == null) {
            throw new RejectedException(404, "There is no such item.");
        }
        return item;
    }

    private Reply member(PageRequest request) throws SQLException {
        long id = request.id("id");
        return database.read(
                c -> {
                    Member member = Members.member(c, id);
                    if (member == null) {
                        throw new RejectedException(404, "There is no such member.");
                    }
                    return Reply.shown(
                            "member", "member", member, "comments", Members.commentsOn(c, id));
                });
    }

    private Reply bids(PageRequest request) throws SQLException {
        Item item = found(request.id("item"));
        List<Bid> bids = database.read(c -> Deals.history(c, item.id()));
        return Reply.shown("bids", "item", item, "bids", bids);
    }
}
