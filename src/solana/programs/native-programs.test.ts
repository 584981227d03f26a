import { createNoopSigner, type Instruction as KitInstruction } from '@solana/kit';
import * as budget from '@solana-program/compute-budget';
import * as client from '@solana-program/system';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { toAddress } from '../address.ts';
import { LayoutInvalid } from '../codec/byte-reader.ts';
import * as compute from './compute-budget.ts';
import type { Instruction } from '../messages/instruction.ts';
import { memo } from './memo.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../program-addresses.ts';
import * as system from './system.ts';

describe('system instructions', () => {
  const source = createNoopSigner(payer);
  const newAccount = createNoopSigner(account);
  const pairs: Record<string, [Instruction, KitInstruction]> = {
    createAccount: [
      system.createAccount({ payer, account, lamports: 1n << 40n, space: 165n, owner: TOKEN_PROGRAM }),
      client.getCreateAccountInstruction({
        payer: source,
        newAccount,
        lamports: 1n << 40n,
        space: 165n,
        programAddress: TOKEN_PROGRAM,
      }),
    ],
    createAccountWithSeed: [
      system.createAccountWithSeed({
        payer,
        account,
        base: authority,
        seed: '00112233445566778899aabbccddeeff',
        lamports: 2_039_280n,
        space: 165n,
        owner: TOKEN_PROGRAM,
      }),
      client.getCreateAccountWithSeedInstruction({
        payer: source,
        newAccount: account,
        baseAccount: createNoopSigner(authority),
        base: authority,
        seed: '00112233445566778899aabbccddeeff',
        amount: 2_039_280n,
        space: 165n,
        programAddress: TOKEN_PROGRAM,
      }),
    ],
    'createAccountWithSeed of the payer': [
      system.createAccountWithSeed({
        payer,
        account,
        base: payer,
        seed: 'vault',
        lamports: 1n,
        space: 0n,
        owner: TOKEN_PROGRAM,
      }),
      client.getCreateAccountWithSeedInstruction({
        payer: source,
        newAccount: account,
        base: payer,
        seed: 'vault',
        amount: 1n,
        space: 0n,
        programAddress: TOKEN_PROGRAM,
      }),
    ],
    transferLamports: [
      system.transferLamports(payer, account, 12_345n),
      client.getTransferSolInstruction({ source, destination: account, amount: 12_345n }),
    ],
    allocate: [system.allocate(account, 99n), client.getAllocateInstruction({ newAccount, space: 99n })],
    assign: [
      system.assign(account, TOKEN_PROGRAM),
      client.getAssignInstruction({ account: newAccount, programAddress: TOKEN_PROGRAM }),
    ],
    advanceNonce: [
      system.advanceNonce(account, authority),
      client.getAdvanceNonceAccountInstruction({
        nonceAccount: account,
        nonceAuthority: createNoopSigner(authority),
      }),
    ],
  };
  for (const [name, [ours, theirs]] of Object.entries(pairs)) {
    it(`${name} equals the system client's`, () => expect(plain(ours)).toEqual(plain(theirs)));
  }

  it('isAdvanceNonce recognises only an advance of a nonce', () => {
    for (const [name, [ours]] of Object.entries(pairs)) {
      expect(system.isAdvanceNonce(ours.data)).toBe(name === 'advanceNonce');
    }
    expect(system.isAdvanceNonce(Uint8Array.of(4, 0, 0))).toBe(false);
  });
});

describe('nonce account', () => {
  it('agrees with the system client', () => {
    const data = new Uint8Array(
      client.getNonceEncoder().encode({
        version: client.NonceVersion.Current,
        state: client.NonceState.Initialized,
        authority,
        blockhash: account,
        lamportsPerSignature: 5000n,
      }),
    );
    expect(data.length).toBe(system.NONCE_ACCOUNT_SIZE);
    expect(system.decodeNonceAccount(data)).toEqual({
      authority,
      nonce: account,
      lamportsPerSignature: 5000n,
    });
  });

  it('decodes to null before initialization, and throws for other data', () => {
    const data = new Uint8Array(80);
    expect(system.decodeNonceAccount(data)).toBeNull();
    expect(() => system.decodeNonceAccount(Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0))).toThrow(
      'must be 0 or 1, got 2',
    );
    expect(() => system.decodeNonceAccount(Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0))).toThrow(LayoutInvalid);
  });
});

describe('compute budget instructions', () => {
  it('equal those of the compute-budget client, and can be decoded', () => {
    assertProperty(
      fc.property(u32, fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (number, microLamports) => {
        const pairs: [Instruction | null, KitInstruction, compute.ComputeBudgetInstruction][] = [
          [
            null,
            budget.getRequestHeapFrameInstruction({ bytes: number }),
            { kind: 'requestHeapFrame', bytes: number },
          ],
          [
            compute.setComputeUnitLimit(number),
            budget.getSetComputeUnitLimitInstruction({ units: number }),
            { kind: 'setComputeUnitLimit', units: number },
          ],
          [
            compute.setComputeUnitPrice(microLamports),
            budget.getSetComputeUnitPriceInstruction({ microLamports }),
            { kind: 'setComputeUnitPrice', microLamports },
          ],
          [
            null,
            budget.getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: number }),
            { kind: 'setLoadedAccountsDataSizeLimit', bytes: number },
          ],
        ];
        for (const [ours, theirs, decoded] of pairs) {
          if (ours !== null) expect(plain(ours)).toEqual(plain(theirs));
          expect(compute.decodeComputeBudget(Uint8Array.from(theirs.data ?? []))).toEqual(decoded);
        }
      }),
      { cases: 100, seed: 4, against: 'the compute-budget client' },
    );
  });

  it('decode to null for tags that the chain does not know', () => {
    expect(compute.decodeComputeBudget(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8))).toBeNull();
    expect(compute.decodeComputeBudget(Uint8Array.of(5))).toBeNull();
    expect(() => compute.decodeComputeBudget(Uint8Array.of(2, 0, 0, 0))).toThrow(LayoutInvalid);
    expect(() => compute.decodeComputeBudget(new Uint8Array(0))).toThrow(LayoutInvalid);
  });

  const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
});

describe('on the embedded network', () => {
  it('creates, funds and assigns accounts, and logs a memo', () => {
    const network = new TestNetwork();
    const made = network.newAddress();
    const wallet = network.newWallet(2_000_000n);
    const space = 10n;
    const rent = network.svm.minimumBalanceForRentExemption(space);
    const outcome = network.send([
      compute.setComputeUnitLimit(300_000),
      compute.setComputeUnitPrice(1n),
      system.createAccount({
        payer: network.payer,
        account: made,
        lamports: rent,
        space,
        owner: TOKEN_PROGRAM,
      }),
      system.transferLamports(network.payer, wallet, 1_000_000n),
      system.allocate(wallet, 5n),
      system.assign(wallet, TOKEN_PROGRAM),
      memo('swap 42', [network.payer]),
    ]);
    expect(outcome.error).toBeNull();
    expect(outcome.logs.join('\n')).toContain('swap 42');
    expect(network.account(made)).toMatchObject({ lamports: rent, owner: TOKEN_PROGRAM });
    expect(network.account(made)?.data).toHaveLength(10);
    expect(network.account(wallet)).toMatchObject({ lamports: 3_000_000n, owner: TOKEN_PROGRAM });
    expect(SYSTEM_PROGRAM).toBe(network.account(network.payer)?.owner);
  });
});

const named = (fill: number) => toAddress(new Uint8Array(32).fill(fill));
const [payer, account, authority] = [named(1), named(2), named(3)];

function plain(instruction: KitInstruction | Instruction) {
  return {
    programAddress: instruction.programAddress,
    accounts: (instruction.accounts ?? []).map(({ address, role }) => ({ address, role })),
    data: [...(instruction.data ?? [])],
  };
}
