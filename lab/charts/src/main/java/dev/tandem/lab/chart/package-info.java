/// Charts as values, and their drawing as SVG: styled by the page around them, so that one drawing
/// is suitable for light, dark and paper.
@NullMarked
package dev.tandem.lab.chart;

import org.jspecify.annotations.NullMarked;
