/// Clients of the papers' shops: the requests for a workload's pages, and the parts of the
/// responses that go into the next request.
@NullMarked
package dev.tandem.lab.shops;

import org.jspecify.annotations.NullMarked;
