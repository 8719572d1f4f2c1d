/// The building blocks of all workloads: distributions, page graphs, sessions of page views.
@NullMarked
package dev.tandem.workloads;

import org.jspecify.annotations.NullMarked;
