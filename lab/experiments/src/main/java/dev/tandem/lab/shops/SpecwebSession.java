package dev.tandem.lab.shops;

import dev.tandem.lab.shops.SpecwebClients.Site;
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

/// One session on a site of SPECweb2005. Confined to one thread at a time.
final class SpecwebSession implements Session {
    /// The benchmark's distance of markers in the padding of a page, in bytes.
    private static final int MARKER_BYTES = 4_096;

    /// Maximum number of attempts at a page, and the pause between them.
    private static final int TRIES_MAX = 4;

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final SpecwebClients clients;
    private final Iterator<PageView> views;
    private final RandomGenerator random;
    private final int user;
    private int check;
    private @Nullable String token;

    /// The page view in progress; null before the first page and when a page is complete.
    private @Nullable PageView view;

    private boolean isMainDue;
    private int triesLeft;
    private long beganNanos;

    SpecwebSession(SpecwebClients clients, long number, RandomGenerator random) {
        this.clients = clients;
        this.views = clients.model().begin(number, random);
        this.random = random;
        this.user = 1 + random.nextInt(clients.users());
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

    /// A rejected client waits for a moment and retries; otherwise the next client would begin
    /// immediately.
    private @Nullable Step again(PageView shown, Call call) {
        clients.quality().failure();
        triesLeft--;
        boolean isLeaving = triesLeft == 0;
        view = isLeaving ? null : shown;
        return isLeaving ? null : Step.inTurn(faster(PAUSE), List.of(call));
    }

    private Duration faster(Duration time) {
        return Duration.ofNanos(Math.round(time.toNanos() / clients.pace()));
    }

    private void look(Reply reply) {
        beganNanos = System.nanoTime() - reply.nanos();
        String form = new PageContent(reply.text()).field("token");
        token = form == null ? token : form;
    }

    private void end(PageView shown, List<Reply> replies) {
        if (!replies.stream().allMatch(Reply::isOk)) {
            clients.quality().failure();
        } else if (shown.page().equals("download")) {
            Reply last = replies.getFirst();
            clients.quality().download(last.length(), last.nanos());
        } else {
            clients.quality().page(System.nanoTime() - beganNanos);
        }
    }

    private List<Call> embedded(List<Fetch> fetches) {
        var calls = new ArrayList<Call>(fetches.size());
        fetches.forEach(fetch -> calls.add(clients.embedded(fetch, random)));
        return calls;
    }

    private Call ask(String page) {
        return switch (clients.site()) {
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
        SpecwebFiles.Download file = clients.files().draw(random);
        return Call.get(Site.SUPPORT.path() + "downloads/" + file.path())
                .withPage(page)
                .withCheck(reply -> reply.status() == 200 && reply.length() == file.bytes());
    }

    private String any(int count) {
        return String.valueOf(1 + random.nextInt(count));
    }

    private String path(String page) {
        return clients.site().path() + page;
    }

    private Call get(String page, String query) {
        return checked(page, Call.get(path(page) + query));
    }

    private Call post(String page, String... fields) {
        String form = Form.of(fields) + "&token=" + (token == null ? "" : token);
        return checked(
                page, Call.post(path(page), "application/x-www-form-urlencoded", Form.bytes(form)));
    }

    /// Checks for the requested page, complete, with all its markers.
    private Call checked(String page, Call call) {
        int padding = clients.model().page(page).paddingBytes();
        String marker = "marker " + (padding - 1) / MARKER_BYTES + "\n";
        Check check =
                reply -> {
                    if (reply.status() != 200 || reply.length() < padding) {
                        return false;
                    }
                    String text = reply.text();
                    return new PageContent(text).isWhole(page)
                            && (padding == 0 || text.contains(marker));
                };
        return call.withPage(page).withUse(Use.BODY).withCheck(check);
    }
}
