/// The auction site of RUBiS: browse, search, bid, buy, sell, comment, over a relational database.
@NullMarked
package dev.tandem.auction;

import org.jspecify.annotations.NullMarked;
