import { createHash } from 'node:crypto';
import { createAddressWithSeed, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../testing/random.ts';
import { type Address, toAddress } from './address.ts';
import { isOnCurve } from './curve.ts';
import {
  deriveAssociatedTokenAddress,
  deriveSeededAddress,
  createProgramAddress,
  findProgramAddress,
} from './pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_2022_WRAPPED_SOL_MINT,
  TOKEN_PROGRAM,
} from './program-addresses.ts';
import { sha256 } from './encoding/sha256.ts';

describe('deriveSeededAddress', () => {
  it('agrees with kit', async () => {
    const owner = TOKEN_2022_PROGRAM;
    for (const seed of ['', 'vault', 'sëed', '00112233445566778899aabbccddeeff']) {
      const expected = await createAddressWithSeed({
        baseAddress: TOKEN_PROGRAM,
        seed,
        programAddress: owner,
      });
      expect(deriveSeededAddress(TOKEN_PROGRAM, seed, owner)).toBe(expected);
    }
  });

  it('refuses a seed of more than 32 bytes', () => {
    expect(() => deriveSeededAddress(TOKEN_PROGRAM, 'ë'.repeat(17), TOKEN_PROGRAM)).toThrow(
      'a seed takes at most 32 bytes, got 34',
    );
  });
});

describe('isOnCurve', () => {
  it('agrees with kit on random bytes and at an offset', () => {
    const suite = { cases: 1_000, seed: 25519, against: 'kit' };
    let on = 0;
    assertProperty(
      fc.property(bytes32, fc.nat({ max: 9 }), (bytes, offset) => {
        const padded = new Uint8Array(50);
        padded.set(bytes, offset);
        const expected = !isOffCurveAddress(toAddress(bytes));
        if (expected) on++;
        expect(isOnCurve(padded, offset)).toBe(expected);
      }),
      suite,
    );
    expect(on).toBeGreaterThan(0.3 * countCases(suite));
    expect(on).toBeLessThan(0.7 * countCases(suite));
  });

  it('agrees with kit on small y, on y near the prime, and beyond it', () => {
    for (let i = 0; i < 256; i++) {
      for (const [low, rest, high] of [
        [i, 0, 0],
        [i, 0xff, 0x7f],
        [i, 0, 0x40],
      ] as const) {
        const bytes = new Uint8Array(32).fill(rest, 1, 31);
        bytes[0] = low;
        bytes[31] = high;
        expect(isOnCurve(bytes)).toBe(!isOffCurveAddress(toAddress(bytes)));
      }
    }
  });

  it('accepts a sign bit on x = 0, as the chain does and kit does not', () => {
    const one = new Uint8Array(32);
    one[0] = 1;
    expect(isOnCurve(one)).toBe(true);
    one[31] = 0x80;
    expect(isOnCurve(one)).toBe(true);
  });
});

describe('sha256', () => {
  it('agrees with the streaming hash', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        expect(sha256(data)).toEqual(new Uint8Array(createHash('sha256').update(data).digest()));
      }),
      { cases: 100, seed: 256, against: 'the streaming hash' },
    );
  });
});

describe('findProgramAddress', () => {
  it('agrees with kit on random programs and seeds, cold and cached', async () => {
    await assertProperty(
      fc.asyncProperty(anyAddress, seedsOf(15), async (programAddress, seeds) => {
        const [address, bump] = await getProgramDerivedAddress({ programAddress, seeds });
        for (const _ of ['cold', 'cached']) {
          expect(findProgramAddress(programAddress, seeds)).toEqual({ address, bump });
        }
        expect(createProgramAddress(programAddress, [...seeds, Uint8Array.of(bump)])).toBe(address);
      }),
      { cases: 300, seed: 1, against: 'kit' },
    );
  });

  it('distinguishes preimages that differ only in length', async () => {
    const tail = new Uint8Array(32).fill(3);
    tail[31] = 0;
    const short = toAddress(Uint8Array.of(7, ...tail.subarray(0, 31)));
    const long = toAddress(tail);
    const zeros = (length: number) => [new Uint8Array(length)];
    for (const length of [0, 1, 2, 3, 4, 5, 6, 7]) {
      for (const programAddress of [short, long, SYSTEM_PROGRAM]) {
        const [address] = await getProgramDerivedAddress({ programAddress, seeds: zeros(length) });
        expect(findProgramAddress(programAddress, zeros(length)).address).toBe(address);
      }
    }
  });

  it('throws for too many or too long seeds, as the chain does', () => {
    const seeds = (count: number) => Array.from({ length: count }, () => Uint8Array.of(1));
    expect(() => findProgramAddress(TOKEN_PROGRAM, seeds(16))).toThrow('takes at most 15 seeds, got 16');
    expect(() => createProgramAddress(TOKEN_PROGRAM, seeds(17))).toThrow('takes at most 16 seeds, got 17');
    expect(() => findProgramAddress(TOKEN_PROGRAM, [new Uint8Array(33)])).toThrow('at most 32 bytes, got 33');
  });
});

describe('createProgramAddress', () => {
  it('agrees with web3.js, also for seeds whose address is on the curve', () => {
    let onCurve = 0;
    assertProperty(
      fc.property(anyAddress, seedsOf(16), (program, seeds) => {
        let expected: string | null = null;
        try {
          expected = PublicKey.createProgramAddressSync(seeds, new PublicKey(program)).toBase58();
        } catch {
          onCurve++;
        }
        expect(createProgramAddress(program, seeds)).toBe(expected);
      }),
      { cases: 200, seed: 2, against: 'web3.js' },
    );
    expect(onCurve).toBeGreaterThan(50);
  });
});

describe('deriveAssociatedTokenAddress', () => {
  it('agrees with the token client', async () => {
    await assertProperty(
      fc.asyncProperty(
        anyAddress,
        anyAddress,
        fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        async (owner, mint, tokenProgram) => {
          const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
          expect(deriveAssociatedTokenAddress(owner, mint, tokenProgram)).toBe(address);
          expect(deriveAssociatedTokenAddress(owner, mint, tokenProgram)).toBe(address);
        },
      ),
      { cases: 100, seed: 3, against: 'the token client' },
    );
  });

  it('throws for text that is not an address', () => {
    expect(() => deriveAssociatedTokenAddress('?' as Address, TOKEN_PROGRAM, TOKEN_PROGRAM)).toThrow(
      TypeError,
    );
  });
});

it('derives the wrapped-SOL mint of Token-2022', () => {
  expect(findProgramAddress(TOKEN_2022_PROGRAM, [new TextEncoder().encode('native-mint')]).address).toBe(
    TOKEN_2022_WRAPPED_SOL_MINT,
  );
});

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyAddress = bytes32.map((bytes) => toAddress(bytes));
const seedsOf = (maxLength: number) => fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength });
