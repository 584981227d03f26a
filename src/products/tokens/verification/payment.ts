import { type Chain, requireAvailable } from '../../../chain/chain.ts';
import { type Address, address } from '../../../solana/address.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../../solana/programs/token/account.ts';
import { transferChecked } from '../../../solana/programs/token/instructions.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import {
  buildTransaction,
  readAccounts,
  type TransactionBuild,
  type TransactionPlan,
} from '../../../transactions/build/build-transaction.ts';
import { totalCosts } from '../../../transactions/build/costs.ts';
import type { LackingFunds } from '../../../transactions/build/funds.ts';
import type { DescribeFailure, TransactionFailure } from '../../../transactions/transaction-failure.ts';
import { sealPayment } from './seal.ts';

/** What a request costs: 1,000 JUP. */
export const PRICE = {
  symbol: 'JUP',
  mint: address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
  decimals: 6,
  amount: 1_000_000_000n,
};

export const FEE_MINT = WRAPPED_SOL_MINT;
export const FEE_DECIMALS = 9;

/** Values of `code`, as clients know them. */
const INSUFFICIENT_TOKENS = 1;
const INSUFFICIENT_SOL = 2;
/** Errors of the token program are answered as this number and their own. */
const TOKEN_PROGRAM_ERRORS = 2_000;
const OTHER_FAILURE = 3_000;

export interface PaymentDependencies {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly receiver: Address;
  readonly sealKey: Uint8Array;
  /** Returns how many payments were made before. */
  readonly nextSerial: () => number;
}

/** A payment to sign, or why the sender cannot pay. */
export type CraftedPayment =
  | {
      readonly kind: 'crafted';
      /** The unsigned transaction. */
      readonly wire: Uint8Array;
      readonly requestId: string;
      /** Lamports that the sender pays for the transaction, with the rent of a new token account. */
      readonly feeLamports: bigint;
      readonly lastValidBlockHeight: bigint;
    }
  | { readonly kind: 'lacking'; readonly code: number; readonly error: string };

/**
 * Makes the transaction by which a wallet pays for a request. The wallet pays the network's fee too.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftPayment(
  dependencies: PaymentDependencies,
  sender: Address,
): Promise<CraftedPayment> {
  const { chain, sealKey } = dependencies;
  requireAvailable(chain);
  const plan = planOf(dependencies, sender);
  const build: TransactionBuild = await buildTransaction(dependencies, plan, await readAccounts(chain, plan));
  if (build.kind === 'lacking') return lacking(build.lack);
  if (build.kind === 'refused') return failing(build.failure);
  const { messageBytes, lastValidBlockHeight, costs } = build;
  const { amount } = PRICE;
  return {
    kind: 'crafted',
    wire: encodeUnsigned(messageBytes),
    requestId: sealPayment(sealKey, { sender, messageBytes, lastValidBlockHeight, amount }),
    feeLamports: totalCosts(costs),
    lastValidBlockHeight,
  };
}

function planOf({ receiver, nextSerial }: PaymentDependencies, sender: Address): TransactionPlan {
  const { mint, decimals, amount } = PRICE;
  const [source, destination] = [sender, receiver].map((owner) =>
    associatedTokenAddress(owner, mint, TOKEN_PROGRAM),
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
      { account: destination, rent: () => rentExemptMinimum(TOKEN_ACCOUNT_SIZE), isReturned: false },
    ],
    spends: [{ wallet: sender, amount, tokenAccount: source }],
    tip: 0n,
    priority: { asked: null, competesFor: [destination], isSponsored: false },
    serial: nextSerial(),
  };
}

function lacking(lack: LackingFunds): CraftedPayment {
  if (lack.kind === 'amount') {
    const error = `Insufficient ${PRICE.symbol}: the payment takes ${lack.spending.amount} atoms, the sender has ${lack.held}`;
    return { kind: 'lacking', code: INSUFFICIENT_TOKENS, error };
  }
  const error = `Insufficient SOL for gas: the sender needs ${lack.missing} lamports more`;
  return { kind: 'lacking', code: INSUFFICIENT_SOL, error };
}

function failing({ code, program, message }: TransactionFailure): CraftedPayment {
  const isToken = program === TOKEN_PROGRAM && code !== null;
  return {
    kind: 'lacking',
    code: isToken ? TOKEN_PROGRAM_ERRORS + code : OTHER_FAILURE,
    error: `The payment would fail: ${message}`,
  };
}
