'use strict';

// Shows the price of the page's item as it changes: by a WebSocket session, or by server-sent events
// where none can be begun. Each begins with the present state, so nothing is missed in between.
{
  const shown = document.querySelector('[data-live]');
  const address = new URL(shown.dataset.live, location.href);
  const field = document.querySelector('input[name="bid"]');
  let minimum = field === null ? '' : field.value;

  const show = text => {
    if (text === '') {
      return;
    }
    const state = JSON.parse(text);
    for (const element of document.querySelectorAll('[data-shows]')) {
      const value = state[element.dataset.shows];
      if (element.textContent !== value) {
        element.textContent = value;
        element.classList.remove('changed');
        element.getBoundingClientRect(); // so that the animation begins again
        element.classList.add('changed');
      }
    }
    if (field !== null && field.value === minimum) {
      field.value = state.minimum; // unless the bidder has changed it
      minimum = state.minimum;
    }
    if (state.over && document.querySelector('.ways') !== null) {
      location.reload();
    }
  };

  const receiveEvents = () => {
    const events = new EventSource(address); // which reconnects by itself
    events.onmessage = event => show(event.data);
    shown.dataset.by = 'events';
  };

  const openSession = () => {
    const url = new URL(address);
    url.protocol = url.protocol.replace('http', 'ws');
    const session = new WebSocket(url);
    let isOpen = false;
    session.onopen = () => {
      isOpen = true;
      shown.dataset.by = 'session';
    };
    session.onmessage = message => show(message.data);
    session.onclose = closed => {
      if (!isOpen) {
        receiveEvents();
      } else if (closed.code !== 1008) { // there is nothing to watch
        setTimeout(openSession, 2000 + 2000 * Math.random()); // not all pages at once
      }
    };
  };

  if (window.WebSocket) {
    openSession();
  } else {
    receiveEvents();
  }
}
