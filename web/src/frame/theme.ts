/** How the portal is shown: in the colours of the system, or in those that the reader chose. */
export type Theme = 'system' | 'light' | 'dark';

/** The documentation pages read the same key. */
const STORAGE_KEY = 'sluice-theme';

/** Returns the theme that the reader chose on this device; `system` if none was chosen, or nothing can be stored. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Shows the page in a theme. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Shows the page in a theme, and keeps the choice on this device. */
export function saveTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

/** Returns the theme after `theme` when the reader presses the switch. */
export function getNextTheme(theme: Theme): Theme {
  const order: readonly Theme[] = ['system', 'light', 'dark'];
  return order[(order.indexOf(theme) + 1) % order.length] ?? 'system';
}
