package dev.tandem.bookstore;

import java.util.List;
import java.util.random.RandomGenerator;

/// Names and texts of a population.
final class Words {
    static final List<String> SUBJECTS =
            List.of(
                    "ARTS",
                    "BIOGRAPHIES",
                    "BUSINESS",
                    "CHILDREN",
                    "COMPUTERS",
                    "COOKING",
                    "HEALTH",
                    "HISTORY",
                    "HOME",
                    "HUMOR",
                    "LITERATURE",
                    "MYSTERY",
                    "NON-FICTION",
                    "PARENTING",
                    "POLITICS",
                    "REFERENCE",
                    "RELIGION",
                    "ROMANCE",
                    "SELF-HELP",
                    "SCIENCE-NATURE",
                    "SCIENCE-FICTION",
                    "SPORTS",
                    "YOUTH",
                    "TRAVEL");
    static final List<String> BACKINGS =
            List.of("HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION");
    static final List<String> CARDS = List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");
    static final List<String> SHIPPING = List.of("AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL");
    static final List<String> STATES = List.of("PROCESSING", "SHIPPED", "PENDING", "DENIED");

    /// TPC-W has 92.
    static final int COUNTRIES = 92;

    private static final String[] SYLLABLES = {
        "BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"
    };
    private static final String[] PLAIN = {
        "river", "house", "winter", "garden", "letter", "stone", "bridge", "morning", "silver",
        "journey", "window", "harbour", "paper", "summer", "island", "evening", "forest", "mirror"
    };

    private Words() {}

    /// Returns a number in syllables, one for each digit, as TPC-W names customers: 7 digits are 14
    /// letters.
    static String syllables(long number, int digits) {
        var text = new StringBuilder();
        String padded = String.format("%0" + digits + "d", number);
        for (char digit : padded.toCharArray()) {
            text.append(SYLLABLES[digit - '0']);
        }
        return text.toString();
    }

    static String country(int id) {
        return id == 1
                ? "United States"
                : "Country " + syllables(id, 2).toLowerCase(java.util.Locale.ROOT);
    }

    /// @param least and `most`: characters
    static String text(RandomGenerator random, int least, int most) {
        int length = random.nextInt(least, most + 1);
        var text = new StringBuilder(length + 10);
        while (text.length() < length) {
            text.append(PLAIN[random.nextInt(PLAIN.length)]).append(' ');
        }
        return text.substring(0, length).strip();
    }
}
