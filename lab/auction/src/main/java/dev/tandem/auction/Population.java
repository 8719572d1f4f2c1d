package dev.tandem.auction;

/// The size of a new database. RUBiS has 1,000,000 users, 32,667 items for sale, 500,000 or
/// 1,000,000 old ones, and descriptions of 1 to 8,192 characters.
///
/// @param descriptionMax characters
/// @param seed the same seed gives the same population
record Population(int users, int items, int oldItems, int descriptionMax, long seed) {
    /// Filled in a second or two.
    static final Population SMALL = new Population(2_000, 3_000, 2_000, 1_024, 1);
}
