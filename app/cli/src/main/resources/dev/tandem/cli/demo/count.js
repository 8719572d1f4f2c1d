'use strict';
// For /assets30: counts what has arrived, and says so in the page's title.
window.loaded = [];
window.addEventListener('load', () => {
  const marks = Array.from(document.querySelectorAll('b'));
  const sheets = marks.filter((mark) => getComputedStyle(mark).zIndex === '7').length;
  const images = Array.from(document.images).filter((image) => image.naturalWidth > 0).length;
  const count = sheets + window.loaded.length + images;
  document.title = `${count} of 30`;
  document.getElementById('count').textContent =
    `${count} of 30: ${sheets} style sheets, ${window.loaded.length} scripts, ${images} images`;
});
