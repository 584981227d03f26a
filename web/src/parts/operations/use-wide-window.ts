import { useSyncExternalStore } from 'react';

/** The same width as in `operations-frame.css`. */
const WIDE = '(min-width: 64rem)';

/** Whether the window has room for a list at the side of the page. */
export function useWideWindow(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => window.matchMedia(WIDE).matches);
}

function subscribeToWidth(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
