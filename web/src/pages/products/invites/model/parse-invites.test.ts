import { describe, expect, it } from 'vitest';
import { toExactJson } from '../../../../base/exact-json.ts';
import { SOL_MINT } from '../../../../base/mints.ts';
import { parseInvites } from './parse-invites.ts';

describe('parseInvites', () => {
  it('reads an invite of SOL that can be claimed', () => {
    expect(parse({ action: 'created' })).toMatchObject({
      amount: 100_000_000n,
      mint: SOL_MINT,
      state: 'can be claimed',
      isOpen: true,
      expiresAt: Date.UTC(2026, 11, 6),
      end: null,
    });
  });

  it.each([
    ['claimed', 'claimed', 'END'],
    ['clawback', 'taken back', 'END'],
    ['expired', 'expired', null],
    ['expired', 'expired and returned', 'END'],
    ['odd', 'odd', null],
  ])('says how one ended: %s', (action, state, deletion_tx) => {
    expect(parse({ action, deletion_tx })).toMatchObject({ state, isOpen: false });
  });

  it('leaves out what is no invite', () => {
    expect(parseInvites(toExactJson({ invites: [null, {}, 'x'] }))).toEqual([]);
  });
});

function parse(changes: object) {
  const invite = {
    invite_pda: 'INVITE',
    amount: '100000000',
    mint: null,
    expiry: '2026-12-06T00:00:00.000Z',
    creation_tx: 'BEGIN',
    deletion_tx: null,
    ...changes,
  };
  return parseInvites(toExactJson({ invites: [invite] }))[0];
}
