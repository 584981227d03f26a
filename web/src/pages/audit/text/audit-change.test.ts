import { describe, expect, it } from 'vitest';
import { compareAuditSides, describeAuditValue } from './audit-change.ts';

describe('compareAuditSides', () => {
  it('says what a change set, took away and replaced, and leaves out what stayed', () => {
    const before = { products: 'swap', expiresAt: null, main: 60, rules: ['a'] };
    const after = { products: null, expiresAt: 1_790_000_000_000, main: 60, rules: ['a', 'b'] };
    expect(compareAuditSides(before, after)).toEqual({
      shown: [
        { name: 'products', before: 'swap', after: 'not set' },
        { name: 'expiresAt', before: 'not set', after: '2026-09-21 14:13:20 UTC' },
        { name: 'rules', before: 'a', after: 'a, b' },
      ],
      more: 0,
    });
  });

  it('shows what was created and deleted by one side alone, and names what is nested', () => {
    expect(compareAuditSides(null, { plan: 'free' }).shown).toEqual([
      { name: 'plan', before: null, after: 'free' },
    ]);
    const deleted = { plan: 'pro', teams: { web: { keys: ['one'], rules: [] } }, members: {} };
    expect(compareAuditSides(deleted, null).shown).toEqual([
      { name: 'plan', before: 'pro', after: null },
      { name: 'teams.web.keys', before: 'one', after: null },
      { name: 'teams.web.rules', before: 'none', after: null },
      { name: 'members', before: 'nothing', after: null },
    ]);
    expect(compareAuditSides(null, {}).shown).toEqual([]);
    expect(compareAuditSides(null, null).shown).toEqual([]);
  });

  it('is bounded, whatever the entry holds', () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key ${index}`, index]));
    expect(compareAuditSides(null, wide)).toMatchObject({ more: 470 });
    let deep: unknown = 'end';
    for (let depth = 0; depth < 2_000; depth++) deep = { deep };
    expect(compareAuditSides(null, { deep }).shown).toHaveLength(1);
    expect(describeAuditValue('name', 'x'.repeat(100_000))).toHaveLength(301);
    expect(compareAuditSides({ member: 1 }, 'a text').shown).toHaveLength(1);
  });
});
