/// The interface of a wrapped `DataSource` to the exchange that uses it.
@NullMarked
package dev.tandem.engine.database;

import org.jspecify.annotations.NullMarked;
