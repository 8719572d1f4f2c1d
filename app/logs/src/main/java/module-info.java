/// Logs: what was asked and answered, and what went wrong, written off the request path.
module dev.tandem.logs {
    requires transitive dev.tandem.engine;
    requires static transitive org.jspecify;

    exports dev.tandem.logs;

    provides System.LoggerFinder with
            dev.tandem.logs.ErrorLog;
}
