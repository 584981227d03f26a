import * as token from '@solana-program/token';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestKey, createWalletAccount } from '../../testing/chain/bank.ts';
import { openForAll } from '../../testing/opened.ts';
import { assertProperty } from '../../testing/random.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import type { RecentBlockhash } from '../../chain/chain.ts';
import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { type Message, parseMessage } from '../../solana/messages/message.ts';
import { deriveAssociatedTokenAddress, deriveSeededAddress } from '../../solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { listNewAccountExtensions } from '../../solana/programs/token/associated-size.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import { computeRents } from '../../transactions/build/costs.ts';
import { compileContents } from '../../transactions/build/transaction-message.ts';
import type { OrderMint } from '../landing/order-mint.ts';
import { type DepositedTokens, planDeposit } from './deposit-message.ts';

const network = openForAll(() => new TestNetwork());

describe('planDeposit', () => {
  it('has the recorded form: legacy, three signers, and the instructions in their order', () => {
    const { account, plan } = planDeposit(PARTIES, toDeposited(plainMint(USDC), 10_000_000n), SEED);
    const message = compile(plan);
    expect(message).toMatchObject({ version: 'legacy', signers: 3, readonlySigners: 2, lookups: [] });
    const { wallet, vault, coSigner } = PARTIES;
    expect(message.staticAccounts[0]).toBe(wallet);
    expect(new Set(message.staticAccounts.slice(1, 3))).toEqual(new Set([vault, coSigner]));
    expect(listPrograms(message)).toEqual([
      COMPUTE_BUDGET_PROGRAM,
      COMPUTE_BUDGET_PROGRAM,
      SYSTEM_PROGRAM,
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
    ]);
    expect(account).toBe(deriveSeededAddress(vault, SEED, TOKEN_PROGRAM));
  });

  it('wraps SOL before, in the wallet’s associated account', () => {
    const { plan } = planDeposit(PARTIES, toDeposited(plainMint(WRAPPED_SOL_MINT, 9), 10_000_000n), SEED);
    expect(listPrograms(compile(plan))).toEqual([
      COMPUTE_BUDGET_PROGRAM,
      COMPUTE_BUDGET_PROGRAM,
      ASSOCIATED_TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
      TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
    ]);
    expect(plan.spends).toEqual([{ wallet: PARTIES.wallet, amount: 10_000_000n, tokenAccount: null }]);
  });

  it('transfers, as public clients check, all of the amount out of the wallet’s account, into one of its vault', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: 1n, max: U64_MAX }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.nat(9),
        fc.boolean(),
        (amount, bytes, decimals, isWrapped) => {
          const seed = Buffer.from(bytes).toString('hex');
          const mint = plainMint(isWrapped ? WRAPPED_SOL_MINT : USDC, decimals);
          const { account, plan } = planDeposit(PARTIES, toDeposited(mint, amount), seed);
          const instructions = listInstructions(compile(plan));
          const [transfer, ...more] = instructions.filter(
            ({ programAddress, data }) => programAddress === TOKEN_PROGRAM && data[0] === 12,
          );
          expect(more).toEqual([]);
          const parsed = token.parseTransferCheckedInstruction(transfer as never);
          expect(parsed.data).toMatchObject({ amount, decimals });
          expect(parsed.accounts.source.address).toBe(
            deriveAssociatedTokenAddress(PARTIES.wallet, mint.mint, TOKEN_PROGRAM),
          );
          expect(parsed.accounts.destination.address).toBe(account);
          expect(parsed.accounts.authority.address).toBe(PARTIES.wallet);
          expect(transfer?.accounts.at(-1)?.address).toBe(PARTIES.coSigner);
          const opened = instructions.find(
            ({ programAddress, data }) => programAddress === TOKEN_PROGRAM && data[0] === 18,
          );
          const initialized = token.parseInitializeAccount3Instruction(opened as never);
          expect(initialized.data.owner).toBe(PARTIES.vault);
          expect(initialized.accounts).toMatchObject({
            account: { address: account },
            mint: { address: mint.mint },
          });
        },
      ),
      { cases: 300, seed: 36 },
    );
  });

  it.each<[string, readonly Extension[]]>([
    ['no extension', []],
    ['a transfer fee', [feeExtension(100)]],
    [
      'extensions that ask for more in each account',
      [feeExtension(0), { type: ExtensionType.PAUSABLE, data: new Uint8Array(33) }],
    ],
  ])('pays for as much space as Token-2022 asks for with %s', (_, extensions) => {
    const mint = network.newAddress();
    const { wallet } = PARTIES;
    const facts = { decimals: 6, supply: 10n ** 12n, mintAuthority: null, freezeAuthority: null, extensions };
    network.setData(mint, TOKEN_2022_PROGRAM, encodeMint(facts));
    const own = deriveAssociatedTokenAddress(wallet, mint, TOKEN_2022_PROGRAM);
    const held = { mint, owner: wallet, amount: 1_000_000n, extensions: listNewAccountExtensions(facts) };
    network.setData(own, TOKEN_2022_PROGRAM, ordinaryTokenAccount(held));
    network.setAccount(wallet, createWalletAccount(10_000_000_000n));
    const seed = Buffer.from(toAddressBytes(mint).subarray(16)).toString('hex');
    const deposited = { mint, tokenProgram: TOKEN_2022_PROGRAM, facts };
    const { account, plan } = planDeposit(PARTIES, toDeposited(deposited, 1_000_000n), seed);
    const before = network.account(wallet)?.lamports ?? 0n;
    const outcome = network.send(plan.instructions(computeRents([], new Map())), { feePayer: wallet });
    expect(outcome.error).toBeNull();
    const created = network.account(account);
    expect(created?.lamports).toBe(computeRentExemptMinimum(created?.data.length ?? 0));
    const [creation] = plan.creations;
    expect(before - (network.account(wallet)?.lamports ?? 0n)).toBe((creation?.rent() ?? 0n) + 15_000n);
    expect(network.tokenBalance(account)).toBe(extensions.length === 1 ? 990_000n : 1_000_000n);
  });
});

const PARTIES = {
  wallet: createTestKey(1).address,
  vault: createTestKey(2).address,
  coSigner: createTestKey(3).address,
};
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const SEED = '0123456789abcdef0123456789abcdef';

function plainMint(mint: Address, decimals = 6): OrderMint {
  return { mint, tokenProgram: TOKEN_PROGRAM, facts: { decimals, extensions: [] } };
}

function feeExtension(basisPoints: number): Extension {
  const fee = { epoch: 0n, maximumFee: U64_MAX, basisPoints };
  return encodeTransferFeeConfigExtension({
    configAuthority: null,
    withdrawWithheldAuthority: null,
    withheldAmount: 0n,
    older: fee,
    newer: fee,
  });
}

function compile({ feePayer, instructions, lookupTables, version = 0 }: TransactionPlan): Message {
  const contents = {
    feePayer,
    instructions: instructions(computeRents([], new Map())),
    lookupTables,
    version,
  };
  const blockhash = { bytes: new Uint8Array(32).fill(7) } as RecentBlockhash;
  return parseMessage(compileContents(contents, { limit: 90_000, price: 377_694n }, blockhash));
}

function listPrograms({ instructions, staticAccounts }: Message) {
  return instructions.map(({ programIndex }) => staticAccounts[programIndex]);
}

/** Returns the instructions as a client reads them from the message. */
function listInstructions({ instructions, staticAccounts }: Message) {
  return instructions.map(({ programIndex, accounts, data }) => ({
    programAddress: staticAccounts[programIndex] as Address,
    accounts: Array.from(accounts, (index) => ({ address: staticAccounts[index] as Address, role: 0 })),
    data: Uint8Array.from(data),
  }));
}

/** A deposit for a single price, of which the output does not matter. */
function toDeposited(input: OrderMint, amount: bigint): DepositedTokens {
  return { input, output: plainMint(USDC), amount, kind: 'single' };
}
