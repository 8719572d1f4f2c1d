package dev.tandem.lab.shops;

import dev.tandem.lab.shops.SpecwebVisitors.Site;
import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Use;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One visitor of a site of SPECweb2005. Confined to one thread at a time.
final class SpecwebVisit implements Session {
    /// The benchmark's distance of markers in what pads a page, in bytes.
    private static final int MARKER_BYTES = 4_096;

    /// How often a page is asked for at most, and how long a visitor waits between.
    private static final int TRIES_MAX = 4;

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final SpecwebVisitors visitors;
    private final Iterator<PageView> views;
    private final RandomGenerator random;
    private final int user;
    private int check;
    private @Nullable String token;

    /// What is under way; null before the first page and when a page is whole.
    private @Nullable PageView view;

    private boolean isMainDue;
    private int triesLeft;
    private long beganNanos;

    SpecwebVisit(SpecwebVisitors visitors, long number, RandomGenerator random) {
        this.visitors = visitors;
        this.views = visitors.model().begin(number, random);
        this.random = random;
        this.user = 1 + random.nextInt(visitors.users());
    }

    @Override
    public @Nullable Step next(List<Reply> replies) {
        PageView shown = view;
        if (shown != null && isMainDue && !replies.getFirst().isOk()) {
            return again(shown, replies.getFirst().call());
        }
        if (shown != null && isMainDue) {
            isMainDue = false;
            look(replies.getFirst());
            if (!shown.embedded().isEmpty()) {
                return Step.parallel(Duration.ZERO, embedded(shown.embedded()));
            }
        }
        if (shown != null) {
            end(shown, replies);
        }
        if (!views.hasNext()) {
            return null;
        }
        PageView next = views.next();
        view = next;
        isMainDue = true;
        triesLeft = TRIES_MAX;
        return Step.inTurn(faster(next.think()), List.of(ask(next.page())));
    }

    /// Who is refused waits for a moment and asks again; else the next visitor would come at
    /// once.
    private @Nullable Step again(PageView shown, Call call) {
        visitors.quality().miss();
        triesLeft--;
        boolean isLeaving = triesLeft == 0;
        view = isLeaving ? null : shown;
        return isLeaving ? null : Step.inTurn(faster(PAUSE), List.of(call));
    }

    private Duration faster(Duration time) {
        return Duration.ofNanos(Math.round(time.toNanos() / visitors.pace()));
    }

    private void look(Reply reply) {
        beganNanos = System.nanoTime() - reply.nanos();
        String form = new Shown(reply.text()).field("token");
        token = form == null ? token : form;
    }

    private void end(PageView shown, List<Reply> replies) {
        if (!replies.stream().allMatch(Reply::isOk)) {
            visitors.quality().miss();
        } else if (shown.page().equals("download")) {
            Reply last = replies.getFirst();
            visitors.quality().download(last.length(), last.nanos());
        } else {
            visitors.quality().page(System.nanoTime() - beganNanos);
        }
    }

    private List<Call> embedded(List<Fetch> fetches) {
        var calls = new ArrayList<Call>(fetches.size());
        fetches.forEach(fetch -> calls.add(visitors.embedded(fetch, random)));
        return calls;
    }

    private Call ask(String page) {
        return switch (visitors.site()) {
            case BANKING -> askBank(page);
            case ECOMMERCE -> askShop(page);
            case SUPPORT -> askSupport(page);
        };
    }

    private Call askBank(String page) {
        return switch (page) {
            case "login" -> login(page);
            case "check_detail_html" -> {
                check = random.nextInt(SpecwebFiles.CHECKS);
                yield get(page, "?check=" + check);
            }
            case "check_image_front" -> picture(page, true);
            case "check_image_back" -> picture(page, false);
            case "payee_info" -> post(page, "payee", "Payee " + any(100), "city", "City");
            case "quick_pay" -> post(page, "payee", "Payee " + any(100), "amount", any(1_000));
            case "post_profile" -> post(page, "street", "Street " + any(100), "telephone", any(99));
            case "post_chk_order" -> post(page, "account", any(9), "design", any(9));
            case "post_fund_xfer" -> post(page, "from", any(9), "to", any(9), "amount", any(500));
            case "logout" -> post(page);
            default -> get(page, "");
        };
    }

    private Call askShop(String page) {
        return switch (page) {
            case "login" -> login(page);
            case "search" -> get(page, "?q=word" + any(1_000));
            case "browse_productline" -> get(page, "?line=" + any(5));
            case "productdetail" -> get(page, "?product=" + any(50));
            case "customize1", "customize2", "customize3" ->
                    get(page, "?product=" + any(50) + "&option=" + any(9));
            case "cart" -> post(page, "product", any(50));
            case "shipping" -> post(page, "address", "Street " + any(100));
            case "billing" -> post(page, "way", any(3));
            case "confirm" -> post(page, "card", "0000 " + any(9_999));
            default -> get(page, "");
        };
    }

    private Call askSupport(String page) {
        return switch (page) {
            case "search" -> get(page, "?q=word" + any(1_000));
            case "product" -> get(page, "?product=" + any(100));
            case "fileCatalog" -> get(page, "?product=" + any(100) + "&system=" + any(9));
            case "file" -> get(page, "?file=" + any(100));
            case "download" -> download(page);
            default -> get(page, "");
        };
    }

    private Call login(String page) {
        return post(page, "user", String.valueOf(user), "password", "password" + user);
    }

    private Call picture(String page, boolean isFront) {
        long bytes = SpecwebFiles.checkBytes(isFront, check);
        return Call.get(path(page) + "?check=" + check)
                .withPage(page)
                .withCheck(reply -> reply.status() == 200 && reply.length() == bytes);
    }

    private Call download(String page) {
        SpecwebFiles.Download file = visitors.files().draw(random);
        return Call.get(Site.SUPPORT.path() + "downloads/" + file.path())
                .withPage(page)
                .withCheck(reply -> reply.status() == 200 && reply.length() == file.bytes());
    }

    private String any(int count) {
        return String.valueOf(1 + random.nextInt(count));
    }

    private String path(String page) {
        return visitors.site().path() + page;
    }

    private Call get(String page, String query) {
        return checked(page, Call.get(path(page) + query));
    }

    private Call post(String page, String... fields) {
        String form = Form.of(fields) + "&token=" + (token == null ? "" : token);
        return checked(
                page, Call.post(path(page), "application/x-www-form-urlencoded", Form.bytes(form)));
    }

    /// The page that was asked for, whole, with all its markers.
    private Call checked(String page, Call call) {
        int padding = visitors.model().page(page).paddingBytes();
        String marker = "marker " + (padding - 1) / MARKER_BYTES + "\n";
        Check check =
                reply -> {
                    if (reply.status() != 200 || reply.length() < padding) {
                        return false;
                    }
                    String text = reply.text();
                    return new Shown(text).isWhole(page) && (padding == 0 || text.contains(marker));
                };
        return call.withPage(page).withUse(Use.BODY).withCheck(check);
    }
}
