/// Filters in front of handlers: redirects and rewrites, passwords, error pages.
module dev.tandem.filters {
    requires transitive dev.tandem.http;
    requires password4j;
    requires static transitive org.jspecify;

    exports dev.tandem.filters;
}
