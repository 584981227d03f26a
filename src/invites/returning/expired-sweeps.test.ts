import { describe, expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import { ExpiredSweeps } from './expired-sweeps.ts';
import { isDueAgain } from './retry-ages.ts';

const invite = toAddress(new Uint8Array(32).fill(9));

describe('isDueAgain', () => {
  it('is so whenever the age has doubled, and then once an hour', () => {
    const due: number[] = [];
    for (let age = 0; age <= 13_000; age++) if (isDueAgain(BigInt(age - 1), BigInt(age))) due.push(age);
    expect(due).toEqual([8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 12_288]);
  });

  it('is so once for looks that are far apart, and for one that had not expired before', () => {
    expect([isDueAgain(-50n, 7n), isDueAgain(-50n, 8n), isDueAgain(-1n, 1_000_000n)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('ExpiredSweeps', () => {
  it('passes over fresh invites once, and over those that are left again from the beginning', () => {
    const sweeps = new ExpiredSweeps();
    sweeps.begin(1_000n);
    for (const lane of ['fresh', 'again'] as const) {
      sweeps.moveOn(lane, { expiresAt: 990n, invite });
      sweeps.noteEnd(lane);
    }
    expect([sweeps.getPlace('fresh'), sweeps.getPlace('again')]).toEqual([{ expiresAt: 990n, invite }, null]);
  });

  it('misses no invite that was due while a sweep of many took its time', () => {
    const sweeps = new ExpiredSweeps();
    const sender = invite;
    sweeps.begin(1_000n);
    sweeps.noteEnd('again');
    sweeps.begin(1_001n);
    // This sweep lasts until second 1,040. An invite at its beginning became due at second 1,016.
    for (let now = 1_002n; now <= 1_040n; now++) {
      sweeps.begin(now);
      sweeps.moveOn('again', { expiresAt: 999n, invite });
    }
    sweeps.noteEnd('again');
    sweeps.begin(1_041n);
    expect(sweeps.isDue('again', { invite, sender, expiresAt: 1_000n })).toBe(true);
    sweeps.noteEnd('again');
    sweeps.begin(1_042n);
    sweeps.noteEnd('again');
    sweeps.begin(1_043n);
    expect(sweeps.isDue('again', { invite, sender, expiresAt: 1_000n })).toBe(false);
  });
});
