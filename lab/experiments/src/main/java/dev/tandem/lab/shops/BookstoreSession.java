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
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One browser's session in the bookstore. Confined to one thread at a time.
final class BookstoreSession implements Session {
    private static final String[] SYLLABLES = {
        "BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"
    };
    private static final String[] SUBJECTS = {
        "ARTS",
        "BIOGRAPHIES",
        "BUSINESS",
        "CHILDREN",
        "COMPUTERS",
        "COOKING",
        "HEALTH",
        "HISTORY",
        "HOME",
        "HUMOR",
        "LITERATURE",
        "MYSTERY",
        "NON-FICTION",
        "PARENTING",
        "POLITICS",
        "REFERENCE",
        "RELIGION",
        "ROMANCE",
        "SELF-HELP",
        "SCIENCE-NATURE",
        "SCIENCE-FICTION",
        "SPORTS",
        "YOUTH",
        "TRAVEL"
    };
    private static final String[] TYPES = {"author", "title", "subject"};

    /// Number of items, and of authors, that share a word.
    private static final int SAME = 5;

    private static final int PICTURES_MAX = 16;

    /// Statuses that a store may send: nothing in the cart, nothing ordered yet, no such customer.
    private static final Set<Integer> STATUSES = Set.of(200, 403, 404, 409);

    private final BookstoreClients clients;
    private final Iterator<PageView> views;
    private final RandomGenerator random;
    private final long number;

    /// Of the population; 0 for one that will register.
    private final long customer;

    /// Content of the last page; empty before the first.
    private PageContent shown = new PageContent("");

    private boolean isPageDue;

    BookstoreSession(BookstoreClients clients, long number, RandomGenerator random) {
        this.clients = clients;
        this.views = clients.model().begin(number, random);
        this.random = random;
        this.number = number;
        this.customer = random.nextInt(5) == 0 ? 0 : known(clients.customers(), random);
    }

    /// TPC-W's distribution of customers (NURand): some are frequent.
    static long known(int customers, RandomGenerator random) {
        int a = 1_023;
        for (int most = 10_000; customers >= most && a < 262_143; most *= 4) {
            a = a * 4 + 3;
        }
        long drawn = random.nextInt(a + 1) | 1 + random.nextInt(customers);
        return drawn % customers + 1;
    }

    @Override
    public @Nullable Step next(List<Reply> replies) {
        if (isPageDue) {
            isPageDue = false;
            shown = new PageContent(replies.getFirst().text());
            List<Call> pictures = clients.withPictures() ? pictures() : List.of();
            if (!pictures.isEmpty()) {
                return Step.parallel(Duration.ZERO, pictures);
            }
        }
        if (!views.hasNext()) {
            return null;
        }
        PageView view = views.next();
        isPageDue = true;
        Duration think = Duration.ofNanos(Math.round(view.think().toNanos() / clients.pace()));
        return Step.inTurn(think, List.of(ask(view.page())));
    }

    private List<Call> pictures() {
        return shown.all("<img src=\"").stream()
                .limit(PICTURES_MAX)
                .map(target -> Call.get(target).withPage("picture"))
                .toList();
    }

    private Call ask(String page) {
        return switch (page) {
            case "Home" -> get(page, "/");
            case "New Products" -> get(page, "/new-products?subject=" + any(SUBJECTS));
            case "Best Sellers" -> get(page, "/best-sellers?subject=" + any(SUBJECTS));
            case "Product Detail" -> get(page, "/product?item=" + item());
            case "Search Request" -> get(page, "/search");
            case "Search Results" -> get(page, "/search/results?" + search());
            case "Shopping Cart" -> post(page, "/cart", "item", item());
            case "Customer Registration" -> get(page, "/registration");
            case "Buy Request" -> customer == 0 ? register() : signIn(page, "/buy");
            case "Buy Confirm" -> confirm();
            case "Order Inquiry" -> get(page, "/order");
            case "Order Display" -> signIn(page, "/order/last");
            case "Admin Request" -> get(page, "/admin?item=" + item());
            case "Admin Confirm" -> administer();
            default -> throw new IllegalArgumentException("the store has no page " + page);
        };
    }

    /// Returns an item of the last page, else any.
    private String item() {
        String seen = shown.any("/product?item=", random);
        return seen != null ? seen : String.valueOf(1 + random.nextInt(clients.items()));
    }

    private String search() {
        String type = any(TYPES);
        String text =
                switch (type) {
                    case "author" -> word(1 + random.nextInt(clients.items() / 4) / SAME);
                    case "title" -> word((1 + random.nextInt(clients.items())) / SAME);
                    default -> any(SUBJECTS);
                };
        return "type=" + type + "&text=" + text;
    }

    private static String word(long number) {
        var text = new StringBuilder();
        for (char digit : String.format("%07d", number).toCharArray()) {
            text.append(SYLLABLES[digit - '0']);
        }
        return text.toString();
    }

    private Call signIn(String page, String path) {
        String name = word(customer == 0 ? 1 : customer);
        return post(page, path, "username", name, "password", name.toLowerCase(Locale.ROOT));
    }

    private Call register() {
        return post(
                "Buy Request",
                "/buy",
                "firstname",
                "New",
                "lastname",
                "Customer " + number % 1_000,
                "street1",
                number + " New Street",
                "city",
                "Newtown",
                "zip",
                String.valueOf(10_000 + random.nextInt(90_000)),
                "phone",
                "1234567",
                "email",
                "c" + number + "@example.org",
                "birthdate",
                "1970-01-01");
    }

    /// One in twenty orders goes to another address.
    private Call confirm() {
        String street = random.nextInt(20) == 0 ? number + " Gift Street" : "";
        return post(
                "Buy Confirm",
                "/buy/confirm",
                "card",
                "VISA",
                "number",
                "1234567890123456",
                "name",
                "Customer",
                "expires",
                "2030-01-01",
                "shipping",
                "MAIL",
                "street1",
                street,
                "city",
                "Elsewhere",
                "zip",
                "12345");
    }

    /// The book that the previous form was for.
    private Call administer() {
        String shownItem = shown.field("item");
        String price = (1 + random.nextInt(900)) + ".50";
        return post(
                "Admin Confirm",
                "/admin/confirm",
                "item",
                shownItem == null ? item() : shownItem,
                "cost",
                price);
    }

    private String any(String[] words) {
        return words[random.nextInt(words.length)];
    }

    private static Call get(String page, String target) {
        return checked(page, Call.get(target));
    }

    private static Call post(String page, String path, String... fields) {
        byte[] form = Form.bytes(Form.of(fields));
        return checked(page, Call.post(path, "application/x-www-form-urlencoded", form));
    }

    private static Call checked(String page, Call call) {
        Check check =
                reply ->
                        STATUSES.contains(reply.status())
                                && new PageContent(reply.text()).isWhole(page);
        return call.withPage(page).withUse(Use.BODY).withCheck(check);
    }
}
