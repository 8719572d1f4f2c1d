/// What all workloads are made of: distributions, page graphs, visits.
@NullMarked
package dev.tandem.workloads;

import org.jspecify.annotations.NullMarked;
