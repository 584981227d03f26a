// Liquidates borrow vaults at a profit: lends itself the debt for one transaction, pays it back for the borrowers, sells
// the collateral, and returns the loan. Start Sluice with `npm start`, then run `npx tsx examples/liquidator.ts`.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';
import {
  FLASHLOAN_ADMIN,
  flashloanBorrow,
  flashloanPayback,
} from '../src/protocols/jupiter-lend/flashloan/instructions.ts';
import { FLASHLOAN_ADMIN_ACCOUNT } from '../src/protocols/jupiter-lend/flashloan/layouts.ts';
import {
  computeMinimumCollateralPerDebt,
  type LiquidationCandidate,
  selectOffersThatPay,
  computeLiquidationProfit,
  listSizesToTry,
} from '../src/protocols/jupiter-lend/liquidation/choose.ts';
import {
  liquidate,
  type LiquidationAccounts,
  parseLiquidationResult,
} from '../src/protocols/jupiter-lend/liquidation/instruction.ts';
import { MAX_TICKS } from '../src/protocols/jupiter-lend/liquidation/range.ts';
import { toVaultUnits } from '../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { address, type Address } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../src/solana/programs/associated-token.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import { readTokenAccountAmount } from '../src/solana/programs/token/account.ts';
import { syncNative } from '../src/solana/programs/token/instructions.ts';
import { U64_MAX } from '../src/solana/units.ts';
import { CLEARING_TICKS, MIN_DEBT, mostThatPasses } from './clearing.ts';
import { findLiquidation, isSuspect, type Liquidation, type ListedVault } from './liquidation.ts';
import { openLanding, type Tables } from './landing.ts';
import { Patience } from './patience.ts';

const {
  SLUICE_URL,
  SOLANA_RPC_URL,
  SOLANA_WS_URL,
  SLUICE_WALLET,
  SLUICE_LIQUIDATOR_KEY,
  SLUICE_LEAST_PROFIT,
} = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
const signer = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
const wallet = address(signer.address);
/** No answer and no confirmation is waited for any longer. */
const MAX_WAIT_MS = 60_000;
const { read, simulate, land, table } = openLanding({
  rpc: kit.createSolanaRpc(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899'),
  rpcSubscriptions: kit.createSolanaRpcSubscriptions(SOLANA_WS_URL ?? 'ws://127.0.0.1:8900'),
  signer,
  maxWaitMs: MAX_WAIT_MS,
});
/** US dollars: more than what a transaction and the rent of new accounts cost. */
const leastProfit = Number(SLUICE_LEAST_PROFIT ?? 0.5);
if (!(leastProfit >= 0 && leastProfit <= 1e9)) {
  throw new Error(`SLUICE_LEAST_PROFIT is ${SLUICE_LEAST_PROFIT}, but must be a number of US dollars`);
}
const [EVERY_MS, SLIPPAGE_BPS] = [1_000, 30];
/** Collateral that stays unsold, as interest moves the amount until the transaction lands: one part in this many. */
const UNSOLD = 1_000_000n;
/** How much less collateral is accepted for the debt. */
const TOLERANCE_BPS = 10n;
/** US dollars of debt that the liquidator pays back with its own tokens to get past many small ticks. */
const MAX_CLEARING = 1;
/** What it sells to have such tokens. */
const CLEARING_LAMPORTS = 10_000_000n;
/**
 * How many ticks a liquidation names, and how many accounts the sale beside it. A transaction may have 64 accounts, so
 * that debt on many small ticks, with which somebody shields larger debt below, needs a simple sale.
 */
const PLANS = [
  { ticks: MAX_TICKS, saleAccounts: 24 },
  { ticks: MAX_TICKS, saleAccounts: 21 },
  { ticks: MAX_TICKS, saleAccounts: 16 },
  { ticks: 12, saleAccounts: 12 },
];
type Plan = (typeof PLANS)[number];
const CLOCK = address('SysvarC1ock11111111111111111111111111111111');

const MARKETS = ['main', 'ethena'];

type Account = { pubkey: string; isSigner: boolean; isWritable: boolean };
type Step = { programId: string; accounts: Account[]; data: string };

async function get<T>(path: string): Promise<T> {
  const headers = SLUICE_LIQUIDATOR_KEY === undefined ? {} : { 'x-api-key': SLUICE_LIQUIDATOR_KEY };
  const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(MAX_WAIT_MS) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text()) as T;
}

const instruction = ({ programId, accounts, data }: Step): Instruction => ({
  programAddress: address(programId),
  accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
    address: address(pubkey),
    role: (Number(isSigner) * 2 + Number(isWritable)) as 0 | 1 | 2 | 3,
  })),
  data: Buffer.from(data, 'base64'),
});

interface Sale {
  readonly otherAmountThreshold: string;
  readonly swapInstruction: Step;
  readonly addressesByLookupTableAddress: Tables | null;
}

interface Purchase extends Sale {
  readonly setupInstructions: readonly Step[];
  readonly cleanupInstruction: Step | null;
}

/** What selling the collateral brings, or null if no route takes so much. */
async function sell(listed: ListedVault, collateral: bigint, accounts: number): Promise<Sale | null> {
  const query = new URLSearchParams({
    inputMint: listed.supplyToken.address,
    outputMint: listed.borrowToken.address,
    amount: String(collateral - collateral / UNSOLD - 1n),
    taker: wallet,
    slippageBps: String(SLIPPAGE_BPS),
    wrapAndUnwrapSol: 'false',
    maxAccounts: String(accounts),
  });
  return get<Sale>(`/swap/v2/build?${query}`).catch(() => null);
}

/** Accounts for both tokens, and those of the vault that are not there yet. */
function setup({ vault, setup: missing }: Liquidation): readonly Instruction[] {
  const { config, supplyTokenProgram, borrowTokenProgram } = vault;
  const account = (mint: Address, tokenProgram: Address) =>
    createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram });
  return [
    account(config.supplyToken, supplyTokenProgram),
    account(config.borrowToken, borrowTokenProgram),
    ...missing(wallet),
  ];
}

interface Offer extends LiquidationCandidate {
  readonly sale: Sale;
  readonly absorb: boolean;
}

/** What a liquidation moves, or null if it fails. The system program as recipient only asks for the result. */
async function ask(found: Liquidation, tables: Tables, debt: bigint, absorb: boolean) {
  const terms = { debt, collateralPerDebt: 0n, absorb };
  const asked = liquidate(found.vault, wallet, SYSTEM_PROGRAM, found.accounts, terms);
  return parseLiquidationResult((await simulate([...setup(found), asked], tables)).logs);
}

/** The most that can be liquidated: all, or as much as lies on the ticks that are named. */
async function mostOf(listed: ListedVault, found: Liquidation, tables: Tables, absorb: boolean) {
  return mostThatPasses((debt) => ask(found, tables, debt, absorb), U64_MAX, BigInt(listed.totalBorrow));
}

/** What liquidating the vault would pay at several sizes. */
async function offersFor(
  listed: ListedVault,
  found: Liquidation,
  tables: Tables,
  plan: Plan,
): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  // What was absorbed has a price of its own, at which it may not pay, and must then not keep the rest from it.
  for (const absorb of found.absorbed > 0n ? [true, false] : [true]) {
    const most = await mostOf(listed, found, tables, absorb);
    if (most === null) continue;
    for (const debt of listSizesToTry(most.debt, MIN_DEBT)) {
      const collateral = (most.collateral * debt) / most.debt;
      const sale = await sell(listed, collateral, plan.saleAccounts);
      if (sale === null) continue;
      offers.push({ debt, collateral, proceeds: BigInt(sale.otherAmountThreshold), sale, absorb });
    }
  }
  return offers;
}

/** Loan, liquidation, sale and repayment: all of it lands, or nothing. */
function stepsOf(listed: ListedVault, found: Liquidation, offer: Offer): readonly Instruction[] {
  const { vault, accounts } = found;
  const token = { mint: vault.config.borrowToken, tokenProgram: vault.borrowTokenProgram };
  const debt = toVaultUnits(offer.debt, listed.borrowToken.decimals);
  const collateral = toVaultUnits(offer.collateral, listed.supplyToken.decimals);
  const collateralPerDebt = computeMinimumCollateralPerDebt({ debt, collateral }, TOLERANCE_BPS);
  return [
    ...setup(found),
    flashloanBorrow(wallet, token, offer.debt),
    liquidate(vault, wallet, wallet, accounts, { debt: offer.debt, collateralPerDebt, absorb: offer.absorb }),
    instruction(offer.sale.swapInstruction),
    flashloanPayback(wallet, token, offer.debt),
  ];
}

/** Lands one liquidation of the vault if one pays, or an absorption that has to come first, and says what it did. */
async function tend(listed: ListedVault): Promise<string | null> {
  const [clock] = await read([CLOCK]);
  const now = Buffer.from(clock?.data ?? new Uint8Array(40)).readBigInt64LE(32);
  const failures: unknown[] = [];
  for (const plan of PLANS) {
    const found = await findLiquidation(read, listed, now, plan.ticks);
    if (found === null) return null;
    const tables = await table(found.lookupTable);
    if (found.absorption !== null) return absorb(listed, found, found.absorption, tables);
    // What does not fit a transaction, or is overtaken, may do with another plan.
    const done = await liquidateBy(plan, listed, found, tables).catch((error: unknown) => {
      failures.push(error);
      return null;
    });
    if (done !== null) return done;
  }
  const cleared = await clear(listed, now);
  if (cleared !== null) return cleared;
  if (failures.length > 0) throw new Error(failures.join('; '));
  return null;
}

/**
 * Liquidates the highest ticks by themselves where there are more of them than a liquidation with a sale can name, and
 * little debt on them: it is paid back with own tokens, and the collateral is kept. They become one branch by that, so that
 * a later round reaches what stands below.
 */
async function clear(listed: ListedVault, now: bigint): Promise<string | null> {
  const found = await findLiquidation(read, listed, now, CLEARING_TICKS);
  const named = Math.max(...PLANS.map(({ ticks }) => ticks));
  if (found === null || found.accounts.ticks.length <= named) return null;
  const tables = await table(found.lookupTable);
  const most = await mostOf(listed, found, tables, false);
  const { decimals, price } = listed.borrowToken;
  if (most === null || !(Number(price) > 0)) return null;
  // Less than there is clears the highest ticks, too: a liquidation begins at the top.
  const budget = BigInt(Math.floor((MAX_CLEARING / Number(price)) * 10 ** decimals));
  const debt = most.debt < budget ? most.debt : budget;
  await hold(listed, found, debt);
  const amounts = {
    debt: toVaultUnits(debt, decimals),
    collateral: toVaultUnits((most.collateral * debt) / most.debt, listed.supplyToken.decimals),
  };
  const collateralPerDebt = computeMinimumCollateralPerDebt(amounts, TOLERANCE_BPS);
  const terms = { debt, collateralPerDebt, absorb: false };
  const steps = [...setup(found), liquidate(found.vault, wallet, wallet, found.accounts, terms)];
  const signature = await land(steps, tables);
  return `vault ${listed.id}: cleared ${whole(debt, listed.borrowToken)} on up to ${CLEARING_TICKS} ticks, in ${signature}`;
}

/** Sees to it that the wallet has so much of the debt's token: it sells some SOL if it has less. */
async function hold({ borrowToken }: ListedVault, { vault }: Liquidation, amount: bigint): Promise<void> {
  const { borrowTokenProgram } = vault;
  const mint = address(borrowToken.address);
  const account = deriveAssociatedTokenAddress(wallet, mint, borrowTokenProgram);
  const [found] = await read([account]);
  if (found != null && readTokenAccountAmount(found.data) >= amount) return;
  if (mint === WRAPPED_SOL_MINT) {
    const create = createAssociatedTokenIdempotent({
      payer: wallet,
      owner: wallet,
      mint,
      tokenProgram: borrowTokenProgram,
    });
    const steps = [
      create,
      transferLamports(wallet, account, CLEARING_LAMPORTS),
      syncNative(borrowTokenProgram, account),
    ];
    await land(steps, {});
    return;
  }
  const query = new URLSearchParams({
    inputMint: WRAPPED_SOL_MINT,
    outputMint: mint,
    amount: String(CLEARING_LAMPORTS),
    taker: wallet,
    slippageBps: String(SLIPPAGE_BPS),
  });
  const purchase = await get<Purchase>(`/swap/v2/build?${query}`);
  const { setupInstructions, swapInstruction, cleanupInstruction, addressesByLookupTableAddress } = purchase;
  const steps = [
    ...setupInstructions,
    swapInstruction,
    ...(cleanupInstruction == null ? [] : [cleanupInstruction]),
  ];
  await land(steps.map(instruction), addressesByLookupTableAddress ?? {});
}

/** Lets the vault take over what is above the highest limit. A later round liquidates it. */
async function absorb(
  listed: ListedVault,
  found: Liquidation,
  accounts: LiquidationAccounts,
  tables: Tables,
): Promise<string> {
  const terms = { debt: 0n, collateralPerDebt: 0n, absorb: false };
  const signature = await land(
    [...setup(found), liquidate(found.vault, wallet, wallet, accounts, terms)],
    tables,
  );
  return `vault ${listed.id}: absorbed the debt of ${accounts.ticks.length} ticks, in ${signature}`;
}

async function liquidateBy(plan: Plan, listed: ListedVault, found: Liquidation, tables: Tables) {
  const [admin] = await read([FLASHLOAN_ADMIN.address]);
  const flashFee = BigInt(FLASHLOAN_ADMIN_ACCOUNT.decode(admin?.data ?? new Uint8Array(0)).flashloanFee);
  const { borrowToken, supplyToken } = listed;
  const price = Number(borrowToken.price);
  if (!(price > 0)) throw new Error(`${borrowToken.symbol} has no price in US dollars to count profit in`);
  const least = BigInt(Math.ceil((leastProfit / price) * 10 ** borrowToken.decimals));
  const costs = { flashFee, transaction: 0n };
  const failures: unknown[] = [];
  for (const offer of selectOffersThatPay(await offersFor(listed, found, tables, plan), costs, least)) {
    const all = { ...tables, ...offer.sale.addressesByLookupTableAddress };
    try {
      const signature = await land(stepsOf(listed, found, offer), all);
      return (
        `vault ${listed.id}: paid back ${whole(offer.debt, borrowToken)} for ${whole(offer.collateral, supplyToken)}, ` +
        `with a profit of at least ${whole(computeLiquidationProfit(offer, costs), borrowToken)}, in ${signature}`
      );
    } catch (error) {
      failures.push(error);
    }
  }
  // The last one is the least that pays, and has the fewest reasons to fail.
  if (failures.length > 0) throw failures.at(-1);
  return null;
}

function whole(amount: bigint, { decimals, symbol }: ListedVault['supplyToken']): string {
  return `${Number(amount) / 10 ** decimals} ${symbol}`;
}

const patience = new Patience();

/** Looks at every vault on its own, so that one that fails does not keep the others waiting. */
async function round(): Promise<void> {
  const lists = MARKETS.map((market) => get<ListedVault[]>(`/lend/v1/borrow/vaults?market=${market}`));
  const vaults = (await Promise.all(lists)).flat();
  for (const listed of patience.pick(vaults.filter(isSuspect))) {
    try {
      const done = await tend(listed);
      if (done === null) patience.gaveNothing(listed);
      else {
        patience.gave(listed);
        console.log(done);
      }
    } catch (error) {
      patience.gaveNothing(listed);
      console.log(`vault ${listed.id}: ${String(error)}`);
    }
  }
}

// Where another process runs this one, it ends with it.
process.once('disconnect', () => process.exit(0));
console.log(`watching the vaults of ${url} as ${wallet}`);
for (;;) {
  await round().catch((error: unknown) => console.log(String(error)));
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
