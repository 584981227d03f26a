import type { Address } from '../solana/address.ts';
import { RequestRefused } from '../common/request-refused.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { TransactionFailure } from '../transactions/transaction-failure.ts';

/**
 * The request cannot be answered. The endpoints write the text for the client from `sentence`. `message` is the same
 * sentence with the kind of each term in place of the term's text.
 */
export class SwapRefused extends RequestRefused {
  override readonly name: string = 'SwapRefused';
  declare readonly errorCode: SwapRefusalCode | null;
  readonly reason: SwapRefusalReason;
  readonly sentence: RefusalSentence;

  constructor(
    sentence: RefusalSentence,
    errorCode: SwapRefusalCode | null = null,
    reason: SwapRefusalReason = FOR_REQUEST,
  ) {
    super(formatSentence(sentence, getKind), errorCode);
    this.reason = reason;
    this.sentence = sentence;
  }
}

/** No engine quotes the swap, and some were late or failed, so the same request may be quoted a little later. */
export class QuotesUnavailable extends Unavailable {
  readonly sentence: RefusalSentence;

  constructor(sentence: RefusalSentence) {
    super(formatSentence(sentence, getKind));
    this.sentence = sentence;
  }
}

/**
 * Why a swap is refused, as a sentence: a text, a term whose text names parameters of the request, or parts of both that
 * follow each other.
 */
export type RefusalSentence = string | RefusedTerm | readonly RefusalSentence[];

/**
 * A term of the request that cannot be met, with the values that its text states. Only the endpoints know the names of
 * parameters, so the text is written there.
 */
export type RefusedTerm =
  | RefusedFee
  | RefusedDestination
  | MissingRoute
  | RefusedPlan
  | RefusedLedger
  | RefusedSharedAccounts
  | OversizedSwap
  | RefusedOrder
  | RefusedMultisig;

type RefusedFee =
  /** The account neither is of the input mint nor of the output mint. `mint` is null if it is no token account. */
  | { readonly kind: 'fee-account-of-other-mint'; readonly account: Address; readonly mint: Address | null }
  | { readonly kind: 'fee-in-token-2022-by-v1'; readonly mint: Address }
  | { readonly kind: 'fee-from-exact-output'; readonly inputMint: Address }
  | { readonly kind: 'fee-from-output-of-another'; readonly outputMint: Address }
  | { readonly kind: 'fee-leaves-no-input' }
  | { readonly kind: 'fee-leaves-no-output' };

type RefusedDestination =
  /** `mint` is null if the account is no token account. */
  | {
      readonly kind: 'destination-of-other-mint';
      readonly outputMint: Address;
      readonly account: Address;
      readonly mint: Address | null;
    }
  | { readonly kind: 'native-destination-of-token-program'; readonly account: Address };

type MissingRoute =
  | { readonly kind: 'input-without-pool'; readonly inputMint: Address }
  | { readonly kind: 'output-without-pool'; readonly outputMint: Address }
  | {
      readonly kind: 'no-route' | 'no-exact-out-route';
      readonly inputMint: Address;
      readonly outputMint: Address;
      readonly amount: bigint;
    }
  /** `needs` is the number of accounts of the route that needs the fewest. */
  | { readonly kind: 'no-route-in-account-limit'; readonly maxAccounts: number; readonly needs: number };

/** Why a quote that a client sends back cannot be carried out. `step` is an index into its route plan. */
type RefusedPlan =
  | { readonly kind: 'quoted-mint-without-pool'; readonly mint: Address }
  | { readonly kind: 'quoted-pools-refuse' }
  | { readonly kind: 'step-repeats-pool'; readonly step: number; readonly pool: Address }
  | { readonly kind: 'step-of-unknown-pool'; readonly step: number; readonly pool: Address }
  | {
      readonly kind: 'step-of-other-mints';
      readonly step: number;
      readonly pool: Address;
      readonly inputMint: Address;
      readonly outputMint: Address;
      /** The mints that the pool trades. */
      readonly mints: readonly Address[];
    }
  /** The instruction has the share in multiples of `unit` basis points. */
  | { readonly kind: 'step-share'; readonly step: number; readonly bps: number; readonly unit: number }
  | { readonly kind: 'shares-not-whole'; readonly mint: Address; readonly bps: number }
  | { readonly kind: 'step-spends-unpaid' | 'step-pays-spent'; readonly step: number; readonly mint: Address }
  | { readonly kind: 'output-never-paid' | 'output-spent' | 'never-spent'; readonly mint: Address };

type RefusedLedger = {
  readonly kind: 'ledger-by-v2' | 'ledger-with-exact-out' | 'ledger-in-one-transaction' | 'no-ledger';
};

type RefusedSharedAccounts =
  | { readonly kind: 'shared-accounts-of-token-2022'; readonly mint: Address }
  | { readonly kind: 'shared-accounts-over-limit'; readonly instructions: number; readonly limit: number };

/** `problem` says by how much, and `legacy` whether the transaction has no lookup tables. */
type OversizedSwap = { readonly kind: 'oversized-swap'; readonly problem: string; readonly legacy: boolean };

type RefusedOrder =
  | { readonly kind: 'receiver-is-token-account'; readonly receiver: Address }
  | { readonly kind: 'payer-is-sponsor'; readonly payer: Address }
  /** `routers` are those that quote here. */
  | { readonly kind: 'no-router-left'; readonly routers: readonly string[] }
  | { readonly kind: 'no-router-takes-payer'; readonly excluded: readonly string[] }
  | { readonly kind: 'venues-without-makers' | 'tip-beside-maker' | 'named-maker-unavailable' };

type RefusedMultisig =
  | { readonly kind: 'no-multisig-program'; readonly program: Address }
  /** `owner` is null if the account does not exist. */
  | { readonly kind: 'no-multisig-settings'; readonly settings: Address; readonly owner: Address | null }
  | { readonly kind: 'multisig-time-lock'; readonly settings: Address; readonly seconds: number }
  | { readonly kind: 'not-a-member'; readonly signer: Address; readonly settings: Address }
  /** `votes` is the number of signers that may vote. */
  | { readonly kind: 'too-few-signers'; readonly votes: number; readonly threshold: number }
  | { readonly kind: 'signers-without-permission'; readonly lacking: readonly string[] }
  | { readonly kind: 'not-a-vault'; readonly vault: Address; readonly settings: Address };

/** @param writeTerm - Returns the text of a term. */
export function formatSentence(sentence: RefusalSentence, writeTerm: (term: RefusedTerm) => string): string {
  if (typeof sentence === 'string') return sentence;
  if ('kind' in sentence) return writeTerm(sentence);
  return sentence.map((part) => formatSentence(part, writeTerm)).join('');
}

function getKind({ kind }: RefusedTerm): string {
  return kind;
}

/**
 * Why a swap is refused. `request`: for what is asked. `unquoted`: no engine quotes it; if only makers were asked, there is no
 * quote to be found while the request may be right. `failing`: a simulation shows that a program would refuse the swap along
 * the quoted route, or that the runtime would, if `program` is null; `callers` failed because of it, each called by the next.
 */
export type SwapRefusalReason =
  | { readonly kind: 'request' }
  | { readonly kind: 'unquoted'; readonly askedMakersOnly: boolean }
  | { readonly kind: 'failing'; readonly program: Address | null; readonly callers: readonly Address[] };

const FOR_REQUEST: SwapRefusalReason = { kind: 'request' };

export const NO_ROUTE = 'COULD_NOT_FIND_ANY_ROUTE';

/** Codes by which clients of swap v1 distinguish refusals. */
export const REFUSAL_CODES = [
  NO_ROUTE,
  'TOKEN_NOT_TRADABLE',
  'CIRCULAR_ARBITRAGE_IS_DISABLED',
  'MARKET_NOT_FOUND',
  'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT',
  'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD',
  'INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE',
  'MAX_ACCOUNT_GREATER_THAN_MAX',
  'FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS',
  'NOT_SUPPORTED',
] as const;
export type SwapRefusalCode = (typeof REFUSAL_CODES)[number];

/** @param sentence - The reasons of the engines. */
export function createUnquoted(sentence: RefusalSentence, askedMakersOnly = false): SwapRefused {
  return new SwapRefused(sentence, null, { kind: 'unquoted', askedMakersOnly });
}

/** @param failure - What its simulation has shown. */
export function createFailing({ program, callers, message }: TransactionFailure): SwapRefused {
  return new SwapRefused(`the swap would fail now: ${message}`, null, { kind: 'failing', program, callers });
}
