import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { type Instruction, readonlySigner } from '../../../solana/messages/instruction.ts';
import { memo } from '../../../solana/programs/memo.ts';
import {
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  ED25519_PROGRAM,
  SECP256K1_PROGRAM,
  SECP256R1_PROGRAM,
  STAKE_PROGRAM,
  VOTE_PROGRAM,
} from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import {
  ALICE,
  BOB,
  getLamports,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
} from '../../../testing/chain/bank.ts';
import type { Bank } from './bank.ts';

describe('the fee of a message', () => {
  it('is what the runtime charges, for any mix of instructions and compute budget', async () => {
    const bank = await openBankForTests();
    await assertProperty(
      fc.asyncProperty(
        fc.array(anyInstruction, { minLength: 1, maxLength: 9 }),
        budget,
        async (some, settings) => {
          await bank.advanceSlot();
          const { charged, quoted } = paid(bank, [...settings, ...some]);
          expect(quoted).toBe(charged);
        },
      ),
      { cases: 300, seed: 20240601, against: 'the runtime' },
    );
  });

  it('is 5,000 lamports a signature and the priority fee rounded up', async () => {
    const bank = await openBankForTests();
    const transfer = transferLamports(ALICE.address, BOB.address, 1n);
    expect(paid(bank, [transfer]).charged).toBe(5_000n);
    expect(paid(bank, [transfer, memo('x', [BOB.address])]).charged).toBe(10_000n);
    const priced = [setComputeUnitPrice(1n), setComputeUnitLimit(100_001), transfer];
    expect(paid(bank, priced).charged).toBe(5_001n);
    // Without a limit: 3,000 units for each built-in program.
    expect(paid(bank, [setComputeUnitPrice(1_000_000n), transfer]).charged).toBe(5_000n + 6_000n);
  });

  it('counts the signatures that a precompile has to verify', async () => {
    const bank = await openBankForTests();
    // The instruction requests three signatures but contains none. It fails, and pays for all of them.
    const three: Instruction = { programAddress: ED25519_PROGRAM, accounts: [], data: Uint8Array.of(3, 0) };
    expect(paid(bank, [three])).toEqual({ charged: 20_000n, quoted: 20_000n });
  });
});

/** A precompile's instruction that verifies no signature. */
const noSignatures = (program: Instruction['programAddress']): Instruction => ({
  programAddress: program,
  accounts: [],
  data: Uint8Array.of(0, 0),
});

const anyInstruction: fc.Arbitrary<Instruction> = fc.oneof(
  fc.integer({ min: 1, max: 1000 }).map((n) => transferLamports(ALICE.address, BOB.address, BigInt(n))),
  fc.string({ maxLength: 20 }).map((text) => memo(text)),
  fc.constant(memo('signed', [BOB.address])),
  fc.constantFrom(ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM).map(noSignatures),
  // These fail, which has the same fee.
  fc
    .constantFrom(STAKE_PROGRAM, VOTE_PROGRAM, BPF_LOADER, BPF_LOADER_DEPRECATED, BPF_LOADER_UPGRADEABLE)
    .map((programAddress) => ({
      programAddress,
      accounts: [readonlySigner(ALICE.address)],
      data: Uint8Array.of(250, 0, 0, 0),
    })),
);

const computeBudget = (tag: number, value: number): Instruction => ({
  programAddress: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: new ByteWriter(5).u8(tag).u32(value).finish(),
});
const HEAP_FRAME = computeBudget(1, 64 * 1024);
const LOADED_DATA_LIMIT = computeBudget(4, 8_000_000);

const budget = fc
  .record(
    {
      limit: fc.integer({ min: 30_000, max: 2_000_000 }).map(setComputeUnitLimit),
      price: fc.bigInt({ min: 0n, max: 5_000_000n }).map(setComputeUnitPrice),
      heap: fc.constant(HEAP_FRAME),
      loaded: fc.constant(LOADED_DATA_LIMIT),
    },
    { requiredKeys: [] },
  )
  .map((settings) => Object.values(settings));

function paid(bank: Bank, instructions: readonly Instruction[]): { charged: bigint; quoted: bigint | null } {
  const needsBob = instructions.some(({ accounts }) =>
    accounts.some(({ address, role }) => address === BOB.address && role >= 2),
  );
  const wire = signTestTransaction(bank, needsBob ? [ALICE, BOB] : [ALICE], instructions);
  const total = getLamports(bank, ALICE.address) + getLamports(bank, BOB.address);
  const quoted = bank.feeForMessage(wire.subarray(1 + 64 * (wire[0] ?? 0)), 'processed').value;
  const signature = send(bank, wire);
  expect(getSignatureStatus(bank, signature), 'it must have been included').not.toBeNull();
  const charged = total - getLamports(bank, ALICE.address) - getLamports(bank, BOB.address);
  expect(bank.signatureStatuses([signature], true).value[0]?.slot).toBe(bank.slot('processed'));
  return { charged, quoted };
}
