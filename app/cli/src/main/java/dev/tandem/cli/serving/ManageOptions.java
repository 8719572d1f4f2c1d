package dev.tandem.cli.serving;

import dev.tandem.Tandem;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.config.Address;
import dev.tandem.config.TokenFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/// The options of the management address: where it is, and who may use it.
public final class ManageOptions {
    public static final Option MANAGE =
            new Option(
                    "--manage",
                    "ADDR:PORT",
                    "",
                    "address of console, /metrics and more; or unix:/PATH");
    public static final Option OPENLY =
            Option.flag("--manage-openly", "allows other machines to reach that address");
    public static final Option TOKEN =
            new Option(
                    "--manage-token", "FILE", "", "requires the file's first line as token there");
    public static final Option TRACE = Option.flag("--manage-trace", "allows tandem trace there");

    private static final String UNIX = "unix:/";

    private ManageOptions() {}

    public static List<Option> all() {
        return List.of(MANAGE, OPENLY, TOKEN, TRACE);
    }

    /// Returns an option's value: `ADDR:PORT`, or `unix:/PATH` for a Unix-domain socket.
    ///
    /// @throws Failure if it is neither
    public static Address address(Arguments arguments, Option option) {
        String text = arguments.value(option);
        if (text.startsWith(UNIX)) {
            return Address.parse(text);
        }
        Listen at = Listen.of(arguments, option);
        return new Address.Inet(at.host(), at.port());
    }

    /// @throws Failure if a related option is given without the address
    public static boolean areIn(Arguments arguments) {
        if (arguments.has(MANAGE)) {
            return true;
        }
        for (Option option : List.of(OPENLY, TOKEN, TRACE)) {
            if (arguments.has(option)) {
                throw arguments.usageError(option.name() + " needs --manage ADDR:PORT");
            }
        }
        return false;
    }

    /// @throws Failure if other machines could reach it without --manage-openly
    public static Address checked(Arguments arguments) {
        Address at = address(arguments, MANAGE);
        if (at instanceof Address.Inet(String host, int port) && !arguments.has(OPENLY)) {
            var address = new InetSocketAddress(host, port);
            if (!address.isUnresolved() && !address.getAddress().isLoopbackAddress()) {
                throw arguments.usageError(
                        "--manage '"
                                + at
                                + "' can be reached from other machines; use 127.0.0.1, or add"
                                + " --manage-openly");
            }
        }
        return at;
    }

    /// Adds the management address to a server, if it is given.
    public static void addTo(Tandem tandem, Arguments arguments) {
        if (!areIn(arguments)) {
            return;
        }
        if (arguments.has(TRACE)) {
            tandem.manageTraces();
        }
        if (arguments.has(TOKEN)) {
            Path token = arguments.path(TOKEN);
            tandem.manageToken(token(token));
            TokenFile.exposure(token)
                    .ifPresent(warning -> System.err.println("tandem: " + warning));
        }
        Address at = checked(arguments);
        if (at instanceof Address.Unix(Path socket)) {
            tandem.manage(socket);
        } else if (at instanceof Address.Inet(String host, int port)) {
            if (arguments.has(OPENLY)) {
                tandem.manageOpenly(host, port);
            } else {
                tandem.manage(host, port);
            }
        }
    }

    /// @throws Failure if the file has no valid token
    public static String token(Path file) {
        try {
            return TokenFile.read(file);
        } catch (IOException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
    }
}
