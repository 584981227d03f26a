import { getBase58Codec, getBase58Encoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import { decodeBase58, decodeBase58Exactly, encodeBase58, encodeBase58At32 } from './base58.ts';

describe('base58', () => {
  for (const length of [32, 64] as const) {
    it(`agrees with kit on ${length} bytes in both directions`, () => {
      assertProperty(
        fc.property(bytesOf(length), (bytes) => {
          const text = kit.decode(bytes);
          expect(encodeBase58(bytes)).toBe(text);
          expect(decodeBase58Exactly(text, length)).toEqual(bytes);
          expect(decodeBase58(text)).toEqual(bytes);
        }),
        { cases: 2_000, seed: SEED, against: 'kit' },
      );
    });

    it(`encodes the largest and smallest ${length} bytes`, () => {
      for (const fill of [0, 255]) {
        const bytes = new Uint8Array(length).fill(fill);
        expect(encodeBase58(bytes)).toBe(kit.decode(bytes));
        expect(decodeBase58Exactly(encodeBase58(bytes), length)).toEqual(bytes);
      }
    });
  }

  it('agrees with kit on any number of bytes', () => {
    assertProperty(
      fc.property(
        fc.nat({ max: 200 }).chain((length) => bytesOf(length)),
        (bytes) => {
          const text = kit.decode(bytes);
          expect(encodeBase58(bytes)).toBe(text);
          expect(decodeBase58(text)).toEqual(bytes);
        },
      ),
      { cases: 1_000, seed: SEED, against: 'kit' },
    );
  });

  it('decodes 32 bytes only from text that encodes exactly 32 bytes', () => {
    const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const texts = fc
      .tuple(fc.nat({ max: 40 }), fc.array(fc.constantFrom(...digits), { maxLength: 46 }))
      .map(([ones, tail]) => '1'.repeat(ones) + tail.join(''));
    const suite = { cases: 3_000, seed: SEED, against: 'kit' };
    let taken = 0;
    assertProperty(
      fc.property(texts, (text) => {
        const expected = kitBytes(text);
        const decoded = decodeBase58Exactly(text, 32);
        if (expected.length === 32) taken++;
        expect(decoded).toEqual(expected.length === 32 ? expected : null);
        expect(decodeBase58(text)).toEqual(expected);
      }),
      suite,
    );
    expect(taken).toBeGreaterThan(countCases(suite) / 150);
  });

  it('returns null for the first number that needs 33 bytes', () => {
    const beyond = new Uint8Array(33);
    beyond[0] = 1;
    expect(decodeBase58Exactly(kit.decode(beyond), 32)).toBeNull();
  });

  it('returns null for a character outside the alphabet, at any position', () => {
    const good = encodeBase58(new Uint8Array(32).fill(7));
    for (const bad of ['0', 'O', 'I', 'l', ' ', '+', 'é', '漢', '\u0000']) {
      for (const at of [0, 20, good.length - 1]) {
        const text = good.slice(0, at) + bad + good.slice(at + 1);
        expect(decodeBase58Exactly(text, 32)).toBeNull();
        expect(decodeBase58(text)).toBeNull();
      }
    }
  });

  it('returns null for text above the length limit', () => {
    expect(decodeBase58('2'.repeat(2048))).not.toBeNull();
    expect(decodeBase58('2'.repeat(2049))).toBeNull();
  });

  it('encodes 32 bytes in the middle of a buffer', () => {
    const buffer = Uint8Array.from({ length: 100 }, (_, i) => (i * 37) & 255);
    expect(encodeBase58At32(buffer, 41)).toBe(kit.decode(buffer.subarray(41, 73)));
  });
});

const SEED = 58;
const kit = getBase58Codec();
/** Kit only reports the number of encoded bytes by decoding the text. */
const kitBytes = (text: string) => new Uint8Array(getBase58Encoder().encode(text));

/** Bytes that begin with zeros, which exercise leading ones and carries. */
const bytesOf = (length: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: length, maxLength: length }), fc.nat({ max: length }), fc.boolean())
    .map(([bytes, zeros, pad]) => (pad ? bytes.fill(0, 0, zeros) : bytes));
