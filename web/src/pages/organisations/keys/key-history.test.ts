import { describe, expect, it } from 'vitest';
import { findKeyCreators, type KeyEntry } from './key-history.ts';

describe('findKeyCreators', () => {
  it('follows a key that was renamed, and a name that was used again', () => {
    const creators = findKeyCreators([
      entry('bob', 'created', 'ci'),
      entry('ann', 'renamed', 'ci', 'build server'),
      entry('ann', 'created', 'ci'),
    ]);
    expect([...creators]).toEqual([
      ['acme/web/build server', 'ann'],
      ['acme/web/ci', 'bob'],
    ]);
  });

  it('knows nothing of a key whose creation is not among the entries', () => {
    expect(findKeyCreators([entry('ann', 'renamed', 'old', 'new')]).size).toBe(0);
    expect(findKeyCreators([entry('ann', 'deleted', 'ci'), entry('bob', 'created', 'ci')]).size).toBe(0);
  });
});

function entry(actor: string, event: string, key: string, name: string | null = null): KeyEntry {
  return {
    at: 0,
    actor,
    action: `api_key.${event}`,
    subject: `acme/web/${key}`,
    after: { name },
  };
}
