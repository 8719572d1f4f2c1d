package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// The bookstore in one of the ways in which it is served.
record StoreRival(StoreWay way, Shop shop) implements Rival {

    /// What all of them serve.
    ///
    /// @param url of the database, by JDBC
    /// @param user whom it knows
    /// @param pool connections to it
    /// @param distanceMicros that each statement travels
    record Shop(String url, String user, int pool, int distanceMicros) {}

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
    public List<String> command(RivalPlan plan, Surroundings around) {
        var command = new ArrayList<String>(around.target().words());
        command.addAll(List.of("lab", "store", "--way", way.word()));
        command.addAll(List.of("--listen", "127.0.0.1:" + plan.port()));
        command.addAll(List.of("--database", shop.url, "--database-user", shop.user));
        command.addAll(List.of("--pool", Integer.toString(shop.pool)));
        command.addAll(List.of("--distance", Integer.toString(shop.distanceMicros)));
        int managePort = plan.settings().managePort();
        if (managePort > 0) {
            command.addAll(List.of("--manage", "127.0.0.1:" + managePort, "--manage-trace"));
        }
        return command;
    }
}
