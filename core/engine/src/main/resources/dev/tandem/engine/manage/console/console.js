// Polls once a second while the page is visible, and shows the result. Values are inserted as text:
// clients' input is never markup. Times are the server's own monotonic ones.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const EVERY = 1000; // ms
const EXPLAIN_EVERY = 5; // updates
const POINTS = 120; // of a chart: two minutes

const lookUp = id => document.getElementById(id);
const history = {};
let before = null;
let now = null;
let why = new Map();
let updates = 0;
let isPaused = false;

// ---- Data.

function samples(state, name) {
  const metric = state?.metrics[name];
  return metric ? metric.samples : [];
}

function value(name, labels = {}, state = now) {
  const fits = s => Object.entries(labels).every(([k, v]) => s.labels[k] === v);
  const found = samples(state, name).filter(s => s.suffix === '' && fits(s));
  return found.length === 0 ? null : found.reduce((sum, s) => sum + s.value, 0);
}

function seconds() {
  return before ? (now.at - before.at) / 1000 : 0;
}

// Rate of a counter per second; null until it was read twice.
function rate(get) {
  return seconds() > 0 ? Math.max(0, (get(now) - get(before)) / seconds()) : null;
}

const sum = list => list.reduce((a, b) => a + b, 0);

// In microseconds, of the responses between the last two updates.
function percentile(part) {
  if (!before) return null;
  const earlier = new Map(before.durations.map(([bucket, , count]) => [bucket, count]));
  const lately = now.durations.map(([bucket, end, count]) => [end, count - (earlier.get(bucket) ?? 0)]);
  const rank = Math.max(1, Math.ceil(sum(lately.map(([, count]) => count)) * part));
  let seen = 0;
  for (const [end, count] of lately) {
    seen += count;
    if (seen >= rank) return end;
  }
  return null;
}

// ---- Formats.

function number(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x !== 0 && Math.abs(x) < 10 && !Number.isInteger(x)) return x.toFixed(Math.abs(x) < 1 ? 2 : 1);
  return Math.round(x).toLocaleString('en');
}

function time(us) {
  if (us === null || us === undefined) return '–';
  if (us < 1000) return `${number(us)} µs`;
  if (us < 1e6) return `${number(us / 1000)} ms`;
  if (us < 120e6) return `${number(us / 1e6)} s`;
  return `${number(us / 60e6)} min`;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Rows of [term, value, sentence, class]; unchanged nodes are kept.
function list(into, rows) {
  const parts = rows.flatMap(([term, shown, reason, className]) => {
    const all = [element('dt', term, className), element('dd', shown)];
    return reason ? [...all, element('dd', reason, 'why')] : all;
  });
  into.replaceChildren(...parts);
}

// `heads` are [text, class]; cells have the class of their heading.
function table(into, heads, rows, ifNone) {
  const head = element('tr');
  heads.forEach(([text, className]) => {
    const cell = element('th', text, className);
    cell.scope = 'col';
    head.append(cell);
  });
  const body = rows.map(row => {
    const line = element('tr');
    row.forEach((text, i) => line.append(element('td', text, heads[i][1])));
    return line;
  });
  const thead = element('thead');
  thead.append(head);
  const tbody = element('tbody');
  tbody.append(...body);
  into.replaceChildren(...(rows.length ? [thead, tbody] : [element('caption', ifNone)]));
}

function chart(id, label, unit, series) {
  const kept = history[id] ??= series.map(() => []);
  series.forEach((s, i) => {
    kept[i].push(s.value ?? 0);
    if (kept[i].length > POINTS) kept[i].shift();
  });
  const most = Math.max(1e-9, ...kept.flat());
  const svg = lookUp(id);
  svg.setAttribute('viewBox', `0 0 ${POINTS} 100`);
  svg.setAttribute('preserveAspectRatio', 'none');
  const values = series.map(s => `${s.name} ${unit(s.value)}`).join(', ');
  svg.setAttribute('aria-label', `${label}, now: ${values}; maximum of two minutes: ${unit(most)}`);
  const base = document.createElementNS(SVG, 'line');
  Object.entries({ x1: 0, x2: POINTS, y1: 100, y2: 100, class: 'grid' })
    .forEach(([k, v]) => base.setAttribute(k, v));
  svg.replaceChildren(base, ...kept.map((points, i) => {
    const line = document.createElementNS(SVG, 'polyline');
    const from = POINTS - points.length;
    line.setAttribute('points', points.map((p, x) => `${from + x},${100 - 98 * p / most}`).join(' '));
    line.setAttribute('class', `s${i}`);
    return line;
  }));
}

// ---- Sections.

function reason(...names) {
  for (const name of names) {
    if (why.has(name)) return why.get(name).why;
  }
  return '';
}

const help = name => now.metrics[name]?.help ?? '';

function responses(state) {
  return sum(state.durations.map(([, , count]) => count));
}

const rejections = state => value('tandem_requests_rejected_total', {}, state) ?? 0;

function showRequests() {
  const each = rate(responses);
  const rejected = rate(rejections);
  const active = value('http_server_active_requests');
  chart('c-requests', 'Requests a second', number, [
    { name: 'completed', value: each }, { name: 'rejected', value: rejected },
  ]);
  list(lookUp('n-requests'), [
    ['completed a second', number(each), '', 's0'],
    ['rejected a second', number(rejected), '', 's1'],
    ['active', number(active), help('http_server_active_requests')],
    ...['capacity', 'demand'].filter(n => why.has(n)).map(n => [n, why.get(n).value, reason(n)]),
  ]);
}

function showLatency() {
  const parts = [[0.5, 'half within'], [0.9, '90 % within'], [0.99, '99 % within']];
  const series = parts.map(([part, name]) => ({ name, value: percentile(part) }));
  chart('c-latency', 'Latency', time, series);
  const sentence = 'from the head to the end of the response; a file in memory counts as no time';
  list(lookUp('n-latency'), series.map((s, i) =>
    [s.name, time(s.value), i === series.length - 1 ? sentence : '', `s${i}`]));
}

function showWorkers() {
  const running = value('tandem_workers_running');
  const limit = value('tandem_workers_limit');
  chart('c-workers', 'Workers', number, [
    { name: 'running', value: running }, { name: 'limit', value: limit },
  ]);
  list(lookUp('n-workers'), [
    ['running', number(running), reason('running'), 's0'],
    ['limit', number(limit), reason('workers'), 's1'],
    ['threads', number(value('tandem_worker_threads')), reason('threads')],
    ['detached', number(value('tandem_exchanges_detached')), reason('detached')],
    ['event streams', number(value('tandem_event_streams')), help('tandem_event_streams')],
  ]);
}

function showConnections() {
  const open = value('tandem_connections');
  const active = Math.min(open, value('http_server_active_requests') ?? 0);
  const tls = value('tandem_tls_connections');
  chart('c-connections', 'Connections', number, [
    { name: 'open', value: open }, { name: 'active', value: active },
  ]);
  const gate = why.get('accept gate');
  list(lookUp('n-connections'), [
    ['open', number(open), reason('connections'), 's0'],
    ['active', number(active), 'with a request that runs, waits or is detached', 's1'],
    ['idle', number(open - active), 'a few small objects each, and no thread'],
    ...(tls === null ? [] : [['over TLS', number(tls), help('tandem_tls_connections')]]),
    ['accept gate', gate ? gate.value : '–', gate ? gate.why : ''],
  ]);
}

function showLanes() {
  const rows = samples(now, 'tandem_lane_limit').map(s => {
    const lane = s.labels.lane;
    const of = name => number(value(name, { lane }));
    const started = state => samples(state, 'tandem_lane_wait_seconds')
      .find(x => x.suffix === '_count' && x.labels.lane === lane)?.value ?? 0;
    return [
      lane, of('tandem_lane_limit'), of('tandem_lane_running'), of('tandem_lane_waiting'),
      number(rate(started)), reason(`${lane}.limit`), reason(`${lane}.wait`),
    ];
  });
  table(lookUp('t-lanes'), [
    ['lane'], ['limit', 'number'], ['running', 'number'], ['waiting', 'number'],
    ['started a second', 'number'], ['why this limit', 'why'], ['why this wait', 'why'],
  ], rows, 'no lanes: everything runs on the loops');
}

function showRejected() {
  const rows = samples(now, 'tandem_requests_rejected_total').map(s => {
    const name = s.labels.reason;
    return [name.replaceAll('_', ' '), number(s.value), reason(`rejected.${name}`)];
  });
  rows.push(['cancelled', number(value('tandem_requests_cancelled_total')), reason('cancelled')]);
  list(lookUp('n-rejected'), rows);
}

function showSessions() {
  const row = (name, metric, sentence) => [name, number(value(metric)), sentence || help(metric)];
  list(lookUp('n-sessions'), [
    row('started', 'tandem_sessions_started_total'),
    row('finished', 'tandem_sessions_finished_total'),
    row('abandoned', 'tandem_sessions_abandoned_total'),
    row('known by a cookie', 'tandem_sessions_known', reason('session.known')),
  ]);
}

// Everything without a section of its own, by the first word of its name: TLS, a page cache, a pool.
const HAS_SECTION = /^(http_server_|tandem_(lane|workers?|requests|sessions|connections|exchanges|accept|tls_connections)_?)/;

function showFurther() {
  const sections = new Map();
  for (const [name, metric] of Object.entries(now.metrics)) {
    if (HAS_SECTION.test(name)) continue;
    const known = ['page_cache', 'database_pool'].find(s => name.startsWith(`tandem_${s}_`));
    const section = known ?? name.split('_')[1];
    const rows = metric.samples.map(s => {
      const labels = Object.values(s.labels).join(' ');
      const short = name.replace(/^tandem_/, '').replace(`${section}_`, '').replace(/_total$/, '');
      const term = `${short}${s.suffix} ${labels}`.replaceAll('_', ' ');
      return [term, number(s.value), metric.help];
    });
    sections.set(section, [...(sections.get(section) ?? []), ...rows]);
  }
  const titles = { tls: 'TLS', page_cache: 'Page cache', database_pool: 'Database pool' };
  const made = [...sections].filter(([, rows]) => rows.length).map(([section, rows]) => {
    const card = element('section');
    const words = section.replaceAll('_', ' ');
    const title = element('h2', titles[section] ?? words[0].toUpperCase() + words.slice(1));
    title.id = `h-further-${section}`;
    card.setAttribute('aria-labelledby', title.id);
    const numbers = element('dl');
    list(numbers, rows);
    card.append(title, numbers);
    return card;
  });
  lookUp('further').replaceChildren(...made);
}

function showRoutes() {
  const rows = now.routes.map(r => {
    const same = x => x.method === r.method && x.route === r.route;
    const last = before?.routes.find(same);
    const each = last && seconds() > 0 ? (r.count - last.count) / seconds() : null;
    const lately = last && r.count > last.count
      ? (r.seconds - last.seconds) / (r.count - last.count) * 1e6 : null;
    const lane = why.get(`route ${r.method} ${r.route}`) ?? why.get(`${r.method} ${r.route}`);
    return [
      `${r.method} ${r.route || '(none)'}`, number(each), time(lately), time(r.p50), time(r.p99),
      number(r.count), number(r.failed), lane ? lane.why : '',
    ];
  });
  table(lookUp('t-routes'), [
    ['route'], ['a second', 'number'], ['recent mean', 'number'], ['median', 'number'],
    ['99 % within', 'number'], ['responses', 'number'], ['5xx', 'number'], ['why this lane', 'why'],
  ], rows, 'no requests yet');
}

function showRunning() {
  const rows = now.running.map(r => [
    time(r.age), r.step, r.doing, `${r.method} ${r.path}`,
    r.stream ? `${r.protocol} stream ${r.stream}` : r.protocol, r.route, r.thread,
  ]);
  const more = now.runningCount - rows.length;
  if (more > 0) rows.push(['', '', '', `and ${more} younger ones`, '', '', '']);
  table(lookUp('t-running'), [
    ['age', 'number'], ['step'], ['its thread'], ['request'], ['protocol'], ['route'],
    ['thread'],
  ], rows, 'nothing runs now');
}

function showWhy() {
  table(lookUp('t-why'), [['name'], ['value', 'number'], ['why', 'why']],
    [...why.values()].slice(0, 200).map(e => [e.name, e.value, e.why]), 'no explanations yet');
}

function show() {
  showRequests();
  showLatency();
  showWorkers();
  showConnections();
  showLanes();
  showRejected();
  showSessions();
  showFurther();
  showRoutes();
  showRunning();
  document.body.dataset.shown = updates;
}

// ---- Updates.

// Changed only when necessary, since screen readers announce it.
function say(text) {
  if (lookUp('says').textContent !== text) lookUp('says').textContent = text;
}

async function load(path, type) {
  const response = await fetch(path, {
    cache: 'no-store', headers: { Accept: type }, signal: AbortSignal.timeout(10 * EVERY),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

async function update() {
  if (isPaused || document.hidden) return;
  try {
    const state = await load('/console/state', 'application/json');
    if (updates % EXPLAIN_EVERY === 0) {
      const all = await load('/explain', 'application/json');
      why = new Map(all.map(e => [e.name, e]));
      showWhy();
    }
    updates++;
    if (now && state.at === now.at) return; // made for another viewer a moment ago
    const isSame = now && state.at > now.at && responses(state) >= responses(now);
    before = isSame ? now : null; // else it is another run of the server
    now = state;
    document.body.classList.remove('lost');
    say('updates once a second');
    show();
  } catch (e) {
    document.body.classList.add('lost');
    say(`no response (${e.message}); retrying`);
  }
}

async function repeat() {
  await update();
  setTimeout(repeat, EVERY);
}

lookUp('pause').addEventListener('click', () => {
  isPaused = !isPaused;
  lookUp('pause').setAttribute('aria-pressed', isPaused);
  say(isPaused ? 'paused' : 'updates once a second');
});
repeat();
