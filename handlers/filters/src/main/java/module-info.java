/// What stands before handlers: redirects and rewrites, passwords, pages for errors.
module dev.tandem.filters {
    requires transitive dev.tandem.http;
    requires password4j;
    requires static transitive org.jspecify;

    exports dev.tandem.filters;
}
