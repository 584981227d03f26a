import { describe, expect, it } from 'vitest';
import { createVerdict } from './verdict.ts';
import type { PartView } from './operation-shape.ts';

const STARTED_AT = 1_000;

describe('createVerdict', () => {
  it('says nothing good of an instance of which no part has been checked', () => {
    expect(judge([])).toMatchObject({ tone: 'warning', text: 'No part has been checked', since: STARTED_AT });
  });

  it('says that a part without which it is not ready was not checked', () => {
    const parts = [makePart('rpc'), makePart('keeper', { works: false, optional: true })];
    expect(judge(parts, false)).toMatchObject({ tone: 'warning', text: 'Not every part has been checked' });
  });

  it('says since when everything works', () => {
    const parts = [makePart('rpc', { since: 5_000 }), makePart('valkey')];
    expect(judge(parts)).toEqual({ tone: 'good', text: 'Everything works', since: 5_000, broken: [] });
  });

  it('names what an instance is not ready for want of, and that first', () => {
    const broken = [
      makePart('country database', { works: false, optional: true, since: 2_000 }),
      makePart('rpc', { works: false, since: 4_000 }),
      makePart('valkey', { works: false, since: 3_000 }),
    ];
    const verdict = judge([makePart('database'), ...broken]);
    expect(verdict).toMatchObject({
      tone: 'danger',
      text: 'Not ready: valkey and rpc do not work',
      since: 3_000,
    });
    expect(verdict.broken.map(({ name }) => name)).toEqual(['valkey', 'rpc', 'country database']);
  });

  it('says that requests are served where only optional parts do not work', () => {
    const keeper = makePart('keeper', { works: false, optional: true, since: 2_000 });
    expect(judge([makePart('rpc'), keeper])).toMatchObject({
      tone: 'warning',
      text: 'Requests are served, but keeper does not work',
      since: 2_000,
    });
  });
});

function judge(parts: readonly PartView[], works = parts.every((part) => part.works || part.optional)) {
  const instance = {
    name: 'one',
    version: '1.0.0',
    startedAt: STARTED_AT,
    now: 9_000,
    network: 'embedded',
    isKeeper: true,
    isShared: false,
  };
  return createVerdict({ works, parts, instance });
}

function makePart(name: string, changed: Partial<PartView> = {}): PartView {
  return {
    name,
    works: true,
    optional: false,
    reason: null,
    since: STARTED_AT,
    checkedAt: 8_000,
    tookMs: 1,
    runbook: 'runbooks#sluicepartdown',
    ...changed,
  };
}
