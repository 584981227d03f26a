// Sends the forms of the documentation page and shows the answers.

/** Characters of an answer that are shown. A stream goes on, so that its oldest events make room for new ones. */
const MAX_SHOWN = 200_000;
/** The request of each form that still runs. */
const running = new Map();

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, form.querySelector('output'));
  });
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    running.get(form)?.abort();
  });
}

async function send(form, output) {
  running.get(form)?.abort();
  const request = new AbortController();
  running.set(form, request);
  const stop = form.querySelector('[type="reset"]');
  stop.hidden = false;
  // Another request of the form has taken the place, and shows its own answer.
  const isCurrent = () => running.get(form) === request;
  const show = (text) => {
    if (isCurrent()) output.textContent = text;
  };
  show('waiting ...');
  let shown = '';
  try {
    const { url, options } = requestOf(form);
    const response = await fetch(url, { ...options, signal: request.signal });
    const id = response.headers.get('x-api-gateway-request-id');
    const head = `${options.method} ${url}\n${response.status} (request ${id})\n\n`;
    if (isStream(response)) {
      await readStream(response.body, (text) => {
        shown = head + text;
        show(`${shown}\nthe stream is open ...`);
      });
      show(`${shown}\nthe stream has ended`);
    } else show(head + cut(pretty(await response.text())));
  } catch (error) {
    const isStopped = request.signal.aborted;
    show(isStopped ? `${shown}\nstopped` : `${shown}\nno answer: ${error.message}`.trimStart());
  }
  if (!isCurrent()) return;
  running.delete(form);
  stop.hidden = true;
}

/** Server-sent events, or lines of JSON, which come one by one for as long as one reads. */
function isStream(response) {
  return /^(text\/event-stream|application\/x-ndjson)/.test(response.headers.get('content-type') ?? '');
}

/** Calls `show` with what has arrived, each time that more did. */
async function readStream(body, show) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  show(text);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    // Whole lines are left out, so that the first one that is shown can be read.
    if (text.length > MAX_SHOWN) text = text.slice(text.indexOf('\n', text.length - MAX_SHOWN) + 1);
    show(text);
  }
}

function cut(text) {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}\n... (${text.length} characters)`;
}

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const { name, value, dataset } of form.querySelectorAll('input, textarea')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (dataset.in === 'query') query.append(name, value);
    else if (dataset.in === 'header') headers[name] = value;
    else body = value;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  const credential = document.querySelector('#credential');
  const { header, prefix } = credential.dataset;
  if (credential.value !== '') headers[header] = `${prefix}${credential.value.trim()}`;
  const url = query.size === 0 ? path : `${path}?${query}`;
  return { url, options: { method: form.dataset.method, headers, body } };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// A link to an operation, such as one of the search, unfolds it.
function openTarget() {
  const opened = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (opened instanceof HTMLDetailsElement) opened.open = true;
}
openTarget();
addEventListener('hashchange', openTarget);
