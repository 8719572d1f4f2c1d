/// The bookstore, served in the compared ways: a thread for each request, virtual threads, the five
/// pools of a paper, and data then view.
@NullMarked
package dev.tandem.lab.store;

import org.jspecify.annotations.NullMarked;
