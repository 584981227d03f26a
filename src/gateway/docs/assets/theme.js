// Applies the reader's choice of light or dark before the page is painted, and switches it. Loaded in the head, it blocks.
// The portal has the same switch, and shares the choice by the same key.

(() => {
  const KEY = 'sluice-theme';
  const root = document.documentElement;

  /** Returns 'light', 'dark', or null for what the system says. A browser may refuse to store anything. */
  function readChoice() {
    try {
      const choice = localStorage.getItem(KEY);
      return choice === 'light' || choice === 'dark' ? choice : null;
    } catch {
      return null;
    }
  }

  function apply(choice) {
    if (choice === null) delete root.dataset.theme;
    else root.dataset.theme = choice;
  }

  function isDark() {
    return (
      (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
      'dark'
    );
  }

  apply(readChoice());
  // Another tab has switched.
  addEventListener('storage', ({ key }) => {
    if (key === KEY) apply(readChoice());
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('[data-switch-theme]') === null) return;
    const choice = isDark() ? 'light' : 'dark';
    apply(choice);
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // The choice holds for this page only.
    }
  });
})();
