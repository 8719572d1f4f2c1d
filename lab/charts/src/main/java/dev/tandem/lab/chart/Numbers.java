package dev.tandem.lab.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/// Numbers formatted for people and for files.
public final class Numbers {
    private static final int SIGNIFICANT = 4;

    private Numbers() {}

    /// Four significant digits, with thousands separators: `12,340`, `1.235`; a dash for NaN.
    public static String show(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        if (number == 0) {
            return "0";
        }
        int whole = (int) Math.floor(Math.log10(Math.abs(number))) + 1;
        int digits = Math.clamp(SIGNIFICANT - whole, 0, 6);
        if (number == Math.rint(number)) {
            digits = 0;
        }
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }

    /// Three significant digits, for limited space: `7.58`, `1,240`; a dash for NaN.
    public static String brief(double number) {
        if (!Double.isFinite(number) || Math.abs(number) >= 1_000 || number == 0) {
            return show(number);
        }
        return plain(number, 3);
    }

    /// For the numbers of one axis, all in the same way: `0.5`, `2,048`, or `5k` and `20k`.
    static List<String> ticks(List<Double> numbers) {
        double greatest = numbers.stream().mapToDouble(Math::abs).max().orElse(0);
        return numbers.stream().map(number -> tick(number, greatest)).toList();
    }

    private static String tick(double number, double greatest) {
        double size = Math.abs(number);
        if (greatest >= 1e6 && size >= 1e6) {
            return plain(number / 1e6) + "M";
        }
        if (greatest >= 10_000 && size >= 1_000) {
            return plain(number / 1e3) + "k";
        }
        boolean isWhole = number == Math.rint(number) && size >= 1_000;
        return isWhole ? show(number) : plain(number);
    }

    /// Three significant digits, for a narrow cell; a dash for NaN.
    static String narrow(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        double size = Math.abs(number);
        return size >= 1_000 ? plain(number / 1e3, 3) + "k" : plain(number, 3);
    }

    /// As many digits as needed, at most nine significant ones.
    static String exact(double number) {
        return plain(number, 9);
    }

    private static String plain(double number) {
        return plain(number, SIGNIFICANT);
    }

    private static String plain(double number, int significant) {
        if (number == 0) {
            return "0";
        }
        return new BigDecimal(number)
                .round(new MathContext(significant))
                .stripTrailingZeros()
                .toPlainString();
    }

    /// A coordinate in a drawing, in pixels.
    static String coordinate(double pixels) {
        return plain(Math.round(pixels * 10) / 10.0, 6);
    }
}
