import type { Chain, RecentBlockhash } from '../../../chain/chain.ts';
import type { LookupTableIndex } from '../../../market/pools/lookup-tables.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { LookupTableContents } from '../../../solana/messages/message-accounts.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import { LAMPORTS_PER_SIGNATURE, priorityFeeLamports } from '../../../solana/programs/message-fee.ts';
import { MIN_WALLET_LAMPORTS } from '../../../solana/rent.ts';
import {
  compileContents,
  type TransactionContents,
} from '../../../transactions/build/transaction-message.ts';
import type { GaslessOrders, ReturnedRent, SponsorDecision } from './gasless-orders.ts';
import { refuseOrder } from '../../prediction-refused.ts';

/** Micro-lamports per compute unit of every transaction of the product. */
const UNIT_PRICE = 50_000n;

/** The compute units that transactions may use: one with a route, and one without. */
export const ROUTED_UNITS = 750_000;
export const PLAIN_UNITS = 150_000;

export interface PredictionTransactionDependencies {
  readonly chain: Pick<Chain, 'recentBlockhash'>;
  /** Null makes transactions without lookup tables. */
  readonly lookupTables: Pick<LookupTableIndex, 'covering'> | null;
  /** Null without a sponsor. */
  readonly gasless: GaslessOrders | null;
}

/** Who pays for a transaction. */
export interface OrderPayer {
  readonly address: Address;
  /** The sponsor's keypair and what was counted in its budget; null if the owner pays. */
  readonly sponsor: (ReturnedRent & { readonly keypair: Keypair; readonly lamports: bigint }) | null;
}

/** A transaction that waits for the signature of its owner alone. */
export interface HalfSignedTransaction {
  readonly wire: Uint8Array;
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly isGasless: boolean;
}

/** What a transaction costs at the most. */
export interface ExpectedOrderCost {
  readonly signatures: number;
  readonly units: number;
  /** Of all accounts that it creates. */
  readonly rent: bigint;
  /** The part of that rent which comes back when the order is closed. */
  readonly returned: bigint;
}

/** Computes the most lamports that a transaction costs whoever pays for it. */
export function computeOrderLamports({
  signatures,
  units,
  rent,
}: Pick<ExpectedOrderCost, 'signatures' | 'units' | 'rent'>): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFeeLamports(UNIT_PRICE, BigInt(units)) + rent;
}

/** A transaction of which it is not decided who pays for it. */
export interface PayableOrder {
  readonly owner: Address;
  readonly walletLamports: bigint;
  readonly cost: ExpectedOrderCost;
  /** What it is worth in micro USD; null where the sponsor asks for no minimum. */
  readonly worth: bigint | null;
  /** The account of the order that it makes; null if it makes none. */
  readonly order: Address | null;
}

/**
 * Decides who pays for a transaction, and makes it. What was counted for one that cannot be made is subtracted again.
 * @throws PredictionRefused when the owner has to pay, and has too little
 */
export async function makePaidOrder<Made>(
  { gasless }: Pick<PredictionTransactionDependencies, 'gasless'>,
  { owner, walletLamports, cost, worth, order }: PayableOrder,
  make: (payer: OrderPayer) => Promise<Made>,
): Promise<Made> {
  const lamports = computeOrderLamports({ ...cost, signatures: cost.signatures + 1 });
  const decision =
    gasless === null ? null : await gasless.reserve({ owner, walletLamports, lamports, worth });
  if (gasless === null || decision?.kind !== 'pays') {
    const needed = computeOrderLamports(cost) + MIN_WALLET_LAMPORTS;
    if (walletLamports >= needed) return make({ address: owner, sponsor: null });
    return refuseOrder(
      'INSUFFICIENT_FUNDS',
      `Insufficient SOL: ${owner} needs ${needed - walletLamports} lamports more for the fees and rent${describeDecline(decision)}`,
      'ownerPubkey',
    );
  }
  const { keypair } = decision;
  try {
    const sponsor = { keypair, lamports, order, returned: cost.returned };
    return await make({ address: keypair.address, sponsor });
  } catch (error) {
    gasless.giveUp(owner, lamports);
    throw error;
  }
}

/** Says why the sponsor does not pay, where it might have. */
function describeDecline(decision: SponsorDecision | null): string {
  if (decision?.kind !== 'declines' || decision.reason === null) return '';
  return `, and the operator's sponsor does not pay: ${decision.reason}`;
}

/** What a transaction is made of. */
export interface OrderContents {
  readonly owner: Address;
  readonly payer: OrderPayer;
  /** Signs beside the owner and the sponsor; null if nobody does. */
  readonly authority: Keypair | null;
  readonly instructions: readonly Instruction[];
  readonly lookupTables: LookupTableContents | null;
  readonly units: number;
}

/**
 * Compiles a transaction and adds all signatures but the owner's.
 * @throws PredictionRefused when the accounts make no transaction, or one that is too large
 */
export function signOrderTransaction(
  { chain, lookupTables, gasless }: PredictionTransactionDependencies,
  { owner, payer, authority, instructions, lookupTables: given, units }: OrderContents,
): HalfSignedTransaction {
  const { sponsor } = payer;
  const recent = chain.recentBlockhash();
  const { blockhash, lastValidBlockHeight } = recent;
  const last = instructions.at(-1);
  const covering = last === undefined ? null : (lookupTables?.covering(last) ?? null);
  const contents = {
    feePayer: payer.address,
    instructions,
    lookupTables: given === null ? covering : { ...given, ...covering },
  };
  const signers = [sponsor?.keypair, authority].flatMap((each) => each ?? []);
  const wire = signContents(contents, units, recent, signers);
  if (sponsor !== null) {
    const signature = getTransactionSignature(parseTransaction(wire));
    const { lamports, order, returned } = sponsor;
    gasless?.noteHandedOut({ owner, lamports, order, returned, signature, lastValidBlockHeight });
  }
  return { wire, blockhash, lastValidBlockHeight, isGasless: sponsor !== null };
}

function signContents(
  contents: TransactionContents,
  limit: number,
  recent: RecentBlockhash,
  signers: readonly Keypair[],
): Uint8Array {
  try {
    return signTransaction(compileContents(contents, { limit, price: UNIT_PRICE }, recent), signers);
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    return refuseOrder('create_order_failed', `the accounts make no valid transaction: ${error.message}`);
  }
}
