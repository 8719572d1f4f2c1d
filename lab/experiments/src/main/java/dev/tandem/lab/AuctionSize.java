package dev.tandem.lab;

import java.util.List;

/// Size of the auction's database: RUBiS' proportions, but never fewer items than the small
/// population of `docs/auction.md`.
///
/// @param users 100 to 1,000,000
record AuctionSize(int users) {
    /// Searching reads all items of a category, since RUBiS has no index for it: its cost grows
    /// with this, and on two processors the database and the load share one.
    static final Setting USERS =
            new Setting("users", "N", "100000", "2000", "in the database; RUBiS has 1000000");

    private static final int USERS_MIN = 100;

    // RUBiS' own.
    private static final int RUBIS_USERS = 1_000_000;
    private static final int RUBIS_ITEMS = 32_667;
    private static final int RUBIS_OLD_ITEMS = 500_000;

    private static final int ITEMS_MIN = 3_000;
    private static final int OLD_ITEMS_MIN = 2_000;

    static AuctionSize of(Settings settings) {
        return new AuctionSize(settings.number(USERS, USERS_MIN, RUBIS_USERS));
    }

    /// For sale.
    int items() {
        return Math.max(ITEMS_MIN, scaled(RUBIS_ITEMS));
    }

    int oldItems() {
        return Math.max(OLD_ITEMS_MIN, scaled(RUBIS_OLD_ITEMS));
    }

    private int scaled(int all) {
        return (int) Math.rint((double) all * users / RUBIS_USERS);
    }

    /// For the JVM of a server, or of a program that fills its database.
    List<String> flags() {
        return List.of(
                "-Dauction.users=" + users,
                "-Dauction.items=" + items(),
                "-Dauction.olditems=" + oldItems());
    }

    /// What a reader must know of it.
    String note() {
        return "Each database has "
                + Figures.show(users, 0)
                + " users, "
                + Figures.show(items(), 0)
                + " items for sale and "
                + Figures.show(oldItems(), 0)
                + " old ones (RUBiS: "
                + Figures.show(RUBIS_USERS, 0)
                + ", "
                + Figures.show(RUBIS_ITEMS, 0)
                + " and "
                + Figures.show(RUBIS_OLD_ITEMS, 0)
                + "), so a scale of "
                + Figures.show((double) users / RUBIS_USERS, 3)
                + ".";
    }
}
