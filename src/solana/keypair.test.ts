import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../common/operator-error.ts';
import {
  encodeKeypairFile,
  createKeypairFromSecretKey,
  createKeypairFromSeed,
  createRandomKeypair,
  parseKeypairFile,
  signWith,
} from './keypair.ts';

describe('keypair', () => {
  it('has the same address and signatures as an independent Ed25519 implementation', () => {
    for (let n = 0; n < 20; n++) {
      const keypair = createKeypairFromSeed(seed(n));
      const message = createHash('sha512').update(`message ${n}`).digest();
      expect([...keypair.secretKey.subarray(32)]).toEqual([...ed25519.getPublicKey(seed(n))]);
      expect([...signWith(keypair, message)]).toEqual([...ed25519.sign(message, seed(n))]);
    }
  });

  it('is another one each time that a random one is created, and signs as one from its seed does', () => {
    const keypairs = Array.from({ length: 20 }, createRandomKeypair);
    expect(new Set(keypairs.map(({ address }) => address)).size).toBe(20);
    for (const keypair of keypairs) {
      const same = createKeypairFromSeed(keypair.secretKey.subarray(0, 32));
      expect(keypair).toEqual(same);
      const message = Buffer.from(keypair.address);
      expect(signWith(keypair, message)).toEqual(signWith(same, message));
    }
  });

  it('writes keypair files that kit can read', async () => {
    const keypair = createKeypairFromSeed(seed(1));
    const signer = await createKeyPairSignerFromBytes(keypair.secretKey);
    expect(signer.address).toBe(keypair.address);
  });

  it('throws for a seed of another length', () => {
    expect(() => createKeypairFromSeed(new Uint8Array(64))).toThrow('must be 32 bytes, got 64');
  });

  it('reads back a keypair file', () => {
    const keypair = createKeypairFromSeed(seed(2));
    expect(parseKeypairFile(encodeKeypairFile(keypair))).toEqual(keypair);
    expect(parseKeypairFile(`\ufeff${encodeKeypairFile(keypair)}`)).toEqual(keypair);
    expect(parseKeypairFile(` [${[...keypair.secretKey].join(', ')}]\n`)).toEqual(keypair);
  });

  it('throws for a file that is not a keypair', () => {
    for (const text of ['', 'null', '{}', '"abc"', '[1.5]', `[${'256,'.repeat(63)}1]`, `["1"]`]) {
      expect(() => parseKeypairFile(text)).toThrow('must be a JSON array of 64 numbers from 0 to 255');
    }
    expect(() => parseKeypairFile('[1,2,3]')).toThrow('must be 64 bytes, got 3');
  });

  it('throws for a secret key whose halves do not belong together', () => {
    const secretKey = createKeypairFromSeed(seed(3)).secretKey.slice();
    secretKey[63] = (secretKey[63] ?? 0) ^ 1;
    expect(() => createKeypairFromSecretKey(secretKey)).toThrow(OperatorError);
  });
});

const seed = (n: number) => createHash('sha256').update(`keypair test ${n}`).digest();
