/// What an instance reports to load balancers, how it leaves them, and what it shares with the
/// other instances of its fleet; docs/fleet.md says how to set it up.
@NullMarked
package dev.tandem.fleet;

import org.jspecify.annotations.NullMarked;
