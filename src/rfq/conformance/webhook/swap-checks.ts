import { isDeepStrictEqual } from 'node:util';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { readSwapAnswer, encodeSwapBody } from '../../webhooks/messages.ts';
import type { SwapAnswer } from '../../webhooks/webhook.ts';
import {
  reportFailed,
  reportPassed,
  reportSkipped,
  type CheckVerdict,
  type WebhookSituation,
} from '../trials/report.ts';
import { waitForCondition } from '../trials/waits.ts';
import type { SmallQuote } from './quote-checks.ts';
import { type CheckedWebhook, describeCallOutcome } from './checked.ts';
import { type WebhookDeviation, buildWebhookSwap } from './webhook-swap.ts';

/** Enough for the taker's accounts. */
const TAKER_LAMPORTS = 50_000_000n;
/** Longer than a fill can land. */
const LANDING_MS = 60_000;
/** Longer than a transfer takes to be confirmed. */
const FUNDING_MS = 30_000;
const STOLEN_LAMPORTS = 1_000_000n;
const NOT_QUOTED = 'it quotes the pair no longer';

type AskForQuote = () => Promise<SmallQuote | null>;

/** A form of rejection that the public acceptance suite demands for a request id. */
interface RejectionDemand {
  readonly requestId: string;
  /** Free text, or one of the reasons that have a name. */
  readonly form: 'text' | 'insufficientBalance' | 'signatureVerificationFailed';
}

interface SwapSituation {
  readonly situation: WebhookSituation;
  readonly run: (checked: CheckedWebhook, quote: AskForQuote) => Promise<CheckVerdict>;
}

/** Sends a swap of the maker's own quote. The maker has to sign and land it. */
export async function checkWebhookSwap(checked: CheckedWebhook, ask: AskForQuote): Promise<CheckVerdict> {
  const { timers } = checked.dependencies;
  const quoted = await ask();
  if (quoted === null) return reportSkipped(NOT_QUOTED);
  try {
    await fund(checked, quoted);
  } catch (error) {
    return reportSkipped(`the taker could not be given what it pays: ${(error as Error).message}`);
  }
  const offered = await buildWebhookSwap(checked, quoted);
  if (offered === null) return reportSkipped('one of the mints does not exist on the network');
  const { answer } = await sendSwap(checked, quoted, offered.wire);
  if (answer.kind === 'rejected') return reportFailed(`it rejects a swap of its own quote: ${answer.reason}`);
  if (answer.kind === 'unanswered')
    return reportFailed(`it must accept or reject the swap, but ${answer.problem}`);
  let received = 0n;
  const landed = await waitForCondition(timers, LANDING_MS, async () => {
    received = await readTakerBalance(checked, offered.destination);
    return received >= quoted.quote.amountOut;
  });
  return landed
    ? reportPassed(`it accepts the swap, and it has landed: the taker has received ${received}`)
    : reportFailed(`it accepts the swap, but within ${LANDING_MS / 1_000} s it has not landed`);
}

/**
 * Gives the taker what it pays. Resolves once that is confirmed, because a maker may simulate the swap against confirmed
 * state before it sends it.
 */
async function fund(
  { dependencies, subject }: CheckedWebhook,
  { request, quote }: SmallQuote,
): Promise<void> {
  const { network, timers } = dependencies;
  const taker = subject.taker.address;
  const isSol = request.tokenIn === WRAPPED_SOL_MINT;
  const lamports = TAKER_LAMPORTS + (isSol ? quote.amountIn : 0n);
  // The lamports come last: once they are confirmed, the tokens are too.
  if (!isSol) await network.giveTokens(taker, request.tokenIn, quote.amountIn);
  await network.giveLamports(taker, lamports);
  const isFunded = async () => ((await network.accountOf(taker))?.lamports ?? 0n) >= lamports;
  if (!(await waitForCondition(timers, FUNDING_MS, isFunded)))
    throw new Error(`it was not confirmed within ${FUNDING_MS / 1_000} s`);
}

/**
 * Swaps that the maker must reject in a given form, as in the public acceptance suite. The request id tells the maker
 * which form is expected. It is not a random UUID, so no real swap can have it.
 */
export const rejections: readonly SwapSituation[] = [
  {
    situation: 'rejection',
    run: (checked, quote) => foreign(checked, quote, { requestId: suiteId(1), form: 'text' }),
  },
  {
    situation: 'rejection for lack of balance',
    run: (checked, quote) => foreign(checked, quote, { requestId: suiteId(3), form: 'insufficientBalance' }),
  },
  {
    situation: 'rejection of a signature',
    run: (checked, quote) =>
      rejected(
        checked,
        quote,
        { isUnsigned: true },
        { requestId: suiteId(4), form: 'signatureVerificationFailed' },
      ),
  },
];

/** Swaps that would cost the maker more than it has quoted. */
export const refusals: readonly SwapSituation[] = [
  {
    situation: 'refuses a better price',
    run: async (checked, ask) => {
      const quoted = await ask();
      if (quoted === null) return reportSkipped(NOT_QUOTED);
      const outputAmount = quoted.quote.amountOut + (quoted.quote.amountOut + 9n) / 10n;
      return rejected(checked, async () => quoted, { outputAmount });
    },
  },
  {
    situation: 'refuses an instruction that takes from its address',
    run: (checked, ask) => {
      const { record, subject } = checked;
      const taken = transferLamports(record.address, subject.taker.address, STOLEN_LAMPORTS);
      return rejected(checked, ask, { extraInstructions: [taken] });
    },
  },
  {
    situation: 'refuses to pay for an account',
    run: (checked, ask) => rejected(checked, ask, { accountPayer: checked.record.address }),
  },
  { situation: 'refuses a quote that is not its own', run: (checked, ask) => foreign(checked, ask) },
];

/** A swap of a quote that the maker has never given. */
function foreign(
  checked: CheckedWebhook,
  ask: AskForQuote,
  demand: RejectionDemand | null = null,
): Promise<CheckVerdict> {
  return rejected(
    checked,
    async () => {
      const quoted = await ask();
      if (quoted === null) return null;
      const quoteId = checked.dependencies.newUuid();
      return { ...quoted, request: { ...quoted.request, quoteId } };
    },
    {},
    demand,
  );
}

/** @param demand - Null: a request id of its own, and any form of rejection. */
async function rejected(
  checked: CheckedWebhook,
  ask: AskForQuote,
  deviation: WebhookDeviation = {},
  demand: RejectionDemand | null = null,
): Promise<CheckVerdict> {
  const quoted = await ask();
  if (quoted === null) return reportSkipped(NOT_QUOTED);
  const made = await buildWebhookSwap(checked, quoted, deviation);
  if (made === null) return reportSkipped('one of the mints does not exist on the network');
  const request = { ...quoted.request, requestId: demand?.requestId ?? quoted.request.requestId };
  const { answer, body } = await sendSwap(checked, { ...quoted, request }, made.wire);
  if (answer.kind === 'accepted') return reportFailed('it accepts the swap, which it must reject');
  if (answer.kind === 'unanswered')
    return reportFailed(`it must answer 200 and reject the swap, but ${answer.problem}`);
  const wrong = demand === null ? null : checkForm(demand, body);
  return wrong ?? reportPassed(`it rejects the swap: ${answer.reason}`);
}

/** Returns a failure if the form of a rejection is wrong; null otherwise. */
function checkForm({ requestId, form }: RejectionDemand, body: string): CheckVerdict | null {
  const { state, rejectionReason } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const isRight =
    form === 'text'
      ? state === 'rejected' && typeof rejectionReason === 'string' && rejectionReason !== ''
      : isDeepStrictEqual(state, { rejectedWithReason: form });
  if (isRight) return null;
  const right =
    form === 'text' ? 'state "rejected" and a rejectionReason' : `state {"rejectedWithReason":"${form}"}`;
  return reportFailed(
    `it must reject the request ${requestId} with ${right}, but answers ${formatForError(body)}`,
  );
}

/** The request ids with which the public acceptance suite asks for a form of rejection. */
function suiteId(number: 1 | 3 | 4): string {
  return `00000000-0000-0000-0000-00000000000${number}`;
}

interface SentSwap {
  readonly answer: SwapAnswer;
  /** The body as the maker sent it; empty if it did not answer. */
  readonly body: string;
}

async function sendSwap(
  { call }: CheckedWebhook,
  { request: { requestId, quoteId } }: SmallQuote,
  wire: Uint8Array,
): Promise<SentSwap> {
  const outcome = await call('/swap', Buffer.from(encodeSwapBody(requestId, quoteId, wire)).toString());
  if (outcome.kind === 'failed')
    return { answer: { kind: 'unanswered', problem: describeCallOutcome(outcome) }, body: '' };
  return { answer: readSwapAnswer(outcome.status, outcome.body, quoteId), body: outcome.body };
}

async function readTakerBalance({ dependencies }: CheckedWebhook, address: Address): Promise<bigint> {
  const account = await dependencies.network.accountOf(address);
  return account !== null && isTokenAccount(account.data) ? readTokenAccountAmount(account.data) : 0n;
}
