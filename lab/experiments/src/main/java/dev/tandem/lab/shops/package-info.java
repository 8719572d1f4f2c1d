/// Visitors of the papers' shops: what a workload's pages are asked for by, and what of the answers
/// goes into the next request.
@NullMarked
package dev.tandem.lab.shops;

import org.jspecify.annotations.NullMarked;
