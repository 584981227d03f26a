import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TestNetwork } from './network.ts';

describe('TestNetwork', () => {
  it('executes a transfer and reports the balances', () => {
    const network = new TestNetwork();
    const from = network.newWallet(5_000_000_000n);
    const to = network.newAddress();
    const outcome = network.send([transfer(from, to, 2_000_000_000n)]);
    expect(outcome.error).toBeNull();
    expect(network.account(to)?.lamports).toBe(2_000_000_000n);
    expect(network.account(from)?.lamports).toBe(3_000_000_000n);
  });

  it('names the failing instruction and its code', () => {
    const network = new TestNetwork();
    const from = network.newWallet(1_000_000_000n);
    const outcome = network.send([transfer(from, network.newAddress(), 2_000_000_000n)]);
    expect(outcome.error).toEqual({ instruction: 0, custom: 1, kind: 'Custom' });
    expect(network.account(from)?.lamports).toBe(1_000_000_000n);
  });

  it('keeps nothing of a simulation', () => {
    const network = new TestNetwork();
    const to = network.newAddress();
    expect(network.simulate([transfer(network.payer, to, 1_000_000_000n)]).error).toBeNull();
    expect(network.account(to)).toBeNull();
  });
});

const SYSTEM = '11111111111111111111111111111111' as Address;

function transfer(from: Address, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(lamports, 4);
  return {
    programAddress: SYSTEM,
    accounts: [
      { address: from, role: 3 },
      { address: to, role: 1 },
    ],
    data,
  };
}
