/// The bookstore of TPC-W, in handlers that are data, then view.
module dev.tandem.bookstore {
    requires com.zaxxer.hikari;
    requires gg.jte.runtime;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.database;
    requires static transitive org.jspecify;

    exports dev.tandem.bookstore;
}
