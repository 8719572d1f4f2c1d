package dev.tandem.lab.commands;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.CatalinaLog;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.StartMessage;
import dev.tandem.lab.ShopVisitors;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// `tandem demo`: the auction under Catalina, over a database in memory, with the console beside
/// it.
///
/// @param stay what happens once the server runs
record AuctionDemo(Terminal terminal, ServerLifecycle stay) {
    private static final Option VISITORS =
            new Option("--visitors", "N", "0", "has so many of RUBiS' visitors come, up to 10,000");

    /// It is a part of the demo: so it has an address where none is told.
    private static final Option MANAGE =
            new Option("--manage", "ADDR:PORT", "127.0.0.1:8090", "where the console is");

    /// Filled in about a second.
    private static final int USERS = 1_000;

    private static final int ITEMS = 1_500;
    private static final int OLD_ITEMS = 500;

    /// Pages link to the console by this: see `docs/auction.md`.
    private static final String INSIDE = "auction.inside";

    /// Where it lies, for tests, which have it elsewhere.
    private static final String PLACE = "tandem.auction";

    /// The name that the auction gives its pool.
    private static final String POOL = "auction";

    Command command() {
        return new Command(
                "demo",
                "",
                "runs an auction, and shows what the server does",
                List.of(
                        "A servlet application over a database in memory: sign in as user1 with",
                        "password1, up to user1000. The console shows what the server does.",
                        "tandem demo files has uploads, event streams and the like in its place."),
                List.of(Listen.OPTION, MANAGE, VISITORS),
                this::run);
    }

    private void run(Arguments arguments) {
        int visitors = arguments.number(VISITORS);
        if (visitors > ShopVisitors.MOST) {
            throw arguments.usageError(
                    "--visitors must be 0.." + ShopVisitors.MOST + ", was " + visitors);
        }
        Listen listen = Listen.of(arguments, Listen.OPTION);
        Listen console = Listen.of(arguments, MANAGE);
        settle("auction.users", USERS);
        settle("auction.items", ITEMS);
        settle("auction.olditems", OLD_ITEMS);
        Consumer<Tandem> more =
                tandem -> {
                    tandem.manage(console.host(), console.port());
                    PoolGauges.addTo(tandem, POOL);
                };
        Path place = place();
        CatalinaLog.quieten();
        try (var shop = new Applications(listen.host(), listen.port())) {
            shop.customizeServer(more).add("", place).start();
            serve(shop.server(), listen, visitors);
        } catch (IOException e) {
            throw ServerStart.startFailure(arguments, e, false);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        } finally {
            System.clearProperty(INSIDE);
        }
    }

    private static Path place() {
        Path built = Path.of(System.getProperty("tandem.home", "."), ".tandem", "apps", "auction");
        Path place = Path.of(System.getProperty(PLACE, built.toString()));
        if (!Files.exists(place)) {
            throw Failure.failed(
                    "there is no " + place + ": start by ./tandem demo, which builds it");
        }
        return place;
    }

    private static void settle(String name, int value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, Integer.toString(value));
        }
    }

    private void serve(Server server, Listen listen, int visitors) throws IOException {
        InetSocketAddress at = Objects.requireNonNull(server.managementAddress());
        var inside = new Listen(at.getAddress().getHostAddress(), at.getPort());
        System.setProperty(INSIDE, inside.url(at.getPort()));
        new StartMessage(listen, "is an auction: sign in as user1, password1")
                .print(terminal, server);
        try (var _ = visitors(server, visitors)) {
            stay.awaitStop(server);
        }
    }

    private static @Nullable ShopVisitors visitors(Server server, int visitors) throws IOException {
        if (visitors == 0) {
            return null;
        }
        int users = Integer.getInteger("auction.users", USERS);
        return ShopVisitors.start("http://127.0.0.1:" + server.port(), visitors, users);
    }
}
