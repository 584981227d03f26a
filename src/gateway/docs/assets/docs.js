// Sends the forms of the documentation page and shows the answers.

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, form.querySelector('output'));
  });
}

async function send(form, output) {
  output.textContent = 'waiting ...';
  try {
    const { url, options } = requestOf(form);
    const response = await fetch(url, options);
    const id = response.headers.get('x-api-gateway-request-id');
    output.textContent = `${options.method} ${url}\n${response.status} (request ${id})\n\n${pretty(await response.text())}`;
  } catch (error) {
    output.textContent = `no answer: ${error.message}`;
  }
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

const opened = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
if (opened instanceof HTMLDetailsElement) opened.open = true;
