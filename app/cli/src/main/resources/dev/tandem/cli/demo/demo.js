'use strict';
// Shows, below each link and form, the exchange that it makes. Without this script they are
// ordinary links and forms.

const TEXT_MAX = 4000;

// A new one each time: what still comes for the one before is not shown.
function pane(section) {
  section.querySelector('pre.response')?.remove();
  const pre = document.createElement('pre');
  pre.className = 'response';
  pre.setAttribute('aria-live', 'polite');
  section.append(pre);
  return pre;
}

function line(pre, text, isStrong) {
  const part = document.createElement(isStrong ? 'b' : 'span');
  part.textContent = text + '\n';
  pre.append(part);
}

async function show(section, url, options) {
  const pre = pane(section);
  line(pre, `${options.method ?? 'GET'} ${url}`, true);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    line(pre, `${name}: ${value}`);
  }
  line(pre, '');
  try {
    const response = await fetch(url, options);
    if (response.redirected) {
      line(pre, `(redirected to ${new URL(response.url).pathname})`);
    }
    line(pre, `${response.status} ${response.statusText}`, true);
    response.headers.forEach((value, name) => line(pre, `${name}: ${value}`));
    line(pre, '');
    await showBody(pre, response);
  } catch (failure) {
    line(pre, `no response: ${failure.message}`);
  }
}

async function showBody(pre, response) {
  if (!response.body) {
    return;
  }
  const text = document.createTextNode('');
  pre.append(text);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text.appendData(part.value);
    if (text.length > TEXT_MAX) {
      text.data = text.data.slice(0, TEXT_MAX) + ' …';
      await reader.cancel();
      return;
    }
  }
}

async function fields(link) {
  if (link.hasAttribute('data-unchanged')) {
    const head = await fetch(link.href, {method: 'HEAD', cache: 'no-store'});
    return {'If-None-Match': head.headers.get('ETag') ?? '*'};
  }
  const field = link.dataset.field;
  if (!field) {
    return {};
  }
  const colon = field.indexOf(':');
  return {[field.slice(0, colon)]: field.slice(colon + 1).trim()};
}

document.querySelectorAll('a.try').forEach((link) =>
  link.addEventListener('click', async (event) => {
    event.preventDefault();
    const url = link.getAttribute('href');
    show(link.closest('section'), url, {headers: await fields(link), cache: 'no-store'});
  }));

document.querySelectorAll('form').forEach((form) =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const action = form.getAttribute('action');
    const data = new FormData(form);
    if (form.hasAttribute('data-path')) {
      show(form.closest('section'), action + encodeURIComponent(data.get('name')), {});
      return;
    }
    const isFile = form.enctype === 'multipart/form-data';
    const body = isFile ? data : new URLSearchParams(data);
    show(form.closest('section'), action, {method: 'POST', body});
  }));

document.querySelectorAll('a.clock').forEach((link) => {
  let source = null;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    if (source) {
      source.close();
      source = null;
      link.textContent = 'GET /clock';
      return;
    }
    const pre = pane(link.closest('section'));
    source = new EventSource(link.href);
    link.textContent = 'stop';
    source.addEventListener('tick', (tick) => {
      pre.textContent = `event: tick\ndata: ${tick.data}\n`;
    });
    source.addEventListener('error', () => {
      pre.textContent = 'connecting again …';
    });
  });
});
