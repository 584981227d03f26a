// Folds the contents on narrow screens, and copies code and pages.

if (matchMedia('(max-width: 60rem)').matches) document.querySelector('.navigation').open = false;

// The contents are longer than the window, and begin where the page stands in them.
const contents = document.querySelector('.navigation');
const current = contents.querySelector('[aria-current]');
if (current !== null && current.offsetTop > contents.clientHeight)
  contents.scrollTop = current.offsetTop - contents.clientHeight / 2;

const SHOWN_MS = 2000;

/** Copies a text, and says so on the button, also to those who cannot see it. */
async function copy(button, readText) {
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  try {
    await navigator.clipboard.writeText(await readText());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}

// A browser offers its clipboard only to pages on this machine and over TLS.
if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => copy(button, () => block.querySelector('code').textContent));
    block.append(button);
  }
  for (const button of document.querySelectorAll('[data-copy-from]')) {
    button.hidden = false;
    button.setAttribute('aria-live', 'polite');
    const readText = async () => (await fetch(button.dataset.copyFrom)).text();
    button.addEventListener('click', () => copy(button, readText));
  }
}

// The part of the page that is read is marked in the list of its parts.
const parts = [...document.querySelectorAll('.parts a')];
const headings = parts.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
function markPart() {
  const passed = headings.filter((heading) => heading !== null && heading.getBoundingClientRect().top < 120);
  const last = passed.at(-1);
  for (const link of parts) {
    if (last !== undefined && link.hash === `#${last.id}`) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  }
}
if (parts.length > 0) {
  addEventListener('scroll', markPart, { passive: true });
  markPart();
}

// On a narrow screen, the links of the header are wider than it.
const here = document.querySelector('.pages [aria-current]');
if (here !== null) here.closest('ul').scrollLeft = here.offsetLeft - here.closest('ul').offsetLeft;
