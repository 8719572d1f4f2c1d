/// What a wrapped `DataSource` tells the server about the exchange that uses it.
@NullMarked
package dev.tandem.engine.database;

import org.jspecify.annotations.NullMarked;
