import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import {
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getPublicKeyFromAddress,
  getTransactionEncoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { KeyStore, ThrowawayKey } from './key-store.ts';
import { createThrowawayKey, explainMissingFacilities, getKeyFacilities } from './throwaway-key.ts';
import { forgetThrowawayKey, loadThrowawayKey, signTransaction } from './throwaway-key.ts';
import { parseWireTransaction } from './wire-transaction.ts';

describe('createThrowawayKey', () => {
  it('makes a key whose private half cannot be read', async () => {
    const { privateKey } = await createThrowawayKey(createMemoryStore());
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow();
  });

  it('returns the key that another tab has made, until it is forgotten', async () => {
    const store = createMemoryStore();
    const first = await createThrowawayKey(store);
    expect(await createThrowawayKey(store)).toBe(first);
    expect(await loadThrowawayKey(store)).toBe(first);
    await forgetThrowawayKey(store);
    expect(await loadThrowawayKey(store)).toBeNull();
    expect((await createThrowawayKey(store)).address).not.toBe(first.address);
  });
});

describe('signTransaction', () => {
  it('signs at its own place, and leaves the signatures of others, in any order of signers', async () => {
    const key = await createThrowawayKey(createMemoryStore());
    const seeds = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });
    const cases = fc.asyncProperty(seeds, fc.boolean(), fc.constantFrom<0 | 'legacy'>(0, 'legacy'), check);
    await assertProperty(cases, { cases: 40, seed: 4407 });

    async function check(others: number[], isPayer: boolean, version: 'legacy' | 0) {
      const signers = await Promise.all(others.map((seed) => createSigner(seed)));
      const compiled = compileWith(
        isPayer
          ? [key.address, ...signers.map((signer) => signer.address)]
          : [...signers.map((signer) => signer.address), key.address],
        version,
      );
      const partly = await partiallySignTransaction(
        signers.map((signer) => signer.keyPair),
        compiled,
      );
      const before = new Uint8Array(getTransactionEncoder().encode(partly));
      const signed = await signTransaction(key, before);
      // Kit puts the same signatures in, given a key that it can use.
      const keyPair = {
        privateKey: key.privateKey,
        publicKey: await getPublicKeyFromAddress(address(key.address)),
      };
      const expected = await partiallySignTransaction([keyPair], partly);
      expect(signed).toEqual(new Uint8Array(getTransactionEncoder().encode(expected)));
    }
  });

  it('signs nothing in which the key takes no part', async () => {
    const key = await createThrowawayKey(createMemoryStore());
    const { address: other } = await createSigner(7);
    const bytes = new Uint8Array(getTransactionEncoder().encode(compileWith([other], 0)));
    await expect(signTransaction(key, bytes)).rejects.toThrow(`needs no signature of ${key.address}`);
  });
});

describe('parseWireTransaction', () => {
  it('refuses any bytes with a sentence, and reads nothing behind them', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 1_300 }), (bytes) => {
        try {
          const { signers } = parseWireTransaction(new Uint8Array(bytes));
          expect(signers.length).toBeGreaterThan(0);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: [A-Z].*\.$/);
        }
      }),
      { cases: 100, seed: 4408 },
    );
  });
});

describe('explainMissingFacilities', () => {
  it('has nothing to say of a browser that has all', async () => {
    expect(await explainMissingFacilities({ ...getKeyFacilities(), hasDatabase: true })).toBeNull();
  });

  it.each([
    [{ subtle: undefined, hasDatabase: true, isSecureContext: false }, /HTTPS/],
    [{ subtle: undefined, hasDatabase: true, isSecureContext: true }, /WebCrypto/],
    [{ subtle: crypto.subtle, hasDatabase: false, isSecureContext: true }, /IndexedDB/],
  ])('names what is missing', async (facilities, reason) => {
    expect(await explainMissingFacilities(facilities)).toMatch(reason);
  });

  it('names Ed25519 where WebCrypto has other curves only', async () => {
    const generateKey = () => Promise.reject(new Error('NotSupportedError'));
    const subtle = { generateKey } as unknown as SubtleCrypto;
    expect(await explainMissingFacilities({ subtle, hasDatabase: true, isSecureContext: true })).toMatch(
      /Ed25519/,
    );
  });
});

function createMemoryStore(): KeyStore {
  let kept: ThrowawayKey | null = null;
  return {
    load: async () => kept,
    add: async (key) => (kept ??= key),
    remove: async () => {
      kept = null;
    },
  };
}

function createSigner(seed: number) {
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed));
}

/** A transaction that needs the signatures of all addresses, of which the first pays. */
function compileWith(addresses: readonly string[], version: 'legacy' | 0) {
  const [payer = '', ...others] = addresses;
  const lifetime = { blockhash: blockhash('11111111111111111111111111111111'), lastValidBlockHeight: 1n };
  const instruction = {
    programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    accounts: others.map((other) => ({ address: address(other), role: 2 })),
    data: new Uint8Array([1, 2, 3]),
  };
  return pipe(
    createTransactionMessage({ version }),
    (message) => setTransactionMessageFeePayer(address(payer), message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstruction(instruction, message),
    (message) => compileTransaction(message),
  );
}
