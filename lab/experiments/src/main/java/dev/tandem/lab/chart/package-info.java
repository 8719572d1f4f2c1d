/// Charts as values, and their drawing as SVG: styled by the page around them, so that one drawing
/// serves light, dark and paper.
@NullMarked
package dev.tandem.lab.chart;

import org.jspecify.annotations.NullMarked;
