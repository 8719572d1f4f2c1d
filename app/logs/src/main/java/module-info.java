/// The access log and the error log, written by threads other than those of requests.
module dev.tandem.logs {
    requires transitive dev.tandem.engine;
    requires static transitive org.jspecify;

    exports dev.tandem.logs;

    provides System.LoggerFinder with
            dev.tandem.logs.ErrorLog;
}
