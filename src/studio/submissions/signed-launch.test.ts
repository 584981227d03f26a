import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { readonlySigner } from '../../solana/messages/instruction.ts';
import { addSignatures, parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { openForAll } from '../../testing/opened.ts';
import { sampleCases } from '../../testing/random.ts';
import { LaunchRig } from '../../testing/studio/launch-rig.ts';
import { LaunchKeys } from '../keys/launch-keys.ts';
import { StudioRefused } from '../studio-refused.ts';
import { readSignedLaunch } from './signed-launch.ts';

const rig = openForAll(() => LaunchRig.open(), 'close');

describe('readSignedLaunch', () => {
  it('reads a launch that was prepared here and that its creator has signed', () => {
    const launch = rig.craft();
    expect(read(rig.sign(launch))).toMatchObject({
      mint: launch.mint,
      config: rig.keys.deriveConfigAddress(launch.mint),
      creator: rig.creator.address,
      wire: rig.sign(launch),
    });
  });

  it('ignores bytes after the transaction, as nodes do', () => {
    const wire = rig.sign(rig.craft());
    expect(read(new Uint8Array([...wire, 1, 2])).wire).toEqual(wire);
  });

  it.each([
    ['nothing', '', 'must be base64'],
    ['what is not base64', 'transaction!', 'must be base64'],
    ['what is too long', 'A'.repeat(1_648), 'must have at most 1644 base64 characters'],
    ['what is no transaction', 'AAAA', 'cannot be read'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => readSignedLaunch(text, rig.keys)).toThrow(
      expect.objectContaining({ field: 'transaction', message: expect.stringContaining(reason) }),
    );
  });

  it('asks for the signature of the creator', () => {
    expect(() => read(rig.craft().wire)).toThrow(
      `transaction lacks a valid signature of its creator, ${rig.creator.address}`,
    );
  });

  it('refuses a launch of an instance with another secret', () => {
    const keys = new LaunchKeys(new Uint8Array(32).fill(1));
    const other = rig.craft({}, { keys });
    expect(() => read(rig.sign(other))).toThrow('is not one that create-tx has answered');
  });

  it('refuses any transaction with one bit changed, whoever signs it afterwards', () => {
    const { wire } = rig.craft();
    // The creator can sign again whatever was changed, but not for the other keys.
    const bits = fc
      .integer({ min: 0, max: wire.length * 8 - 1 })
      .filter((bit) => bit < 8 || bit >= OTHER_SIGNATURES_AT * 8);
    for (const bit of sampleCases(bits, { cases: 300, seed: 41 })) {
      const changed = wire.slice();
      const at = Math.floor(bit / 8);
      changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8));
      expect(() => read(signAgain(changed)), `bit ${bit}`).toThrow(StudioRefused);
    }
  });

  it('refuses a transaction of others that names the keys of a launch, and lacks their signatures', () => {
    const { mint } = rig.craft();
    const config = rig.keys.deriveConfigAddress(mint);
    const message = compileMessage({
      feePayer: rig.creator.address,
      blockhash: new Uint8Array(32),
      instructions: [
        {
          programAddress: SYSTEM_PROGRAM,
          accounts: [mint, config].map(readonlySigner),
          data: new Uint8Array(),
        },
      ],
    });
    expect(() => read(signTransaction(message, [rig.creator]))).toThrow(
      'is not one that create-tx has answered',
    );
  });
});

/** The signatures of the mint and of the configuration follow that of the creator. */
const OTHER_SIGNATURES_AT = 65;

function read(wire: Uint8Array) {
  return readSignedLaunch(Buffer.from(wire).toString('base64'), rig.keys);
}

/** Signs what was changed, if it still is a transaction of the creator. */
function signAgain(wire: Uint8Array): Uint8Array {
  try {
    return addSignatures(parseTransaction(wire), [rig.creator]);
  } catch {
    return wire;
  }
}
