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
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.lab.ShopClients;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// `tandem demo`: runs the auction under Catalina, over an in-memory database, with the console.
///
/// @param stay what happens once the server runs
record AuctionDemo(Terminal terminal, ServerLifecycle stay) {
    private static final Option CLIENTS =
            new Option("--users", "N", "0", "number of emulated RUBiS users, up to 10,000");

    /// The demo always has a management address; this is the default.
    private static final Option MANAGE =
            new Option("--manage", "ADDR:PORT", "127.0.0.1:8090", "address of the console");

    /// Filled in some 200 ms: enough for full pages of every kind.
    private static final int USERS = 500;

    private static final int ITEMS = 500;
    private static final int OLD_ITEMS = 150;

    /// Two rows of the front page: auctions that end soon.
    private static final int ENDING = 8;

    /// System property by which the pages link to the console: see `docs/auction.md`.
    private static final String INSIDE = "auction.inside";

    /// System property with the application's folder; set by tests.
    private static final String PLACE = "tandem.auction";

    /// The name that the auction gives its pool.
    private static final String POOL = "auction";

    Command command() {
        return new Command(
                "demo",
                "",
                "runs an auction, and shows what the server does",
                List.of(
                        "A servlet application over an in-memory database: sign in as user1 with",
                        "password1, up to user500. The console shows what the server does.",
                        "tandem demo files shows uploads, event streams and more instead."),
                Option.concat(List.of(Listen.OPTION, MANAGE, CLIENTS), TlsOptions.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        int clients = arguments.number(CLIENTS);
        if (clients > ShopClients.MOST) {
            throw arguments.usageError(
                    "--users must be 0.." + ShopClients.MOST + ", was " + clients);
        }
        Listen listen = Listen.of(arguments, Listen.OPTION);
        Listen console = Listen.of(arguments, MANAGE);
        settle("auction.users", USERS);
        settle("auction.items", ITEMS);
        settle("auction.olditems", OLD_ITEMS);
        settle("auction.ending", ENDING);
        Consumer<Tandem> tls = new TlsOptions(terminal).listener(arguments);
        Consumer<Tandem> more =
                tandem -> {
                    tls.accept(tandem);
                    tandem.manage(console.host(), console.port());
                    PoolGauges.addTo(tandem, POOL);
                };
        Path place = place();
        CatalinaLog.quieten();
        Applications.disableMBeans();
        try (var shop = new Applications(listen.host(), listen.port())) {
            shop.customizeServer(more).addEmbedded("", place).start();
            serve(shop.server(), arguments, clients);
        } catch (IOException e) {
            throw ServerStart.startFailure(arguments, e);
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

    private void serve(Server server, Arguments arguments, int clients) throws IOException {
        InetSocketAddress at = Objects.requireNonNull(server.managementAddress());
        var inside = new Listen(at.getAddress().getHostAddress(), at.getPort());
        System.setProperty(INSIDE, inside.url(at.getPort()));
        try (var _ = startClients(server, clients)) {
            stay.awaitStop(server, () -> printStart(arguments, server));
        }
    }

    private void printStart(Arguments arguments, Server server) {
        Listen listen = Listen.of(arguments, Listen.OPTION);
        new StartMessage(listen, "is an auction: sign in as user1, password1")
                .print(terminal, server);
        if (TlsOptions.areIn(arguments)) {
            StartMessage.printTls(terminal, TlsOptions.listen(arguments), server);
        }
    }

    private static @Nullable ShopClients startClients(Server server, int clients)
            throws IOException {
        if (clients == 0) {
            return null;
        }
        int users = Integer.getInteger("auction.users", USERS);
        return ShopClients.start("http://127.0.0.1:" + server.port(), clients, users);
    }
}
