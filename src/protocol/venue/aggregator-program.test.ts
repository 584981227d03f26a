import { address, getProgramDerivedAddress } from '@solana/kit';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  AGGREGATOR_PROGRAM,
  DISCRIMINATOR,
  EVENT_AUTHORITY,
  PROGRAM_AUTHORITIES,
  getProgramAuthority,
} from './aggregator-program.ts';

describe('addresses', () => {
  test('the event authority is the PDA of its seed', async () => {
    const [derived] = await getProgramDerivedAddress({
      programAddress: address(AGGREGATOR_PROGRAM),
      seeds: ['__event_authority'],
    });
    expect(EVENT_AUTHORITY).toBe(derived);
  });

  test('each program authority is the PDA of its id', async () => {
    expect(PROGRAM_AUTHORITIES).toHaveLength(16);
    for (const [id, authority] of PROGRAM_AUTHORITIES.entries()) {
      const [derived] = await getProgramDerivedAddress({
        programAddress: address(AGGREGATOR_PROGRAM),
        seeds: ['authority', Uint8Array.of(id)],
      });
      expect(authority, `id ${id}`).toBe(derived);
    }
  });

  test.each([-1, 16, 1.5, Number.NaN])('there is no authority with id %d', (id) => {
    expect(() => getProgramAuthority(id)).toThrow(/0 to 15/);
  });
});

test('discriminators are the first eight bytes of the hash of the instruction names', () => {
  for (const [name, bytes] of Object.entries(DISCRIMINATOR)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const hash = createHash('sha256').update(`global:${snake}`).digest().subarray(0, 8);
    expect(Buffer.from(bytes).toString('hex'), snake).toBe(hash.toString('hex'));
  }
});
