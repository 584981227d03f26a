import { expect } from 'vitest';
import type { RefusalCode } from '../../common/refusal.ts';

/** What the result of a refused operation matches; `message` is a part of its sentence, or a pattern. */
export function refusedAs(code: RefusalCode, message: string | RegExp = '') {
  const matching =
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  return { ok: false, error: { code, message: matching } };
}
