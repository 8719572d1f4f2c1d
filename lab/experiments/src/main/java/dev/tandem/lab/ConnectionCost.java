package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Memory of idle connections: what a server's memory grew by while they were opened.
///
/// @param opened number of connections, at least 1
record ConnectionCost(JvmMemory before, JvmMemory after, int opened) {
    private static final int CLASSES_SHOWN = 8;

    double heapBytesEach() {
        return (double) (after.heapBytes() - before.heapBytes()) / opened;
    }

    double residentBytesEach() {
        return (double) (after.residentBytes() - before.residentBytes()) / opened;
    }

    /// The heap of one, by class.
    Chart chart(Caption caption) {
        var groups = new ArrayList<String>();
        var points = new ArrayList<Point>();
        for (var entry : after.growth(before, CLASSES_SHOWN)) {
            points.add(Point.of(groups.size(), (double) entry.getValue() / opened));
            groups.add(entry.getKey().replaceAll("^.*\\.", ""));
        }
        return Bars.of(
                caption,
                groups,
                Axis.linear("heap per connection", "bytes"),
                List.of(new Series("bytes", points)));
    }

    /// The same as a table.
    Table table() {
        var table = new Table("class", "bytes");
        for (var entry : after.growth(before, CLASSES_SHOWN)) {
            table.row(entry.getKey(), Figures.show((double) entry.getValue() / opened, 1));
        }
        return table;
    }

    /// For `result.json`.
    Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("connections", opened);
        map.put("before", before.asMap());
        map.put("after", after.asMap());
        return map;
    }
}
