import { vi } from 'vitest';

/** A slow machine under load needs many times what a fast one does; a condition that never holds fails all the same. */
export const PATIENCE_MS = 60_000;

const waitFor = vi.waitFor.bind(vi);

// Set up before each test file: `vi.waitFor` gives up after a second by default. `expect.poll` has a setting for it.
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
