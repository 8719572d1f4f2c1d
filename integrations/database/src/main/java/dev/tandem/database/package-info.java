/// Data, then view. [StagedDataSource] reports to admission which routes use the database, so that
/// a request waits for its connection before it has a thread; [Staged] runs handlers that are
/// written as data then view, so that no connection is held while a page is rendered or sent.
@NullMarked
package dev.tandem.database;

import org.jspecify.annotations.NullMarked;
