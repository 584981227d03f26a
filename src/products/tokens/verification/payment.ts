import { type Chain, requireAvailable } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../../solana/programs/token/account.ts';
import { transferChecked } from '../../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import {
  buildTransaction,
  readAccounts,
  type TransactionPlan,
} from '../../../transactions/build/build-transaction.ts';
import { sumCosts, type LackingFunds } from '../../../transactions/build/costs.ts';
import type { DescribeFailure, TransactionFailure } from '../../../transactions/transaction-failure.ts';
import { type Currency, type PaymentAmounts, PRICE, type SwappedCurrency } from './price.ts';
import { sealPayment } from './seal.ts';
import { type SwappedPaymentDependencies, findSwappedPayments } from './swapped-payment.ts';

export const FEE_MINT = WRAPPED_SOL_MINT;
export const FEE_DECIMALS = 9;

/** Values of `code`, as clients know them. */
const INSUFFICIENT_TOKENS = 1;
const INSUFFICIENT_SOL = 2;
/** Errors of the token program are answered as this number and their own. */
const TOKEN_PROGRAM_ERRORS = 2_000;
const OTHER_FAILURE = 3_000;

export interface PaymentDependencies extends Omit<SwappedPaymentDependencies, 'chain'> {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly sealKey: Uint8Array;
  /** Returns how many payments were made before. */
  readonly nextSerial: () => number;
}

/** A payment to sign, or why the sender cannot pay. */
export type CraftedPayment =
  | ({
      readonly kind: 'crafted';
      /** The unsigned transaction. */
      readonly wire: Uint8Array;
      readonly requestId: string;
      /** Lamports that the sender pays for the transaction, with the rent of new token accounts. */
      readonly feeLamports: bigint;
      readonly lastValidBlockHeight: bigint;
    } & PaymentAmounts)
  | UncraftedPayment;

interface UncraftedPayment {
  readonly kind: 'lacking' | 'failing';
  readonly code: number;
  readonly error: string;
}

/**
 * Makes the transaction by which a wallet pays for a request: a transfer of JUP, or a swap of another currency to JUP.
 * The wallet pays the network's fee too. If a program refuses the cheapest swap, the next ones are tried.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftPayment(
  dependencies: PaymentDependencies,
  sender: Address,
  currency: Currency,
): Promise<CraftedPayment> {
  requireAvailable(dependencies.chain);
  if (currency === PRICE.symbol) {
    const amounts = { currency, inAmount: PRICE.amount, outAmount: PRICE.amount };
    return build(dependencies, sender, createTransferPlan(dependencies, sender), amounts);
  }
  let crafted: CraftedPayment = createUnswappable(currency);
  for (const { plan, inAmount, outAmount } of findSwappedPayments(dependencies, sender, currency)) {
    crafted = await build(dependencies, sender, plan, { currency, inAmount, outAmount });
    if (crafted.kind !== 'failing') return crafted;
  }
  return crafted;
}

async function build(
  { chain, describeFailure, sealKey, nextSerial }: PaymentDependencies,
  sender: Address,
  planned: Omit<TransactionPlan, 'serial'>,
  amounts: PaymentAmounts,
): Promise<CraftedPayment> {
  const plan = { ...planned, serial: nextSerial() };
  const built = await buildTransaction({ chain, describeFailure }, plan, await readAccounts(chain, plan));
  if (built.kind === 'lacking') return toLackingPayment(built.lack, amounts.currency);
  if (built.kind === 'refused') return toFailingPayment(built.failure);
  const { messageBytes, lastValidBlockHeight, costs } = built;
  return {
    kind: 'crafted',
    wire: encodeUnsigned(messageBytes),
    requestId: sealPayment(sealKey, { sender, messageBytes, lastValidBlockHeight, ...amounts }),
    feeLamports: sumCosts(costs),
    lastValidBlockHeight,
    ...amounts,
  };
}

function createTransferPlan(
  { receiver }: PaymentDependencies,
  sender: Address,
): Omit<TransactionPlan, 'serial'> {
  const { mint, decimals, amount } = PRICE;
  const [source, destination] = [sender, receiver].map((owner) =>
    deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM),
  ) as [Address, Address];
  const setup = { payer: sender, owner: receiver, mint, tokenProgram: TOKEN_PROGRAM };
  return {
    feePayer: sender,
    instructions: () => [
      createAssociatedTokenIdempotent(setup, destination),
      transferChecked(TOKEN_PROGRAM, { source, destination, authority: sender, mint, decimals, amount }),
    ],
    lookupTables: null,
    creations: [
      { account: destination, rent: () => computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE), isReturned: false },
    ],
    spends: [{ wallet: sender, amount, tokenAccount: source }],
    tip: 0n,
    priority: { asked: null, competesFor: [destination], isSponsored: false },
  };
}

function createUnswappable(currency: SwappedCurrency): UncraftedPayment {
  const error = `no pools sell 1,000 ${PRICE.symbol} for ${currency} near their price now`;
  return { kind: 'failing', code: OTHER_FAILURE, error };
}

function toLackingPayment(lack: LackingFunds, currency: Currency): UncraftedPayment {
  if (lack.kind === 'amount') {
    const error = `Insufficient ${currency}: the payment takes ${lack.spending.amount} atoms, the sender has ${lack.held}`;
    return { kind: 'lacking', code: INSUFFICIENT_TOKENS, error };
  }
  const error = `Insufficient SOL for gas: the sender needs ${lack.missing} lamports more`;
  return { kind: 'lacking', code: INSUFFICIENT_SOL, error };
}

function toFailingPayment({ code, program, message }: TransactionFailure): UncraftedPayment {
  const isToken = program === TOKEN_PROGRAM && code !== null;
  return {
    kind: 'failing',
    code: isToken ? TOKEN_PROGRAM_ERRORS + code : OTHER_FAILURE,
    error: `The payment would fail: ${message}`,
  };
}
