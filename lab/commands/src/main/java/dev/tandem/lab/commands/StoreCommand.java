package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.lab.ServingMode;
import dev.tandem.lab.StoreTarget;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// The bookstore, served in the ways that the lab compares.
final class StoreCommand {
    private static final Option WAY =
            new Option(
                    "--way",
                    "WAY",
                    ServingMode.TANDEM.word(),
                    "thread-per-request, virtual-threads, five-pools or tandem");
    private static final Option DISTANCE =
            new Option("--distance", "N", "0", "delay of each statement, in microseconds");
    private static final Option LIST =
            new Option("--list", "N", "0", "additional delay if it reads or sorts much");
    private static final Option VIEW =
            new Option("--view", "N", "0", "delay of a view for each KiB, in microseconds");

    private static final Option TEMPLATES =
            new Option(
                    "--templates", "KIND", "compiled", "compiled (JTE), interpreted (FreeMarker)");

    private final ServerStart starter;

    StoreCommand(ServerStart starter) {
        this.starter = starter;
    }

    Command command() {
        return new Command(
                "lab store",
                "",
                "serves the bookstore in one of the compared ways",
                List.of(),
                Option.concat(
                        List.of(Listen.OPTION, WAY, DISTANCE, LIST, VIEW, TEMPLATES),
                        BookstoreDemo.storeOptions(),
                        ManageOptions.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        ServingMode way = way(arguments);
        try (var store =
                StoreTarget.open(
                        way,
                        BookstoreDemo.settings(arguments),
                        new StoreTarget.Costs(
                                micros(arguments, DISTANCE),
                                micros(arguments, LIST),
                                micros(arguments, VIEW),
                                isInterpreted(arguments)))) {
            starter.start(arguments, "is a bookstore, by " + way.label(), store::addTo);
        } catch (IOException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isInterpreted(Arguments arguments) {
        return switch (arguments.value(TEMPLATES)) {
            case "compiled" -> false;
            case "interpreted" -> true;
            default -> throw arguments.usageError("--templates must be compiled or interpreted");
        };
    }

    private static Duration micros(Arguments arguments, Option option) {
        return Duration.of(arguments.number(option), ChronoUnit.MICROS);
    }

    private static ServingMode way(Arguments arguments) {
        try {
            return ServingMode.ofWord(arguments.value(WAY));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--way " + e.getMessage());
        }
    }
}
