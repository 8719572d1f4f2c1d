/// Connections to upstream servers: addresses, pools, balancing, health, time-outs.
@NullMarked
package dev.tandem.upstream;

import org.jspecify.annotations.NullMarked;
