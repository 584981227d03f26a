import { describe, expect, it } from 'vitest';
import { findRepeatPath } from './repeat-path.ts';

describe('findRepeatPath', () => {
  it('joins the path and the query', () => {
    expect(findRepeatPath({ path: '/price/v3', query: 'ids=a' })).toEqual({
      ok: true,
      path: '/price/v3?ids=a',
    });
    expect(findRepeatPath({ path: '/price/v3', query: '' })).toEqual({ ok: true, path: '/price/v3' });
  });

  it.each([
    ['/price/v3', 'api-key=[redacted]'],
    ['/x/[redacted]', ''],
    [`/${'a'.repeat(255)}`, ''],
    ['/price/v3', 'a'.repeat(512)],
    ['*', ''],
    ['http://evil.example/', ''],
    ['javascript:alert(1)', ''],
  ])('refuses %s?%s', (path, query) => {
    expect(findRepeatPath({ path, query }).ok).toBe(false);
  });
});
