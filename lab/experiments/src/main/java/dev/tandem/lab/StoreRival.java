package dev.tandem.lab;

import dev.tandem.lab.store.SimulatedDelays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The bookstore, served in one of the ways.
record StoreRival(ServingMode way, Shop shop) implements Rival {

    /// What all ways have in common.
    ///
    /// @param url of the database, by JDBC
    /// @param user of the database
    /// @param pool size of the connection pool
    /// @param elsewhere simulated delays
    /// @param templates `compiled` or `interpreted`
    record Shop(String url, String user, int pool, SimulatedDelays elsewhere, String templates) {}

    @Override
    public String name() {
        return way.word();
    }

    @Override
    public boolean hasCode() {
        return false;
    }

    @Override
    public String version(Toolbox tools) {
        return "this Tandem, on JDK " + Runtime.version();
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) {
        var command = new ArrayList<String>(environment.target().words());
        command.addAll(List.of("lab", "store", "--way", way.word()));
        command.addAll(List.of("--listen", "127.0.0.1:" + plan.port()));
        command.addAll(List.of("--database", shop.url, "--database-user", shop.user));
        command.addAll(List.of("--pool", Integer.toString(shop.pool)));
        command.addAll(List.of("--distance", micros(shop.elsewhere.statement())));
        command.addAll(List.of("--list", micros(shop.elsewhere.list())));
        command.addAll(List.of("--view", micros(shop.elsewhere.view())));
        command.addAll(List.of("--templates", shop.templates));
        int managePort = plan.settings().managePort();
        if (managePort > 0) {
            command.addAll(List.of("--manage", "127.0.0.1:" + managePort, "--manage-trace"));
        }
        return command;
    }

    private static String micros(Duration time) {
        return Long.toString(TimeUnit.NANOSECONDS.toMicros(time.toNanos()));
    }
}
