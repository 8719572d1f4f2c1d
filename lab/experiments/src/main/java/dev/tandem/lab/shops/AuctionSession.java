package dev.tandem.lab.shops;

import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Use;
import dev.tandem.workloads.PageView;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One session of the auction. As RUBiS' client does, it takes items, members and further pages
/// from the last response, else from earlier ones; categories and regions at random. Confined to
/// one thread at a time.
final class AuctionSession implements Session {
    private static final int CATEGORIES = 20;
    private static final int REGIONS = 62;
    private static final int[] RATINGS = {-5, -3, 0, 3, 5};

    /// Statuses that a shop may send: an auction is over, another user bid more, this member did
    /// not sell that item.
    private static final Set<Integer> STATUSES = Set.of(200, 404, 409);

    /// Requested again with each page, as by RUBiS' client.
    private static final Call PICTURE = Call.get("/gavel.svg").withPage("picture");

    private final Iterator<PageView> views;
    private final RandomGenerator random;
    private final long number;
    private final int user;
    private final AuctionClients clients;
    private Duration offered = Duration.ZERO;

    /// Content of the last page; empty before the first.
    private PageContent shown = new PageContent("");

    private String item;
    private String member;
    private @Nullable String token;
    private boolean isPictureDue;

    AuctionSession(AuctionClients clients, long number, RandomGenerator random) {
        this.clients = clients;
        this.views = clients.way(number, random);
        this.random = random;
        this.number = number;
        this.user = 1 + random.nextInt(clients.users());
        // Until a page has shown one.
        item = "1";
        member = String.valueOf(user);
    }

    @Override
    public @Nullable Step next(List<Reply> replies) {
        if (isPictureDue) {
            isPictureDue = false;
            look(replies.getFirst());
            return Step.of(PICTURE);
        }
        if (!views.hasNext()) {
            clients.ended().accept(offered);
            return null;
        }
        PageView view = views.next();
        isPictureDue = true;
        Duration think = clients.think(view);
        offered = offered.plus(think);
        return Step.inTurn(think, List.of(ask(view.page())));
    }

    private void look(Reply reply) {
        shown = new PageContent(reply.text());
        String form = shown.field("token");
        token = form == null ? token : form;
        item = or(shown.any("/item?id=", random), or(shown.field("item"), item));
        member = or(shown.any("/user?id=", random), or(shown.field("to"), member));
    }

    private Call ask(String page) {
        return switch (page) {
            case "Home" -> get(page, "/");
            case "Register" -> get(page, "/register");
            case "RegisterUser" -> register();
            case "Browse" -> get(page, "/browse");
            case "BrowseCategories" -> get(page, "/categories");
            case "BrowseRegions" -> get(page, "/regions");
            case "BrowseCategoriesInRegion" ->
                    get(page, "/regions/categories?region=" + any(REGIONS));
            case "SearchItemsInCategory" ->
                    get(page, further("/search?", "category=" + any(CATEGORIES)));
            case "SearchItemsInRegion" ->
                    get(
                            page,
                            further(
                                    "/regions/search?",
                                    "region=" + any(REGIONS) + "&category=" + any(CATEGORIES)));
            case "ViewItem" -> get(page, "/item?id=" + item);
            case "ViewUserInfo" -> get(page, "/user?id=" + member);
            case "ViewBidHistory" -> get(page, "/item/bids?item=" + item);
            default -> askToTrade(page);
        };
    }

    private Call askToTrade(String page) {
        return switch (page) {
            case "BuyNowAuth" -> get(page, "/buy/sign-in?item=" + item);
            case "BuyNow" -> signIn(page, "/buy", "item", item);
            case "StoreBuyNow" -> buy();
            case "PutBidAuth" -> get(page, "/bid/sign-in?item=" + item);
            case "PutBid" -> signIn(page, "/bid", "item", item);
            case "StoreBid" -> bid();
            case "PutCommentAuth" -> get(page, commentAt("/comment/sign-in"));
            case "PutComment" -> comment();
            case "StoreComment" -> storeComment();
            case "Sell" -> get(page, "/sell");
            case "SelectCategoryToSellItem" -> signIn(page, "/sell/category");
            case "SellItemForm" -> get(page, "/sell/form?category=" + any(CATEGORIES));
            case "RegisterItem" -> offer();
            case "AboutMeAuth" -> get(page, "/me/sign-in");
            case "AboutMe" -> signIn(page, "/me");
            default -> throw new IllegalArgumentException("the auction has no page " + page);
        };
    }

    /// Returns one of the links to other pages of a search, if there are any, else the search's
    /// first page.
    private String further(String path, String query) {
        String other = shown.any("page=", random);
        List<String> links = shown.all("href=\"" + path);
        if (other == null || links.isEmpty()) {
            return path + query;
        }
        return path + links.get(random.nextInt(links.size())).replace("&amp;", "&");
    }

    private Call register() {
        String nickname = "v" + number + "x" + random.nextInt(1_000_000);
        return post(
                "RegisterUser",
                "/register/user",
                "firstname",
                "New",
                "lastname",
                "User",
                "nickname",
                nickname,
                "email",
                nickname + "@example.org",
                "password",
                "secret",
                "region",
                any(REGIONS));
    }

    private Call signIn(String page, String path, String... fields) {
        String[] all = new String[fields.length + 4];
        all[0] = "nickname";
        all[1] = "user" + user;
        all[2] = "password";
        all[3] = "password" + user;
        System.arraycopy(fields, 0, all, 4, fields.length);
        return post(page, path, all);
    }

    /// A session that received no form, since the auction is over, requests the item instead.
    private Call bid() {
        String least = shown.field("bid");
        if (least == null) {
            return get("ViewItem", "/item?id=" + item);
        }
        long from = Math.round(Double.parseDouble(least));
        int more = 1 + random.nextInt(10);
        return post(
                "StoreBid",
                "/bid/store",
                "item",
                or(shown.field("item"), item),
                "bid",
                String.valueOf(from + more),
                "maxBid",
                String.valueOf(from + 2L * more),
                "quantity",
                String.valueOf(1 + random.nextInt(shown.most("quantity"))));
    }

    private Call buy() {
        if (shown.field("quantity") == null) {
            return get("ViewItem", "/item?id=" + item);
        }
        return post(
                "StoreBuyNow",
                "/buy/store",
                "item",
                or(shown.field("item"), item),
                "quantity",
                String.valueOf(1 + random.nextInt(shown.most("quantity"))));
    }

    /// RUBiS goes straight from an item to the form; a user without a session here must sign in.
    private Call comment() {
        return token == null
                ? get("PutCommentAuth", commentAt("/comment/sign-in"))
                : signIn("PutComment", "/comment", "item", item, "to", member);
    }

    private Call storeComment() {
        String to = shown.field("to");
        if (to == null || shown.field("rating") == null && !hasCommentForm()) {
            return get("ViewItem", "/item?id=" + item);
        }
        return post(
                "StoreComment",
                "/comment/store",
                "item",
                or(shown.field("item"), item),
                "to",
                to,
                "rating",
                String.valueOf(RATINGS[random.nextInt(RATINGS.length)]),
                "comment",
                "A client's comment, ".repeat(1 + random.nextInt(90)));
    }

    private boolean hasCommentForm() {
        return !shown.all("<textarea name=\"").isEmpty();
    }

    private Call offer() {
        String category = shown.field("category");
        if (category == null) {
            return get("Sell", "/sell");
        }
        long price = 1 + random.nextInt(5_000);
        return post(
                "RegisterItem",
                "/sell/store",
                "name",
                "Thing no. " + number,
                "description",
                "An item that a client sells. ".repeat(1 + random.nextInt(30)),
                "initialPrice",
                String.valueOf(price),
                "reservePrice",
                "",
                "buyNow",
                random.nextInt(10) == 0 ? String.valueOf(price + 500) : "",
                "days",
                String.valueOf(1 + random.nextInt(7)),
                "quantity",
                "1",
                "category",
                category);
    }

    private String commentAt(String path) {
        return path + "?item=" + item + "&to=" + member;
    }

    private String any(int count) {
        return String.valueOf(1 + random.nextInt(count));
    }

    private static String or(@Nullable String found, String otherwise) {
        return found == null ? otherwise : found;
    }

    private static Call get(String page, String target) {
        return checked(page, Call.get(target));
    }

    private Call post(String page, String path, String... fields) {
        String form = Form.of(fields) + "&token=" + or(token, "");
        return checked(
                page, Call.post(path, "application/x-www-form-urlencoded", Form.bytes(form)));
    }

    private static Call checked(String page, Call call) {
        Check check =
                reply ->
                        STATUSES.contains(reply.status())
                                && new PageContent(reply.text()).isWhole(page);
        return call.withPage(page).withUse(Use.BODY).withCheck(check);
    }
}
