import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { getTransactionCodec, getTransactionDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../address.ts';
import { compileMessage } from './compile-message.ts';
import { type Keypair, createKeypairFromSeed, signWith } from '../keypair.ts';
import { findProgramAddress } from '../pda.ts';
import { SYSTEM_PROGRAM } from '../program-addresses.ts';
import { parseSignature, encodeSignature, verifySignature } from './signature.ts';
import { createAccount, transferLamports } from '../programs/system.ts';
import {
  addSignatures,
  encodeTransaction,
  isFullySigned,
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  parseTransaction,
  readSentTransaction,
  signTransaction,
  getTransactionSignature,
  computeTransactionSize,
} from './transaction.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

describe('verifySignature', () => {
  it('agrees with an independent Ed25519 on good and altered signatures', () => {
    assertProperty(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat({ max: 63 }),
        fc.integer({ min: 0, max: 255 }),
        (message, at, flip) => {
          const signature = signWith(payer, message).slice();
          signature[at] = (signature[at] ?? 0) ^ flip;
          const expected = ed25519.verify(signature, message, payer.secretKey.subarray(32), {
            zip215: false,
          });
          expect(expected).toBe(flip === 0);
          expect(verifySignature(payer.address, message, signature)).toBe(expected);
        },
      ),
      { cases: 50, seed: 255, examples: [[new Uint8Array(3), 0, 0]], against: 'another Ed25519' },
    );
    expect(verifySignature(other.address, messageBytes, signWith(payer, messageBytes))).toBe(false);
    expect(verifySignature(payer.address, messageBytes, new Uint8Array(63))).toBe(false);
  });

  it('rejects every key of small order, for which anyone can sign', () => {
    const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    const points = Array.from({ length: 8 }, (_, i) =>
      i === 0 ? ed25519.Point.ZERO : torsion.multiplyUnsafe(BigInt(i)),
    );
    const encodings = points.map((point) => point.toBytes());
    // The same points with a y that exceeds the prime, and with a sign bit although x = 0.
    for (const low of [0xed, 0xee]) encodings.push(Uint8Array.of(low, ...new Array(30).fill(0xff), 0x7f));
    for (const bytes of encodings.map((each) => each.slice())) {
      bytes[31] = (bytes[31] ?? 0) ^ 0x80;
      encodings.push(bytes);
    }
    expect(new Set(points.map((point) => point.toHex())).size).toBe(8);
    // With R = 5B and S = 5 the equation holds whenever the hash times the key is the identity.
    const forged = Uint8Array.of(...ed25519.Point.BASE.multiply(5n).toBytes(), 5, ...new Uint8Array(31));
    for (const encoding of encodings) {
      for (let i = 0; i < 16; i++) {
        expect(verifySignature(toAddress(encoding), Uint8Array.of(i), forged)).toBe(false);
      }
    }
  });

  it('rejects a signature whose R is of small order', () => {
    const publicKey = payer.secretKey.subarray(32);
    const R = ed25519.Point.ZERO.toBytes();
    const digest = createHash('sha512').update(R).update(publicKey).update(messageBytes).digest();
    const order = (1n << 252n) + 27742317777372353535851937790883648493n;
    const k = littleEndian(digest) % order;
    let S = (k * ed25519.utils.getExtendedPublicKey(payer.secretKey.subarray(0, 32)).scalar) % order;
    const signature = Uint8Array.of(...R, ...new Uint8Array(32));
    for (let i = 32; i < 64; i++, S >>= 8n) signature[i] = Number(S & 0xffn);
    expect(ed25519.verify(signature, messageBytes, publicKey, { zip215: true })).toBe(true);
    expect(verifySignature(payer.address, messageBytes, signature)).toBe(false);
  });

  it('returns false for addresses that are not keys, such as those of programs', () => {
    for (let i = 0; i < 20; i++) {
      const { address } = findProgramAddress(SYSTEM_PROGRAM, [Uint8Array.of(i)]);
      expect(verifySignature(address, messageBytes, signWith(payer, messageBytes))).toBe(false);
    }
  });

  it('rejects an S beyond the order of the group', () => {
    const order = (1n << 252n) + 27742317777372353535851937790883648493n;
    const signature = Buffer.from(signWith(payer, messageBytes));
    let s = littleEndian(signature.subarray(32)) + order;
    for (let i = 32; i < 64; i++, s >>= 8n) signature[i] = Number(s & 0xffn);
    expect(verifySignature(payer.address, messageBytes, signature)).toBe(false);
  });
});

describe('parseSignature', () => {
  it('reverses signatureFromBytes', () => {
    const signature = signWith(payer, messageBytes);
    const text = encodeSignature(signature);
    expect(parseSignature(text)).toBe(text);
    expect(parseSignature(`${text}zz`)).toBeNull();
    expect(parseSignature(payer.address)).toBeNull();
    expect(() => encodeSignature(new Uint8Array(65))).toThrow('a signature has 64 bytes, got 65');
  });
});

describe('transaction', () => {
  it('round-trips through kit', () => {
    const wire = signTransaction(messageBytes, [other, payer]);
    const theirs = getTransactionDecoder().decode(wire);
    expect(new Uint8Array(theirs.messageBytes)).toEqual(messageBytes);
    expect(Object.keys(theirs.signatures)).toEqual([payer.address, other.address]);
    expect(new Uint8Array(getTransactionCodec().encode(theirs))).toEqual(wire);
    const ours = parseTransaction(wire);
    expect(ours.signatures.map((each) => [...each])).toEqual(
      Object.values(theirs.signatures).map((each) => [...(each ?? [])]),
    );
    expect(ours.message.staticAccounts.slice(0, 2)).toEqual([payer.address, other.address]);
    expect(isFullySigned(ours)).toBe(true);
    expect(getTransactionSignature(ours)).toBe(encodeSignature(signWith(payer, messageBytes)));
    expect(wire.length).toBe(computeTransactionSize(messageBytes.length, 2));
  });

  it('can be signed by one signer after another, as by a taker and a maker', () => {
    const half = parseTransaction(signTransaction(messageBytes, [payer]));
    expect([isSignedBy(half, 0), isSignedBy(half, 1), isFullySigned(half)]).toEqual([true, false, false]);
    expect(isSignedBy(half, 2)).toBe(false);
    const whole = parseTransaction(addSignatures(half, [other]));
    expect(isFullySigned(whole)).toBe(true);
    expect([...(whole.signatures[0] ?? [])]).toEqual([...(half.signatures[0] ?? [])]);
    expect(isFullySigned(half)).toBe(false);
  });

  it('is not fully signed after its message or a signature was altered', () => {
    const wire = signTransaction(messageBytes, [payer, other]);
    for (const at of [1, 70, wire.length - 30]) {
      const altered = wire.slice();
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(isFullySigned(parseTransaction(altered))).toBe(false);
    }
  });

  it('is read as nodes do, without the bytes that follow it, up to the size of a packet', () => {
    const wire = signTransaction(messageBytes, [payer, other]);
    for (const more of [0, 1, MAX_TRANSACTION_BYTES - wire.length]) {
      const sent = Buffer.concat([wire, new Uint8Array(more).fill(7)]);
      const { wire: found, transaction } = readSentTransaction(new Uint8Array(sent));
      expect([...found]).toEqual([...wire]);
      expect([...transaction.messageBytes]).toEqual([...messageBytes]);
      expect(isFullySigned(transaction)).toBe(true);
    }
    const tooLong = new Uint8Array(MAX_TRANSACTION_BYTES + 1);
    tooLong.set(wire);
    expect(() => readSentTransaction(tooLong)).toThrow(ENVELOPE_INVALID);
    expect(() => readSentTransaction(wire.subarray(0, wire.length - 1))).toThrow(MESSAGE_INVALID);
    // What Sluice made itself, or stored, is exact.
    expect(() => parseTransaction(Buffer.concat([wire, new Uint8Array(1)]))).toThrow(MESSAGE_INVALID);
  });

  it('throws for a key that is not a signer', () => {
    expect(() => signTransaction(messageBytes, [stranger])).toThrow(`${stranger.address} does not sign this`);
  });

  it('has no signature of its own before the fee payer signs', () => {
    expect(() => getTransactionSignature(parseTransaction(signTransaction(messageBytes, [other])))).toThrow(
      'the fee payer has not signed this transaction',
    );
  });

  it('fits into one packet', () => {
    const room = MAX_TRANSACTION_BYTES - computeTransactionSize(messageBytes.length, 2) - 1;
    const fitting = compile(new Uint8Array(room));
    expect(parseTransaction(signTransaction(fitting, [payer])).messageBytes).toHaveLength(fitting.length);
    expect(signTransaction(fitting, [])).toHaveLength(1232);
    const tooLong = compile(new Uint8Array(room + 1));
    expect(() => signTransaction(tooLong, [])).toThrow('at most 1232 bytes, this one has 1233');
    expect(() => parseTransaction(new Uint8Array(1233))).toThrow(ENVELOPE_INVALID);
  });

  it('throws when the signatures do not match the message', () => {
    expect(() => parseTransaction(encodeTransaction([null], messageBytes))).toThrow(
      'needs 2 signatures, but there are 1',
    );
    expect(() => parseTransaction(Uint8Array.of(2, 1, 1))).toThrow('2 signatures do not fit into 3 bytes');
    expect(() => parseTransaction(Uint8Array.of(0x80))).toThrow(
      'the number of signatures is not a compact u16',
    );
    expect(() => encodeTransaction([new Uint8Array(63)], messageBytes)).toThrow(
      'a signature has 64 bytes, got 63',
    );
  });

  it('returns a transaction or throws a clear error for any bytes', () => {
    const wire = signTransaction(
      compileMessage({
        feePayer: payer.address,
        blockhash: new Uint8Array(32),
        instructions: [transferLamports(payer.address, SYSTEM_PROGRAM as Address, 1n)].map((each) => ({
          ...each,
          accounts: each.accounts.slice(0, 1),
        })),
      }),
      [payer],
    );
    assertProperty(
      fc.property(
        fc.nat({ max: wire.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: wire.length }),
        (at, value, cut) => {
          const bytes = wire.slice(0, cut === 0 ? wire.length : cut);
          if (at < bytes.length) bytes[at] = value;
          try {
            expect(parseTransaction(bytes).signatures).toHaveLength(1);
          } catch (error) {
            expect(error instanceof TransactionInvalid).toBe(true);
          }
        },
      ),
      { cases: 1000, seed: 1232 },
    );
  });
});

const MESSAGE_INVALID = expect.objectContaining({ name: 'TransactionInvalid', kind: 'message' });
const ENVELOPE_INVALID = expect.objectContaining({ name: 'TransactionInvalid', kind: 'envelope' });

const keypair = (n: number): Keypair =>
  createKeypairFromSeed(createHash('sha256').update(`signer ${n}`).digest());
const [payer, other, stranger] = [keypair(0), keypair(1), keypair(2)];
const compile = (data = new Uint8Array(0)) =>
  compileMessage({
    feePayer: payer.address,
    blockhash: new Uint8Array(32).fill(3),
    instructions: [
      createAccount({
        payer: payer.address,
        account: other.address,
        lamports: 1n,
        space: 0n,
        owner: SYSTEM_PROGRAM,
      }),
      { programAddress: SYSTEM_PROGRAM, accounts: [], data },
    ],
  });
const messageBytes = compile();

const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
