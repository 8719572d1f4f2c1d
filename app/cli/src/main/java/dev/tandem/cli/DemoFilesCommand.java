package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.TlsOptions;
import java.io.IOException;
import java.util.List;

/// `tandem demo files`: the bundled site.
record DemoFilesCommand(ServerStart starter) {

    Command command() {
        return new Command(
                "demo files",
                "",
                "serves a site that shows what handlers can do",
                List.of(),
                Option.concat(List.of(Listen.OPTION), ManageOptions.all(), TlsOptions.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        try (var demo = new DemoSite()) {
            starter.start(arguments, "shows what Tandem can do", demo::addTo);
        } catch (IOException e) {
            throw Failure.failed("cannot unpack the demo's files: " + e.getMessage());
        }
    }
}
