export type Theme = 'light' | 'dark';

/** The documentation pages read the same key. */
const STORAGE_KEY = 'sluice-theme';

/** Shows the page in the colours that the reader chose on this device, or in those of the system. */
export function applyStoredTheme(): void {
  const stored = readStoredTheme();
  if (stored === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = stored;
}

/** Returns the colours in which the page is shown. */
export function getShownTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Shows the page in a theme, and keeps the choice on this device. */
export function saveTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

function readStoredTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
