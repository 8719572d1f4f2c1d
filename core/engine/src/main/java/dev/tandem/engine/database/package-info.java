/// The use of databases by running exchanges, for a wrapped `DataSource`.
@NullMarked
package dev.tandem.engine.database;

import org.jspecify.annotations.NullMarked;
