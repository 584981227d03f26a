import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EARN_OUTPUT,
  EARN_USDC,
  listEarnDepositInstructions,
  listEarnWithdrawalInstructions,
} from '../../testing/custody/earn-messages.ts';
import {
  AMOUNT,
  compileFill,
  compileLegacy,
  deriveOrderAccount,
  listWithdrawalInstructions,
  nameAddress,
  PAYER,
  USDC,
  WALLET,
} from '../../testing/custody/messages-to-sign.ts';
import { assertProperty } from '../../testing/random.ts';
import { createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { approve, closeAccount, transfer } from '../../solana/programs/token/instructions.ts';
import { U64_MAX } from '../../solana/units.ts';
import { checkMessageToSign } from './check-message.ts';
import { type MessageToSign, SigningRefused } from './message-to-sign.ts';

describe('checkMessageToSign with what earns', () => {
  it.each(listCases())('accepts %s', (_, { request, instructions }) => {
    check(request, instructions);
  });

  it.each(listCases())('refuses %s with any account, program or byte of it changed', (_, one) => {
    const { request, instructions } = one;
    assertProperty(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, place, by, inData) => {
          const index = at % instructions.length;
          const before = instructions[index] as Instruction;
          const after = inData ? changeByte(before, place, by) : changeAccount(before, place);
          if (after !== null) expectRefused(request, instructions.with(index, after));
        },
      ),
      { cases: 1_000, short: 1_000, seed: 37 },
    );
  });

  it.each(listCases())('refuses %s with an instruction more, in another order, or without one', (_, one) => {
    const { request, instructions, optional } = one;
    for (let index = 0; index <= instructions.length; index++) {
      for (const more of [...ADDED, ...instructions.slice(2)]) {
        expectRefused(request, instructions.toSpliced(index, 0, more));
      }
      const [moved] = instructions.slice(index);
      if (moved === undefined || moved.programAddress === COMPUTE_BUDGET_PROGRAM) continue;
      if (index + 1 < instructions.length) {
        const next = instructions[index + 1] as Instruction;
        expectRefused(request, instructions.toSpliced(index, 2, next, moved));
      }
      if (!optional.includes(index)) expectRefused(request, instructions.toSpliced(index, 1));
    }
  });

  it.each(listCases())('refuses %s for another request, in version 0, or paid by another', (_, one) => {
    const { request, instructions } = one;
    for (const [field, value] of Object.entries(request)) {
      if (['kind', 'subject', 'outputAccount', 'accounts'].includes(field)) continue;
      const other = typeof value === 'bigint' ? value + 1n : nameAddress('another');
      expectRefused({ ...request, [field]: other }, instructions);
    }
    for (const field of ['account', 'mint', 'lentMint']) {
      expectRefused(
        { ...WITHDRAWAL, accounts: [{ ...SHARES, [field]: nameAddress('another') }] },
        instructions,
      );
    }
    expectRefused({ ...WITHDRAWAL, accounts: [SHARES, { ...SHARES, account: PAYER }] }, instructions);
    expectRefused({ ...WITHDRAWAL, accounts: [] }, instructions);
    expectRefused({ ...DEPOSIT, earnMint: undefined }, instructions);
    expectRefused({ ...WITHDRAWAL, accounts: [{ ...SHARES, lentMint: undefined }] }, instructions);
    for (const messageBytes of [compileFill(instructions), compileLegacy(instructions, PAYER)]) {
      expect(() => checkMessageToSign({ ...request, messageBytes } as MessageToSign, OWN)).toThrow(
        SigningRefused,
      );
    }
  });

  it('refuses bytes in which the vault signs and gets nothing, or hands nothing over', () => {
    for (const [, { request, instructions }] of listCases()) {
      const at = instructions.findIndex(({ data }) => data.length === 35);
      const handover = instructions[at] as Instruction;
      const last = [...instructions.toSpliced(at, 1), handover];
      const messageBytes = dropLast(compileLegacy(last), 38 + handover.accounts.length);
      expect(() => checkMessageToSign({ ...request, messageBytes } as MessageToSign, OWN)).toThrow(
        SigningRefused,
      );
    }
  });

  it('refuses to lend the whole balance of the wallet, whatever the amount is said to be', () => {
    const at = 5;
    const earn = { signer: WALLET, mint: USDC, tokenProgram: TOKEN_PROGRAM, receiptAccount: ACCOUNT };
    const all = listEarnDepositInstructions(OWN).with(at, createEarnInstruction('deposit', earn, U64_MAX));
    expectRefused({ ...DEPOSIT, amount: U64_MAX }, all);
  });

  it('signs a withdrawal of the shares themselves, and none of the input out of an account of shares', () => {
    check(WITHDRAWAL, listWithdrawalInstructions(OWN, EARN_USDC));
    expectRefused(WITHDRAWAL, listWithdrawalInstructions(OWN, USDC));
  });
});

const OWN = { vault: nameAddress('vault'), coSigner: nameAddress('co-signer') };
const ACCOUNT = deriveOrderAccount(OWN.vault);
const NAMED = { subject: 'order', wallet: WALLET };
const DEPOSIT = {
  ...NAMED,
  kind: 'deposit',
  account: ACCOUNT,
  mint: USDC,
  amount: AMOUNT,
  earnMint: EARN_USDC,
  outputMint: EARN_OUTPUT,
  outputAccount: null,
} as const;
const SHARES = { account: ACCOUNT, mint: EARN_USDC, lentMint: USDC };
const WITHDRAWAL = { ...NAMED, kind: 'withdrawal', accounts: [SHARES] } as const;

interface EarnCase {
  readonly request: typeof DEPOSIT | typeof WITHDRAWAL;
  readonly instructions: readonly Instruction[];
  /** The places of instructions without which the message is signed too. */
  readonly optional: readonly number[];
}

function listCases(): [string, EarnCase][] {
  return [
    ['a deposit', { request: DEPOSIT, instructions: listEarnDepositInstructions(OWN), optional: [2] }],
    [
      'a withdrawal',
      { request: WITHDRAWAL, instructions: listEarnWithdrawalInstructions(OWN), optional: [2, 4, 5] },
    ],
  ];
}

/** Instructions that no message may have, even if other wallets sign them. */
const ADDED: readonly Instruction[] = [
  transferLamports(PAYER, nameAddress('thief'), 1n),
  transferLamports(OWN.vault, PAYER, 1n),
  transfer(TOKEN_PROGRAM, {
    source: ACCOUNT,
    destination: nameAddress('thief'),
    authority: OWN.vault,
    amount: 1n,
  }),
  approve(TOKEN_PROGRAM, { account: ACCOUNT, delegate: nameAddress('thief'), owner: WALLET, amount: 1n }),
  closeAccount(TOKEN_PROGRAM, { account: ACCOUNT, destination: WALLET, authority: OWN.vault }),
  createEarnInstruction('redeem', { signer: OWN.vault, mint: USDC, tokenProgram: TOKEN_PROGRAM }, 1n),
];

function check(request: object, instructions: readonly Instruction[]): void {
  checkMessageToSign({ ...request, messageBytes: compileLegacy(instructions) } as MessageToSign, OWN);
}

function expectRefused(request: object, instructions: readonly Instruction[]): void {
  expect(() => check(request, instructions)).toThrow(SigningRefused);
}

/** Removes the last instruction of a legacy message, and keeps all of its signers. */
function dropLast(message: Uint8Array, length: number): Uint8Array {
  const countAt = 4 + 32 * ((message[3] ?? 0) + 1);
  const shorter = message.slice(0, -length);
  shorter[countAt] = (shorter[countAt] ?? 0) - 1;
  return shorter;
}

/** Replaces an account of the instruction, or its program. */
function changeAccount(before: Instruction, place: number): Instruction | null {
  const at = place % (before.accounts.length + 1);
  const meta = before.accounts[at];
  const address = nameAddress('changed');
  if (meta === undefined) return { ...before, programAddress: address };
  return { ...before, accounts: before.accounts.with(at, { ...meta, address }) };
}

/** Changes a byte, but for those that may be anything: fees of the payer, and rent. */
function changeByte(
  { programAddress, accounts, data: before }: Instruction,
  place: number,
  by: number,
): Instruction | null {
  const at = place % before.length;
  if (
    programAddress === COMPUTE_BUDGET_PROGRAM ||
    (programAddress === SYSTEM_PROGRAM && at >= 76 && at < 92)
  ) {
    return null;
  }
  const data = before.with(at, ((before[at] ?? 0) + by) & 0xff);
  return { programAddress, accounts, data };
}
