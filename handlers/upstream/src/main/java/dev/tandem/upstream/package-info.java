/// Connections to servers behind this one: addresses, pools, balance, health, time-outs.
@NullMarked
package dev.tandem.upstream;

import org.jspecify.annotations.NullMarked;
