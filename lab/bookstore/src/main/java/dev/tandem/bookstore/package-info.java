/// The bookstore of TPC-W: 14 interactions over its tables and its population, rendered by
/// templates. [Bookstore] is the entry point; the records are the templates' data.
@NullMarked
package dev.tandem.bookstore;

import org.jspecify.annotations.NullMarked;
