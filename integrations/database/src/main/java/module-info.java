/// Pages as data, then view: a database connection is held only while data is produced; and the
/// `DataSource` that reports to admission which requests need one.
module dev.tandem.database {
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.admission;
    requires transitive dev.tandem.engine;
    requires transitive com.zaxxer.hikari;
    requires transitive java.sql;
    requires static freemarker;
    requires static gg.jte.runtime;
    requires static thymeleaf;
    requires static transitive org.jspecify;

    exports dev.tandem.database;
}
