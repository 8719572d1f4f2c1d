package dev.tandem.cli.serving;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Starts a command's server, and returns when it has been stopped.
///
/// @param lifecycle of the server
public record ServerStart(Terminal terminal, ServerLifecycle lifecycle) {

    /// Adds what is served to a server before it starts.
    @FunctionalInterface
    public interface Routes {
        Tandem addTo(Tandem server);
    }

    /// @param arguments with the options of [Listen#OPTION], [ManageOptions] and [TlsOptions], as
    ///     far as the command has them
    /// @param what the server does, as a phrase
    /// @throws Failure if it cannot be started
    public void start(Arguments arguments, String what, Routes routes) {
        Listen listen = Listen.of(arguments, Listen.OPTION);
        Tandem tandem = Tandem.listen(listen.host(), listen.port());
        ManageOptions.addTo(tandem, arguments);
        routes.addTo(tandem);
        new TlsOptions(terminal).addTo(tandem, arguments);
        try (Server server = tandem.start()) {
            lifecycle.awaitStop(server, () -> printStart(arguments, what, server));
        } catch (OutOfDescriptorsException e) {
            throw Failure.failed(e.getMessage() + "; allow more: ulimit -n 1024");
        } catch (IOException e) {
            throw startFailure(arguments, e);
        }
    }

    private void printStart(Arguments arguments, String what, Server server) {
        new StartMessage(Listen.of(arguments, Listen.OPTION), what).print(terminal, server);
        if (TlsOptions.areIn(arguments)) {
            StartMessage.printTls(terminal, TlsOptions.listen(arguments), server);
        }
    }

    /// Describes why the server that these options describe cannot be started.
    public static Failure startFailure(Arguments arguments, IOException e) {
        if (e.getCause() instanceof TlsConfigException) {
            return Failure.failed(String.valueOf(e.getMessage()));
        }
        return Failure.failed(
                e.getMessage()
                        + "; "
                        + listenOptions(arguments)
                        + " chooses another, port 0 a free one");
    }

    private static String listenOptions(Arguments arguments) {
        var names = new ArrayList<>(List.of(Listen.OPTION.name()));
        Stream.of(ManageOptions.MANAGE, TlsOptions.TLS)
                .filter(arguments::has)
                .forEach(option -> names.add(option.name()));
        return String.join(" or ", names) + " ADDR:PORT";
    }
}
