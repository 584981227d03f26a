import { venueLabels } from '../../protocol/venue/venue.ts';
import { VENUES } from '../../protocols/venues.ts';
import { JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import type { Address } from '../../solana/address.ts';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { decodeComputeBudget } from '../../solana/programs/compute-budget.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { type ExecuteDependencies, executeSwap } from '../../products/swap/execution/execute.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { ExecutionRequest } from '../../products/swap/execution/forward-execution.ts';
import { toExecuteResponse, type ExecuteResponse } from '../../products/swap/endpoints/execute.ts';
import { toOrderResponse, type OrderResponse } from '../../products/swap/endpoints/order.ts';
import { orderSwap } from '../../products/swap/order/order.ts';
import { parseOrderRequest } from '../../products/swap/endpoints/order-parameters.ts';
import type { House } from '../../swaps/fees/house-fee.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import type { SwapEngineOptions } from '../../app/swap-engines.ts';
import type { ComposedSwap } from '../../products/swap/order/swap-services.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { SkippingTimers } from '../timers.ts';
import { composeTestSwap } from './compose.ts';
import { openTestMarket, type GenesisTestMarket } from './open.ts';
import { throwPublicRefusal } from './public-refusal.ts';

const LABELS = { ...venueLabels(VENUES), [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label };

/** Orders and their execution over the genesis market in LiteSVM. */
export interface TestSwap {
  readonly market: GenesisTestMarket;
  readonly composed: ComposedSwap;
  /** The first demo wallet. */
  readonly wallet: Keypair;
  /** A wallet of its own with so many lamports. */
  newWallet(lamports: bigint): Keypair;
  /** For the demo wallet, unless the query names another taker. */
  order(query: Query): Promise<OrderResponse>;
  sign(order: OrderResponse, signers?: readonly Keypair[]): string;
  /** Signs and lands it. */
  execute(order: OrderResponse, signers?: readonly Keypair[]): Promise<ExecuteResponse>;
  /** Tokens, or all lamports of the wallet and its wrapped-SOL account. */
  holding(owner: Address, mint: Address): bigint;
  /** Lamports that the order costs: what it says, and where the network rounds its priority fee up, one more. */
  costsOf(order: OrderResponse): bigint;
}

/** What is joined to the market in addition to its pools. */
export interface TestSwapOptions {
  readonly makers?: (market: GenesisTestMarket, timers: Timers) => SwapEngineOptions['makers'];
  readonly webhooks?: SwapEngineOptions['webhooks'];
  readonly sponsor?: (market: GenesisTestMarket) => Sponsor;
  readonly house?: (market: GenesisTestMarket) => House;
  /** Default: timers that skip whatever is waited for. */
  readonly timers?: Timers;
  /** Another swap's: this one then stands for the same service after a restart. */
  readonly market?: GenesisTestMarket;
}

export async function openTestSwap(options: TestSwapOptions = {}): Promise<TestSwap> {
  const market = options.market ?? (await openTestMarket());
  const { network, chain, genesis } = market;
  const [wallet] = genesis.keys.demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  let requests = 0;
  let wallets = 0;
  // A slot takes as long as a cluster's.
  const timers = options.timers ?? new SkippingTimers((ms) => chain.pass(BigInt(Math.ceil(ms / 400))));
  const composed = composeTestSwap(market, {
    venueLabels: LABELS,
    timers,
    makers: options.makers?.(market, timers) ?? null,
    webhooks: options.webhooks ?? null,
    sponsor: options.sponsor?.(market) ?? null,
    house: options.house?.(market) ?? null,
    newRequestId: () => `request ${++requests}`,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
  });
  const sign = (order: OrderResponse, signers: readonly Keypair[] = [wallet]): string => {
    if (!order.transaction) throw new Error(`no transaction: ${order.error ?? 'no taker'}`);
    const unsigned = parseTransaction(Buffer.from(order.transaction, 'base64'));
    return Buffer.from(addSignatures(unsigned, signers)).toString('base64');
  };
  return {
    market,
    composed,
    wallet,
    sign,
    newWallet: (lamports) => {
      const keypair = createKeypairFromSeed(sha256(Buffer.from(`swap wallet ${++wallets}`)));
      const account = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
      if (lamports > 0n)
        network.setAccount(keypair.address, { ...account, executable: false, rentEpoch: 0n });
      return keypair;
    },
    order: async (query) => {
      const request = parseOrderRequest({ taker: wallet.address, ...query }, Object.values(LABELS));
      const ordered = orderSwap(composed, request, {
        requestId: composed.newRequestId(),
        caller: { kind: 'organisation', id: 'test' },
      });
      return toOrderResponse(composed.prices, await ordered.catch(throwPublicRefusal));
    },
    execute: async (order, signers) => {
      const signedTransaction = sign(order, signers);
      return toExecuteResponse(
        await executeUnrefused(composed, { signedTransaction, requestId: order.requestId }),
      );
    },
    holding: (owner, mint) => {
      const program = network.account(mint)?.owner;
      if (program === undefined) throw new Error(`no mint ${mint}`);
      const account = deriveAssociatedTokenAddress(owner, mint, program);
      const held = network.account(account);
      if (mint !== WRAPPED_SOL_MINT) return held === null ? 0n : network.tokenBalance(account);
      return (network.account(owner)?.lamports ?? 0n) + (held?.lamports ?? 0n);
    },
    costsOf: (order) =>
      BigInt(order.signatureFeeLamports + order.prioritizationFeeLamports + order.rentFeeLamports) +
      (isPriorityFeeRounded(order) ? 1n : 0n),
  };
}

/** Whether the limit times the price is no whole number of lamports. */
function isPriorityFeeRounded({ transaction }: OrderResponse): boolean {
  if (!transaction) return false;
  const { message } = parseTransaction(Buffer.from(transaction, 'base64'));
  let [units, price] = [0n, 0n];
  for (const { programIndex, data } of message.instructions) {
    if (message.staticAccounts[programIndex] !== COMPUTE_BUDGET_PROGRAM) continue;
    const setting = decodeComputeBudget(data);
    if (setting?.kind === 'setComputeUnitLimit') units = BigInt(setting.units);
    if (setting?.kind === 'setComputeUnitPrice') price = setting.microLamports;
  }
  return (units * price) % 1_000_000n !== 0n;
}

/**
 * Executes an order that must not be refused.
 * @throws Error with the reason if the request is refused
 */
export async function executeUnrefused(
  dependencies: ExecuteDependencies,
  request: ExecutionRequest,
): Promise<ExecutionResult> {
  const outcome = await executeSwap(dependencies, request);
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  return outcome;
}
