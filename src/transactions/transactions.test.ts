import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ALICE, BOB, GENESIS, createTestKey, createWalletAccount } from '../testing/chain/bank.ts';
import { startTestChain } from '../testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../chain/embedded/network.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Keypair } from '../solana/keypair.ts';
import type { Instruction } from '../solana/messages/instruction.ts';
import { encodeLookupTable } from '../solana/messages/lookup-table.ts';
import {
  addSignatures,
  encodeUnsigned,
  parseTransaction,
  type Transaction,
  getTransactionSignature,
} from '../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../solana/pda.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../solana/programs/associated-token.ts';
import { memo } from '../solana/programs/memo.ts';
import { transferLamports } from '../solana/programs/system.ts';
import { TOKEN_ACCOUNT_SIZE, readTokenAccountAmount } from '../solana/programs/token/account.ts';
import { encodeMint } from '../solana/programs/token/mint.ts';
import { syncNative, transfer } from '../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../solana/rent.ts';
import { U64_MAX } from '../solana/units.ts';
import { buildTransaction, readAccounts, type TransactionPlan } from './build/build-transaction.ts';
import { listWritableAccounts } from './build/transaction-message.ts';
import { MemoryPreparedStore } from './prepared/memory-prepared-store.ts';
import { prepareTransaction, type PreparedTransaction } from './prepared/store.ts';
import { createSponsorship } from './sponsor/charge.ts';
import type { SponsorPolicy } from './sponsor/exposure.ts';
import { type Sponsor, type SponsoredOutcome, submitSponsored } from './sponsor/sponsor.ts';
import { MemoryTakerLeases } from './sponsor/taker-leases.ts';
import { isFinalOutcome } from './submit/submit-and-read.ts';
import { type PaidOutcome, submitPaid } from './submit/submit-paid.ts';
import { createFailureDescriber } from './transaction-failure.ts';

const SPONSOR = createTestKey(7);

let chain: EmbeddedChain;
let spent: bigint;
beforeAll(setUp);
afterAll(() => chain?.close());

describe('a product that is not a swap', () => {
  it('builds, keeps and executes a transaction that the taker pays for', async () => {
    const plan = depositPlan(ALICE, ALICE);
    const { prepared, costs } = await prepare(plan, ALICE, null);
    expect(costs).toEqual({
      payer: ALICE.address,
      signatureFee: 5_000n,
      prioritizationFee: costs.prioritizationFee,
      statedPrioritizationFee: costs.statedPrioritizationFee,
      rentFee: 2n * RENT,
    });
    const { message } = parseTransaction(encodeUnsigned(prepared.messageBytes));
    expect(message.lookups).toMatchObject([{ table: TABLE }]);
    const before = await lamportsOf(ALICE);
    const outcome = await execute(prepared, [ALICE]);
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(before - (await lamportsOf(ALICE))).toBe(
      DEPOSIT + costs.signatureFee + costs.prioritizationFee + costs.rentFee,
    );
    expect(await wrappedAmount(VAULT)).toBe(DEPOSIT);
  });

  it('charges no rent for accounts that exist, and estimates the compute units', async () => {
    const { prepared, costs } = await prepare(depositPlan(ALICE, ALICE), ALICE, null);
    expect(costs.rentFee).toBe(0n);
    const { message } = parseTransaction(encodeUnsigned(prepared.messageBytes));
    const [limit] = message.instructions;
    const units = Buffer.from(limit?.data ?? []).readUInt32LE(1);
    expect(units).toBeGreaterThan(10_000);
    expect(units).toBeLessThan(200_000);
  });

  it('executes a transaction once, and gives the same answer again', async () => {
    const { prepared } = await prepare(depositPlan(ALICE, ALICE), ALICE, null);
    const [one, other] = await Promise.all([execute(prepared, [ALICE]), execute(prepared, [ALICE])]);
    expect(one).toMatchObject({ kind: 'succeeded' });
    expect(other).toBe(one);
  });

  it('has a sponsor pay within the declared policy, for a taker without SOL to spare', async () => {
    const plan = depositPlan(POOR, SPONSOR);
    const sponsored: TransactionPlan = { ...plan, priority: { ...plan.priority, isSponsored: true } };
    const { prepared, costs } = await prepare(sponsored, POOR, SPONSOR);
    const before = await lamportsOf(SPONSOR);
    expect(await execute(prepared, [POOR])).toMatchObject({ kind: 'succeeded' });
    const paid = before - (await lamportsOf(SPONSOR));
    expect(paid).toBe(costs.signatureFee + costs.prioritizationFee + costs.rentFee);
    expect(spent).toBe(paid);
  });

  it('is not sponsored for what the policy does not admit', async () => {
    const plan: TransactionPlan = {
      ...depositPlan(ALICE, SPONSOR),
      creations: [],
      instructions: () => [memo('one', [ALICE.address]), memo('two'), memo('three')],
    };
    const { prepared } = await prepare(plan, ALICE, SPONSOR);
    expect(await execute(prepared, [ALICE])).toEqual({
      kind: 'withheld',
      reason: 'it makes 3 deposits instead of 1 to 2',
    });
  });

  it('says what the wallets lack, and why a program refuses', async () => {
    const stranger = createTestKey(10);
    const poor = depositPlan(stranger, stranger);
    const lacking = await buildTransaction(dependencies(), poor, await readAccounts(chain, poor));
    expect(lacking).toMatchObject({ kind: 'lacking', lack: { kind: 'amount', held: 0n } });
    const paid = depositPlan(stranger, ALICE);
    const free: TransactionPlan = { ...paid, spends: [] };
    const refused = await buildTransaction(dependencies(), free, await readAccounts(chain, free));
    expect(refused).toMatchObject({ kind: 'refused', failure: { code: 1 } });
    const most = (await lamportsOf(ALICE)) + 1n;
    const all = {
      ...depositPlan(ALICE, ALICE),
      spends: [{ wallet: ALICE.address, amount: most - 2n, tokenAccount: null }],
    };
    const unpaid = await buildTransaction(dependencies(), all, await readAccounts(chain, all));
    expect(unpaid).toMatchObject({ kind: 'lacking', lack: { kind: 'lamports', payer: ALICE.address } });
  });
});

/**
 * A small lending product: a deposit moves wrapped SOL into the vault's token account. It stands for every product that
 * is not a swap, and uses nothing but this room.
 */
const VAULT = BOB;
const POOR = createTestKey(8);
const TABLE = createTestKey(9).address;
const DEPOSIT = 50_000_000n;
const RENT = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);
const vaultAccount = wrappedAccount(VAULT);
const POLICY: SponsorPolicy = {
  programs: new Set([MEMO_PROGRAM]),
  calls: { min: 1, max: 2 },
  noun: 'deposit',
  plural: 'deposits',
  paysBack: false,
};
const describeFailure = createFailureDescriber(() => null);
const table = encodeLookupTable({
  deactivationSlot: U64_MAX,
  lastExtendedSlot: 0n,
  lastExtendedStartIndex: 0,
  authority: null,
  addresses: [vaultAccount, WRAPPED_SOL_MINT, VAULT.address],
});

async function setUp(): Promise<void> {
  const owned = (owner: typeof TOKEN_PROGRAM, data: Uint8Array) => ({
    ...createWalletAccount(computeRentExemptMinimum(data.length)),
    owner,
    data,
  });
  const mint = encodeMint({
    mintAuthority: null,
    supply: 0n,
    decimals: 9,
    freezeAuthority: null,
    extensions: [],
  });
  chain = await startTestChain({
    genesis: () => [
      ...GENESIS,
      { address: SPONSOR.address, account: createWalletAccount(10_000_000_000n) },
      { address: POOR.address, account: createWalletAccount(DEPOSIT + 1_000_000n) },
      { address: WRAPPED_SOL_MINT, account: owned(TOKEN_PROGRAM, mint) },
      { address: TABLE, account: owned(ADDRESS_LOOKUP_TABLE_PROGRAM, table) },
    ],
    slotMs: 100,
  });
  // A table may be used from the slot after it was extended.
  await vi.waitFor(() => expect(chain.slot('confirmed')).toBeGreaterThan(2n));
}

const store = new MemoryPreparedStore<PreparedTransaction, SponsoredOutcome | PaidOutcome>({
  capacity: 100,
  what: 'deposits',
  timers: SYSTEM_TIMERS,
  height: () => chain.blockHeight('confirmed'),
});
const takerLeases = new MemoryTakerLeases(SYSTEM_TIMERS);
const sponsor: Sponsor = {
  keypair: SPONSOR,
  budget: {
    refusal: async () => null,
    spend: async (_taker, lamports) => {
      spent = lamports;
      return null;
    },
    giveBack: (_taker, lamports) => {
      spent -= lamports;
    },
  },
  leastDollars: 0,
  feeMints: new Set(),
};
let serial = 0;

function dependencies() {
  return { chain, timers: SYSTEM_TIMERS, describeFailure, sponsor, takerLeases };
}

/** Wraps SOL of the taker, and moves it into the vault. */
function depositPlan(taker: Keypair, payer: Keypair): TransactionPlan {
  const own = wrappedAccount(taker);
  const create = (owner: Keypair): Instruction =>
    createAssociatedTokenIdempotent({
      payer: payer.address,
      owner: owner.address,
      mint: WRAPPED_SOL_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
  const deposit = transfer(TOKEN_PROGRAM, {
    source: own,
    destination: vaultAccount,
    authority: taker.address,
    amount: DEPOSIT,
  });
  const isSponsored = payer === SPONSOR;
  const accounts = isSponsored ? [own] : [own, vaultAccount];
  return {
    feePayer: payer.address,
    instructions: () => [
      create(taker),
      ...(isSponsored ? [] : [create(VAULT)]),
      transferLamports(taker.address, own, DEPOSIT),
      syncNative(TOKEN_PROGRAM, own),
      isSponsored ? memo('deposit', [taker.address]) : deposit,
    ],
    lookupTables: { [TABLE]: [vaultAccount, WRAPPED_SOL_MINT, VAULT.address] },
    creations: accounts.map((account) => ({ account, rent: () => RENT, isReturned: false })),
    spends: [{ wallet: taker.address, amount: DEPOSIT, tokenAccount: null }],
    tip: 0n,
    priority: { asked: null, competesFor: listWritableAccounts(deposit), isSponsored: false },
    serial: serial++,
  };
}

async function prepare(plan: TransactionPlan, taker: Keypair, payer: Keypair | null) {
  const build = await buildTransaction(dependencies(), plan, await readAccounts(chain, plan));
  if (build.kind !== 'built') throw new Error(`not built: ${JSON.stringify(build.kind)}`);
  const prepared = prepareTransaction(build, {
    requestId: `deposit ${serial}`,
    taker: taker.address,
    sponsorship: payer === null ? null : createSponsorship(sponsor, build.costs),
  });
  await store.put(prepared);
  return { prepared, costs: build.costs };
}

async function execute(
  { requestId }: PreparedTransaction,
  signers: readonly Keypair[],
): Promise<SponsoredOutcome | PaidOutcome> {
  const prepared = await store.get(requestId);
  if (prepared === null) throw new Error(`${requestId} is not kept`);
  const unsigned = parseTransaction(encodeUnsigned(prepared.messageBytes));
  const signed: Transaction = parseTransaction(addSignatures(unsigned, signers));
  return store.executeOnce(prepared, async (attempt) => {
    const outcome =
      prepared.sponsorship === undefined
        ? await submitPaid(
            dependencies(),
            prepared,
            submittable(prepared, signed, signers),
            attempt,
            'deposit',
          )
        : await submitSponsored(dependencies(), prepared, signed, attempt, POLICY);
    const final = outcome.kind !== 'withheld' && outcome.kind !== 'too-expensive' && isFinalOutcome(outcome);
    return { final, answer: outcome };
  });
}

function submittable(
  { lastValidBlockHeight }: PreparedTransaction,
  signed: Transaction,
  signers: readonly Keypair[],
) {
  const wire = addSignatures(signed, signers);
  return { wire, signature: getTransactionSignature(signed), lastValidBlockHeight };
}

function wrappedAccount({ address }: Keypair) {
  return deriveAssociatedTokenAddress(address, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
}

async function lamportsOf({ address }: Keypair): Promise<bigint> {
  const [read] = await chain.getAccounts([address], 'confirmed');
  return read?.account?.lamports ?? 0n;
}

async function wrappedAmount(owner: Keypair): Promise<bigint> {
  const [read] = await chain.getAccounts([wrappedAccount(owner)], 'confirmed');
  return readTokenAccountAmount(read?.account?.data ?? new Uint8Array(TOKEN_ACCOUNT_SIZE));
}
