/// Charts as SVG, with the data behind them as tables.
module dev.tandem.lab.chart {
    requires static transitive org.jspecify;

    exports dev.tandem.lab.chart;
}
