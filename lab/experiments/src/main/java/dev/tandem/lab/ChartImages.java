package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Drawing;
import dev.tandem.lab.chart.Markup;
import dev.tandem.lab.chart.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Charts as PNG files, light and at twice their size, drawn by the machine's browser.
///
/// @param tools finds the browser
record ChartImages(Toolbox tools) {
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome");

    private static final int LIMIT_SECONDS = 60;
    private static final int WIDTH = 896;

    /// Height above and below a drawing with its caption, in pixels.
    private static final int ASIDE = 110;

    /// @throws LabException if there is no browser
    Path browser() throws LabException {
        for (String name : BROWSERS) {
            Path file = tools.find(name);
            if (file != null) {
                return file;
            }
        }
        throw new LabException("--png needs chromium: apt-get install chromium");
    }

    /// Writes one next to each CSV file.
    ///
    /// @throws LabException if one cannot be written
    void write(Report report, Path folder) throws LabException {
        Path browser = browser();
        Path temporary = null;
        try {
            temporary = Files.createTempDirectory("tandem-lab-");
            for (var file : report.files().entrySet()) {
                Path page = temporary.resolve("chart.html");
                Files.writeString(page, page(file.getValue()));
                Path picture = folder.resolve(file.getKey().replaceAll("csv$", "png"));
                int height = ASIDE + Drawing.height(file.getValue(), Size.WIDE);
                List<String> command = command(browser, temporary, height, picture);
                String said = Toolbox.output(LIMIT_SECONDS, command);
                if (!Files.isRegularFile(picture)) {
                    throw new LabException(browser + " painted nothing: " + lastLine(said));
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot write a picture: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while pictures were drawn");
        } finally {
            remove(temporary);
        }
    }

    private static String page(Chart chart) {
        Markup page = PageParts.begin(chart.caption().title());
        page.open("figure").open("figcaption").element("h2", chart.caption().title());
        page.element("p", chart.caption().shows()).close();
        page.add(Drawing.of(chart, Size.WIDE)).close();
        return PageParts.end(page);
    }

    private static List<String> command(Path browser, Path temporary, int height, Path picture) {
        var command = new ArrayList<>(List.of(browser.toString(), "--headless", "--disable-gpu"));
        if ("root".equals(System.getProperty("user.name"))) {
            // Its sandbox does not work for root; the page has neither scripts nor addresses.
            command.add("--no-sandbox");
        }
        command.add("--hide-scrollbars");
        command.add("--no-first-run");
        command.add("--disable-background-networking");
        command.add("--user-data-dir=" + temporary.resolve("profile"));
        command.add("--force-device-scale-factor=2");
        command.add("--window-size=" + WIDTH + "," + height);
        command.add("--screenshot=" + picture.toAbsolutePath());
        command.add(temporary.resolve("chart.html").toUri().toString());
        return command;
    }

    private static String lastLine(String said) {
        return said.strip().lines().reduce("no output", (_, line) -> line);
    }

    private static void remove(@Nullable Path temporary) {
        if (temporary != null) {
            new WorkFolder(temporary).close();
        }
    }
}
