/// The figures and tables of the papers that Tandem repeats, and the page that shows both.
@NullMarked
package dev.tandem.lab.papers;

import org.jspecify.annotations.NullMarked;
