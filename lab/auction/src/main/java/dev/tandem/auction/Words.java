package dev.tandem.auction;

import java.util.List;
import java.util.Random;

/// The names and texts of a population.
final class Words {
    /// The categories of the largest auction site on 20 September 2001.
    static final List<String> CATEGORIES =
            List.of(
                    "Antiques & Art",
                    "Books",
                    "Business, Office & Industrial",
                    "Clothing & Accessories",
                    "Coins",
                    "Collectibles",
                    "Computers",
                    "Consumer Electronics",
                    "Dolls & Bears",
                    "Home & Garden",
                    "Jewelry, Gems & Watches",
                    "Movies & DVDs",
                    "Music",
                    "Photo",
                    "Pottery & Glass",
                    "Real Estate",
                    "Sports",
                    "Stamps",
                    "Toys & Hobbies",
                    "Everything Else");

    /// As many as RUBiS has.
    static final List<String> REGIONS = regions();

    static final int[] RATINGS = {-5, -3, 0, 3, 5};

    private static final String[] OPINIONS = {
        "This is a very bad comment. Stay away from this seller!",
        "This is a comment below average. I don't recommend this user.",
        "This is a neutral comment. It is neither good nor bad.",
        "This is a comment above average. You can trust this seller.",
        "This is an excellent comment. Deal with this seller as often as you can."
    };

    private static final List<String> KINDS =
            List.of(
                    "Old",
                    "Fine",
                    "Rare",
                    "Hardly used",
                    "Signed",
                    "Handmade",
                    "Boxed",
                    "Restored");

    private static final List<String> THINGS =
            List.of(
                    "camera",
                    "armchair",
                    "atlas",
                    "clock",
                    "guitar",
                    "lamp",
                    "kettle",
                    "bicycle",
                    "stamp album",
                    "chess set",
                    "radio",
                    "telescope",
                    "teapot",
                    "typewriter",
                    "violin",
                    "model train");

    private static final String SENTENCE =
            "This item is in the state that the picture shows, has been kept in a dry place, and is"
                    + " sent well packed on the day after the auction ends. ";

    private Words() {}

    static String name(Random random, long number) {
        return KINDS.get(random.nextInt(KINDS.size()))
                + " "
                + THINGS.get(random.nextInt(THINGS.size()))
                + " no. "
                + number;
    }

    /// Returns the picture of the thing in an item's name, as a path in the site.
    static String picture(String name) {
        return THINGS.stream()
                .filter(thing -> name.contains(" " + thing + " no. "))
                .findFirst()
                .map(thing -> "pictures/" + thing.replace(' ', '-') + ".svg")
                .orElse("gavel.svg");
    }

    static String description(Random random, int max) {
        return SENTENCE.repeat(max / SENTENCE.length() + 1).substring(0, 1 + random.nextInt(max));
    }

    /// @param kind an index of [#RATINGS]
    static String remark(Random random, int kind, int max) {
        String opinion = OPINIONS[kind];
        String more = (" " + opinion).repeat(random.nextInt(max / opinion.length() + 1));
        return opinion + more;
    }

    private static List<String> regions() {
        String[] lands = {"North", "East", "South", "West", "Upper", "Lower", "Outer", "Inner"};
        String[] places = {
            "Coast", "Valley", "Plains", "Hills", "Lakes", "Harbour", "Forest", "Islands"
        };
        return java.util.stream.IntStream.range(0, 62)
                .mapToObj(i -> lands[i / places.length] + " " + places[i % places.length])
                .toList();
    }
}
