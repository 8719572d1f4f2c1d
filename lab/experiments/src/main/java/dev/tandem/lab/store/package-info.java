/// The bookstore, served in the ways that are compared: a thread for each request, virtual threads,
/// the five pools of a paper, and data then view.
@NullMarked
package dev.tandem.lab.store;

import org.jspecify.annotations.NullMarked;
