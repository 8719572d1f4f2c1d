// Polls once a second while the page is visible, and shows the result. Values are inserted as text:
// clients' input is never markup. Times are the server's own monotonic ones.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const EVERY = 1000; // ms
const EXPLAIN_EVERY = 5; // updates
const RUNNING_SHOWN = 8; // of the oldest requests, unless all are wanted

const lookUp = id => document.getElementById(id);
const charts = new Map();
let recent = []; // of the server's last minutes, the oldest first
let kept = 1; // ms that the samples cover at most
let before = null;
let now = null;
let why = new Map();
let updates = 0;
let isPaused = false;
let areAllShown = false;

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

function sample([at, completed, rejected, p50, p90, p99, active, waiting, running, workers, connections]) {
  return { at, completed, rejected, p50, p90, p99, active, waiting, running, workers, connections };
}

function seconds() {
  return before ? (now.at - before.at) / 1000 : 0;
}

// Rate of a counter per second; null until it was read twice.
function rate(get) {
  return seconds() > 0 ? Math.max(0, (get(now) - get(before)) / seconds()) : null;
}

// ---- Formats.

function number(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x !== 0 && Math.abs(x) < 9.95 && !Number.isInteger(x)) {
    return x.toFixed(Math.abs(x) < 0.995 ? 2 : 1);
  }
  return Math.round(x).toLocaleString('en');
}

// Of three digits at most, for axes: 950, 1.2 k, 100 k, 2.5 M.
function short(x) {
  const rounded = Number(x.toPrecision(3));
  const [divisor, unit] = [[1e9, ' G'], [1e6, ' M'], [1e3, ' k'], [1, '']]
    .find(([least]) => Math.abs(rounded) >= least) ?? [1, ''];
  return `${Number((rounded / divisor).toPrecision(3))}${unit}`;
}

// `us` in microseconds, of three digits.
function time(us) {
  if (us === null || us === undefined || Number.isNaN(us)) return '–';
  const rounded = Number(us.toPrecision(3));
  if (rounded < 1000) return `${rounded} µs`;
  if (rounded < 1e6) return `${rounded / 1000} ms`;
  if (rounded < 120e6) return `${rounded / 1e6} s`;
  return `${number(rounded / 60e6)} min`;
}

function percent(part) {
  return part > 0 && part < 0.01 ? 'under 1 %' : `${number(Math.round(100 * part))} %`;
}

// A long time, as that since the start, in its two largest units.
function duration(ms) {
  const all = Math.max(0, Math.floor(ms / 1000));
  const parts = [[Math.floor(all / 86400), 'd'], [Math.floor(all / 3600) % 24, 'h'],
    [Math.floor(all / 60) % 60, 'min'], [all % 60, 's']];
  const first = parts.findIndex(([count]) => count > 0);
  return parts.slice(first < 0 ? 3 : first).slice(0, 2).map(([n, unit]) => `${n} ${unit}`).join(' ');
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A word that shows its definition under the pointer, and when it has the focus (a tap).
function defined(text, definition) {
  if (!definition) return document.createTextNode(text);
  const made = element('button', text, 'term');
  made.type = 'button';
  made.dataset.definition = definition;
  made.setAttribute('aria-description', definition);
  return made;
}

// Rows of [term, value, definition, class]. A row whose term stays keeps its nodes, and so focus.
function list(into, rows) {
  const terms = rows.map(([term, , definition]) => `${term}\n${definition}`).join('\n');
  if (into.terms !== terms) {
    into.terms = terms;
    into.replaceChildren(...rows.flatMap(([term, , definition, className]) => {
      const name = element('dt', undefined, className);
      name.append(defined(term, definition));
      return [name, element('dd')];
    }));
  }
  const shown = into.querySelectorAll('dd');
  rows.forEach(([, value], i) => { shown[i].textContent = value; });
}

// `heads` are [text, class, definition]; cells have the class of their heading. The heads stay, and
// so the focus of a definition.
function table(into, heads, rows, ifNone) {
  const head = element('tr');
  heads.forEach(([text, className, definition]) => {
    const cell = element('th', undefined, className);
    cell.scope = 'col';
    cell.append(defined(text, definition));
    head.append(cell);
  });
  const body = rows.map(row => {
    const line = element('tr');
    row.forEach((text, i) => line.append(element('td', text, heads[i][1])));
    return line;
  });
  const names = heads.map(([text]) => text).join('\n');
  if (!rows.length) {
    into.replaceChildren(element('caption', ifNone));
  } else if (into.names !== names || !into.tHead) {
    const thead = element('thead');
    thead.append(head);
    into.replaceChildren(thead, element('tbody'));
  }
  into.names = names;
  into.tBodies[0]?.replaceChildren(...body);
}

// Pictures of numbers with a limit. Rows are [term, definition, text, parts, limit]; parts are
// [value, class], drawn from left to right. A row whose term stays keeps its nodes.
function bars(into, rows) {
  const terms = rows.map(([term, definition]) => `${term}\n${definition}`).join('\n');
  if (into.terms !== terms) {
    into.terms = terms;
    into.replaceChildren(...rows.map(([term, definition]) => {
      const row = element('div');
      const line = element('p');
      const name = element('b');
      name.append(defined(term, definition));
      line.append(name, element('span'));
      row.append(line, shape('svg', { role: 'img' }));
      return row;
    }));
  }
  const sum = parts => parts.reduce((all, [v]) => all + v, 0);
  const most = Math.max(1e-9, ...rows.map(([, , , parts, limit]) => Math.max(sum(parts), limit ?? 0)));
  rows.forEach(([term, , text, parts, limit], i) => {
    const row = into.children[i];
    row.querySelector('span').textContent = text;
    const svg = row.querySelector('svg');
    svg.setAttribute('aria-label', `${term}: ${text}`);
    const at = v => `${(100 * v / most).toFixed(2)}%`;
    let from = 0;
    const drawn = parts.map(([v, className]) => {
      const part = shape('rect', { x: at(from), width: at(v), y: 0, height: '100%', class: className });
      from += v;
      return part;
    });
    if (limit) drawn.push(shape('rect', { x: 0, width: at(limit), y: 0, height: '100%', class: 'limit' }));
    svg.replaceChildren(...drawn);
  });
}

// Steps of 1, 2 or 5 times a power of ten, four at most up to `most`. `least` is the finest.
function step(most, least) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const found = [1, 2, 5, 10].map(x => x * power).find(x => most / x <= 4.001);
  return Math.max(least, found);
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([k, v]) => made.setAttribute(k, v));
  if (text !== undefined) made.textContent = text;
  return made;
}

// A line is interrupted where there is no value.
function line(points) {
  let isDown = false;
  return points.map(([x, y]) => {
    const part = y === null ? '' : `${isDown ? 'L' : 'M'}${x.toFixed(1)},${y.toFixed(1)}`;
    isDown = y !== null;
    return part;
  }).join('');
}

const LEFT = 56;
const BELOW = 20;
const ABOVE = 8;

// Draws the samples of the last minutes. `series` are [name, value of a sample];
// while the pointer is on the chart, `show` gets the sample under it, else the last one.
function chart(name, label, least, unit, axis, series, show) {
  const svg = lookUp(`c-${name}`);
  if (!charts.has(name)) {
    charts.set(name, { pointer: null });
    const at = e => { charts.get(name).pointer = e.offsetX; showCharts(); };
    const gone = () => { charts.get(name).pointer = null; showCharts(); };
    svg.addEventListener('pointermove', at);
    svg.addEventListener('pointerdown', at);
    svg.addEventListener('pointerleave', gone);
  }
  const { pointer } = charts.get(name);
  const width = Math.max(160, svg.clientWidth);
  const height = Math.max(100, svg.clientHeight);
  const latest = recent.length ? recent[recent.length - 1].at : 0;
  // Whole minutes: as many as there are samples of.
  const minutes = Math.min(kept / 60000, Math.max(1, Math.ceil((latest - (recent[0]?.at ?? latest)) / 60000)));
  const x = at => LEFT + (width - LEFT - 4) * (1 - (latest - at) / (minutes * 60000));
  const values = recent.flatMap(s => series.map(([, get]) => get(s) ?? 0));
  const highest = Math.max(least, ...values);
  const each = step(highest, least);
  const top = Math.ceil(highest / each - 1e-9) * each;
  const y = v => v === null ? null : ABOVE + (height - ABOVE - BELOW) * (1 - v / top);
  const parts = [];
  for (let v = 0; v <= top * 1.0001; v += each) {
    parts.push(shape('line', { x1: LEFT, x2: width - 4, y1: y(v), y2: y(v), class: 'grid' }));
    parts.push(shape('text', { x: LEFT - 6, y: y(v) + 4, class: 'y' }, axis(v)));
  }
  for (let m = 0; m <= minutes; m++) {
    const at = x(latest - m * 60000);
    parts.push(shape('line', { x1: at, x2: at, y1: height - BELOW, y2: height - BELOW + 4, class: 'grid' }));
    if (width < 480 && m > 0 && (minutes - m) % 2 === 1) continue; // no room
    const where = m === 0 ? 'end' : m === minutes ? 'start' : 'middle';
    parts.push(shape('text', { x: at, y: height - 4, 'text-anchor': where }, m === 0 ? 'now' : `−${m} min`));
  }
  series.forEach(([, get], i) => parts.push(shape('path', {
    d: line(recent.map(s => [x(s.at), y(get(s))])), class: `s${i}`,
  })));
  let shown = recent[recent.length - 1] ?? null;
  if (pointer !== null && shown) {
    shown = recent.reduce((a, b) => Math.abs(x(b.at) - pointer) < Math.abs(x(a.at) - pointer) ? b : a);
    const at = x(shown.at);
    parts.push(shape('line', { x1: at, x2: at, y1: ABOVE, y2: height - BELOW, class: 'pointer' }));
  }
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren(...parts);
  const ago = shown && pointer !== null ? Math.round((latest - shown.at) / 1000) : 0;
  lookUp(`w-${name}`).textContent = pointer === null ? '' : ago ? `${duration(ago * 1000)} ago` : 'now';
  const said = series.map(([s, get]) => `${s} ${unit(shown && get(shown))}`).join(', ');
  svg.setAttribute('aria-label', `${label}, now: ${said}; highest: ${unit(highest)}`);
  show(shown);
}

// ---- Sections.

function reason(...names) {
  for (const name of names) {
    if (why.has(name)) return why.get(name).why;
  }
  return '';
}

const help = name => now.metrics[name]?.help ?? '';

function showRequests() {
  const series = [['completed', s => s.completed], ['rejected', s => s.rejected]];
  chart('requests', 'Requests per second', 1, number, short, series, s => list(lookUp('n-requests'), [
    ['completed per second', number(s?.completed), 'responses sent to their end, without rejections', 's0'],
    ['rejected per second', number(s?.rejected), 'requests that got 503 at once or after waiting, since the server has no capacity for them', 's1'],
    ['active', number(s?.active), help('http_server_active_requests')],
    ['waiting', number(s?.waiting), help('tandem_admission_waiting')],
    ...['capacity', 'demand'].filter(n => why.has(n)).map(n => [n, why.get(n).value, reason(n)]),
  ]));
}

function showLatency() {
  const of = (part, words) => `${words} of the responses of one second were sent within this time, from the end of the request's head; a file in memory counts as no time`;
  const series = [['p50', s => s.p50], ['p90', s => s.p90], ['p99', s => s.p99]];
  chart('latency', 'Latency', 10, time, time, series, s => list(lookUp('n-latency'), [
    ['p50', time(s?.p50), of(50, 'median: half'), 's0'],
    ['p90', time(s?.p90), of(90, '90th percentile: 90 %'), 's1'],
    ['p99', time(s?.p99), of(99, '99th percentile: 99 %'), 's2'],
  ]));
}

function showWorkers() {
  const series = [['running', s => s.running], ['limit', s => s.workers], ['waiting', s => s.waiting]];
  chart('workers', 'Workers', 1, number, short, series, s => list(lookUp('n-workers'), [
    ['running', number(s?.running), reason('running'), 's0'],
    ['limit', number(s?.workers), `requests that may run at once: ${reason('workers')}`, 's1'],
    ['waiting', number(s?.waiting), help('tandem_admission_waiting'), 's2'],
    ['threads', number(value('tandem_worker_threads')), reason('threads')],
    ['detached', number(value('tandem_exchanges_detached')), reason('detached')],
    ['event streams', number(value('tandem_event_streams')), help('tandem_event_streams')],
  ]));
}

function showConnections() {
  const tls = value('tandem_tls_connections');
  const gate = why.get('accept gate');
  const active = s => s && Math.min(s.connections, s.active);
  const series = [['open', s => s.connections], ['active', active]];
  chart('connections', 'Connections', 1, number, short, series, s => list(lookUp('n-connections'), [
    ['open', number(s?.connections), reason('connections'), 's0'],
    ['active', number(active(s)), 'with a request that runs, waits or is detached', 's1'],
    ['idle', number(s && s.connections - active(s)), 'open without a request; a few small objects each, and no thread'],
    ...(tls === null ? [] : [['over TLS', number(tls), help('tandem_tls_connections')]]),
    ['accepting', gate ? (gate.value === 'open' ? 'yes' : 'paused') : '–', gate ? gate.why : ''],
  ]));
}

function showCharts() {
  showRequests();
  showLatency();
  showWorkers();
  showConnections();
}

function showTitle() {
  const up = `up ${duration(now.at - now.started)}`;
  lookUp('title').textContent = [now.host, now.version, up].filter(part => part).join(' · ');
  const sentence = `${now.state.value}: ${now.state.why}`;
  if (lookUp('state').textContent !== sentence) lookUp('state').textContent = sentence;
  lookUp('state').className = now.state.level;
  document.title = `${now.state.value} · ${now.host} · Tandem`;
}

function showLanes() {
  const rows = samples(now, 'tandem_lane_limit').map(s => {
    const lane = s.labels.lane;
    const of = name => value(name, { lane }) ?? 0;
    const [running, waiting] = [of('tandem_lane_running'), of('tandem_lane_waiting')];
    const started = state => samples(state, 'tandem_lane_wait_seconds')
      .find(x => x.suffix === '_count' && x.labels.lane === lane)?.value ?? 0;
    const text = `${number(running)} of ${number(s.value)} running, ${number(waiting)} waiting, ${number(rate(started))}/s`;
    const definition = [`limit: ${reason(`${lane}.limit`)}`, `wait: ${reason(`${lane}.wait`)}`]
      .filter(line => !line.endsWith(': ')).join('; ');
    return [lane, definition, text, [[running, 's0'], [waiting, 's1']], s.value];
  });
  bars(lookUp('p-lanes'), rows);
}

function showUsed() {
  const words = {
    workers: 'requests that run or wait, by the limit of workers',
    processors: 'processor time that the process uses, by what it may use',
    databases: 'connections of the most used database that are taken or waited for',
    handshakes: 'TLS handshakes, by the time that they may use',
  };
  const rows = samples(now, 'tandem_admission_utilization_part').map(s => {
    const resource = s.labels.resource;
    const text = percent(s.value);
    return [resource, words[resource] ?? '', text,
      [[Math.min(1, s.value), 's0'], [Math.max(0, s.value - 1), 's1']], 1];
  });
  bars(lookUp('p-used'), rows);
}

function showRejected() {
  const counts = samples(now, 'tandem_requests_rejected_total').map(s => {
    const name = s.labels.reason;
    return [name.replaceAll('_', ' '), s.value, reason(`rejected.${name}`)];
  });
  const all = counts.reduce((sum, [, n]) => sum + n, 0);
  const seen = state => samples(state, 'tandem_requests_rejected_total').reduce((sum, s) => sum + s.value, 0);
  bars(lookUp('p-rejected'), [['rejected', 'requests that got 503 since the start, by reason', `${number(all)}, ${number(rate(seen))}/s`,
    counts.map(([, n], i) => [n, `s${i % 4}`]), null]]);
  const rows = counts.map(([name, n, definition]) => [name, number(n), definition]);
  rows.push(['cancelled', number(value('tandem_requests_cancelled_total')), reason('cancelled')]);
  list(lookUp('n-rejected'), rows);
}

function showSessions() {
  const of = name => value(`tandem_sessions_${name}_total`) ?? 0;
  const [started, finished, abandoned] = [of('started'), of('finished'), of('abandoned')];
  const open = Math.max(0, started - finished - abandoned);
  bars(lookUp('p-sessions'), [['since the start', 'a session is a client\'s run of requests, by cookie or connection',
    `${number(started)} sessions`, [[finished, 's2'], [open, 's0'], [abandoned, 's1']], null]]);
  const known = 'tandem_sessions_known';
  list(lookUp('n-sessions'), [
    ['finished', number(finished), help('tandem_sessions_finished_total'), 's2'],
    ['open', number(open), 'sessions whose client may send another request', 's0'],
    ['abandoned', number(abandoned), help('tandem_sessions_abandoned_total'), 's1'],
    ['known by a cookie', number(value(known)), reason('session.known') || help(known)],
    ...[['session.live', 'live'], ['session.gap', 'time between requests']].filter(([n]) => why.has(n))
      .map(([n, word]) => [word, why.get(n).value, reason(n)]),
  ]);
}

// Everything without a section of its own, by the first word of its name: TLS, a page cache, a pool.
const HAS_SECTION = /^(http_server_|tandem_(lane|workers?|requests|sessions|connections|exchanges|accept|admission|event_streams|tls_connections)_?)/;

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

// Requests without a route, and those of routes beyond the counted ones, have the metrics' names.
function routeName({ method, route }) {
  if (route === '') return 'no route (404, malformed and the like)';
  if (route === '_OTHER') return 'all other routes';
  return `${method === '_OTHER' ? 'other method' : method} ${route}`;
}

function showRoutes() {
  const rows = now.routes.map(r => {
    const same = x => x.method === r.method && x.route === r.route;
    const last = before?.routes.find(same);
    const each = last && seconds() > 0 ? (r.count - last.count) / seconds() : null;
    const lately = last && r.count > last.count
      ? (r.seconds - last.seconds) / (r.count - last.count) * 1e6 : null;
    const lane = [`route ${r.method} ${r.route}`, `${r.method} ${r.route}`, `* ${r.route}`]
      .map(name => why.get(name)).find(e => e);
    return [
      routeName(r), number(each), time(lately), time(r.p50), time(r.p90), time(r.p99),
      number(r.count), number(r.failed), lane ? lane.why : '',
    ];
  });
  const heads = [
    ['route', '', 'method and pattern, as the server has it'],
    ['per second', 'number', 'responses of the last second'],
    ['recent mean', 'number', 'mean duration of the last second\'s responses'],
    ['p50', 'number', 'median since the start: half of the responses took less'],
    ['p90', 'number', '90 % of the responses since the start took less'],
    ['p99', 'number', '99 % of the responses since the start took less'],
    ['responses', 'number', 'since the start, rejections included'],
    ['5xx', 'number', 'of these, with status 500 and above, rejections included'],
    ['why this lane', 'why'],
  ];
  // A column that is empty in every row is none.
  const isEmpty = rows.every(row => row[row.length - 1] === '');
  table(lookUp('t-routes'), isEmpty ? heads.slice(0, -1) : heads,
    isEmpty ? rows.map(row => row.slice(0, -1)) : rows, 'no requests yet');
}

function showRunning() {
  const shown = areAllShown ? now.running : now.running.slice(0, RUNNING_SHOWN);
  const rows = shown.map(r => [
    time(r.age), r.step, r.doing, `${r.method} ${r.path}`,
    r.stream ? `${r.protocol} stream ${r.stream}` : r.protocol, r.route, r.thread,
  ]);
  const more = now.runningCount - rows.length;
  if (more > 0) rows.push(['', '', '', `and ${more} younger ones`, '', '', '']);
  lookUp('more').hidden = now.running.length <= RUNNING_SHOWN;
  lookUp('more').textContent = areAllShown ? `Show ${RUNNING_SHOWN}` : `Show ${now.running.length}`;
  table(lookUp('t-running'), [
    ['age', 'number', 'since its handler began'],
    ['step', '', 'HANDLE: its handler runs; WRITE: its response is being sent'],
    ['its thread', '', 'what the thread does now'],
    ['request'], ['protocol'], ['route'], ['thread'],
  ], rows, 'nothing runs now');
}

// A table for each section: few hundred rows at most.
function showWhy() {
  const sections = new Map();
  [...why.values()].slice(0, 200).forEach(e => {
    if (e.section) sections.set(e.section, [...(sections.get(e.section) ?? []), e]);
  });
  lookUp('why').replaceChildren(...[...sections].flatMap(([section, rows]) => {
    const made = element('table');
    const words = element('h3', section);
    words.id = `h-why-${section.replaceAll(/\W/g, '-')}`;
    made.setAttribute('aria-labelledby', words.id);
    table(made, [['name'], ['value', 'number'], ['why', 'why']],
      rows.map(e => [e.name, e.value, e.why]), '');
    return [words, made];
  }));
}

function show() {
  showTitle();
  showCharts();
  showLanes();
  showUsed();
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
    const last = recent.length && now?.started === state.started ? recent[recent.length - 1].at : null;
    const added = await load(`/console/history${last === null ? '' : `?after=${last}`}`, 'application/json');
    if (updates % EXPLAIN_EVERY === 0) {
      const all = await load('/explain', 'application/json');
      why = new Map(all.map(e => [e.name, e]));
      showWhy();
    }
    updates++;
    const isSame = now && state.started === now.started;
    if (!isSame || state.at > now.at) before = isSame ? now : null; // else it is another run of the server
    kept = added.every * added.max;
    recent = [...(last === null ? [] : recent), ...added.samples.map(sample)].slice(-added.max);
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
lookUp('more').addEventListener('click', () => {
  areAllShown = !areAllShown;
  lookUp('more').setAttribute('aria-pressed', areAllShown);
  if (now) showRunning();
});
addEventListener('resize', () => { if (now) showCharts(); });
repeat();
