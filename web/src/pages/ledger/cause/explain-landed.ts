import type { CauseParty, OrderCause, OrderFacts } from './order-cause.ts';
import { formatSol, isPaidByOther, namePayer } from './order-cause.ts';

/** Whose doing a failure on the chain is, by its kind. */
const PARTIES: ReadonlyMap<string, CauseParty> = new Map<string, CauseParty>([
  ['slippage', 'market'],
  ['liquidity', 'market'],
  ['price', 'market'],
  ['closed', 'market'],
  ['lamports', 'taker'],
  ['tokens', 'taker'],
  ['rent', 'taker'],
  ['frozen', 'taker'],
  ['authority', 'taker'],
  ['blockhash', 'taker'],
  ['expired', 'taker'],
  ['processed', 'taker'],
  ['injected', 'network'],
  ['compute', 'sluice'],
  ['input', 'sluice'],
  ['program-missing', 'sluice'],
]);

/**
 * Failures of a transaction that does not fit what it touches, as of a pool whose price has left the accounts that were named.
 * Advice on how to build it is of no use to who has it from Sluice.
 */
const MISFITS: ReadonlySet<string> = new Set([
  'wrong-account',
  'missing-account',
  'range',
  'compute',
  'input',
  'program-missing',
]);
const MISFIT_ADVICE =
  'Ask for a new order: it is built for how things are now. If new orders fail so too, report it as a defect, with this transaction.';

/** How a sentence says whose doing it was. */
const BLAME: Readonly<Partial<Record<CauseParty, string>>> = {
  market: 'the market moved',
  taker: 'the taker’s wallet did not allow it',
  maker: 'the maker’s accounts did not allow it',
  network: 'a fault of the network did it on purpose',
  sluice: 'the transaction that Sluice built did not fit',
};

/** Explains an order whose transaction is on the chain and failed there. */
export function explainChainFailure(facts: OrderFacts): OrderCause {
  const { order, failure, fill } = facts;
  const code = order.execution?.code ?? 0;
  const reason = order.execution?.reason ?? null;
  const named = reason === null ? `code ${code}` : `${code}: ${reason}`;
  if (failure === null) {
    return {
      tone: 'danger',
      sentence: `The transaction landed and failed on the chain (${named}).`,
      party: 'unclear',
      paid: `${namePayer(order)} paid the fee of the network. Nothing else moved.`,
      advice:
        'The transaction could not be read, so it is not known what failed in it. Open it in the explorer, or ask for a new order.',
    };
  }
  const party = findParty(failure.kind, {
    isFill: fill?.state === 'failed',
    isPaidByOther: isPaidByOther(order),
  });
  const isMisfit = MISFITS.has(failure.kind);
  const blame =
    BLAME[party] ??
    (isMisfit
      ? 'what it touches had changed since the quote, or it did not fit that from the start'
      : undefined);
  return {
    tone: 'danger',
    sentence: `The transaction landed and failed on the chain${blame === undefined ? '' : `: ${blame}`}. ${failure.sentence}`,
    party,
    paid: `${namePayer(order)} paid ${formatSol(facts, failure.feeLamports)} to the network for the attempt. Nothing else moved.`,
    advice: isMisfit ? MISFIT_ADVICE : failure.advice,
  };
}

/** A fill that failed for want of tokens may have failed for those of its maker, and lamports may be those of who pays the network. Only the accounts tell. */
function findParty(
  kind: string,
  facts: { readonly isFill: boolean; readonly isPaidByOther: boolean },
): CauseParty {
  if (facts.isFill && (kind === 'tokens' || kind === 'frozen')) return 'unclear';
  if (facts.isPaidByOther && (kind === 'lamports' || kind === 'rent')) return 'unclear';
  return PARTIES.get(kind) ?? 'unclear';
}

/** Explains an order whose swap was made. */
export function explainSuccess(facts: OrderFacts): OrderCause {
  const { order, formatAmount } = facts;
  const { inputMint, outputMint, inAmount, outAmount, receiver, taker, execution } = order;
  const paid = execution?.totalInput ?? null;
  const received = execution?.totalOutput ?? null;
  if (inputMint === null || outputMint === null || paid === null || received === null) {
    return {
      tone: 'good',
      sentence: 'The swap was made. What it moved could not be read.',
      party: 'nobody',
      paid: `${namePayer(order)} paid the fee of the network.`,
      advice: 'Open the transaction in the explorer for its amounts.',
    };
  }
  return {
    tone: 'good',
    sentence: `The swap was made${compareWithQuote({ inAmount, outAmount, paid, received })}.`,
    party: 'nobody',
    paid: `The taker paid ${formatAmount(inputMint, paid)} and ${receiver === null || receiver === taker ? '' : 'its receiver '}received ${formatAmount(outputMint, received)}. ${namePayer(order)} paid the fee of the network.`,
    advice: null,
  };
}

function compareWithQuote({
  inAmount,
  outAmount,
  paid,
  received,
}: {
  readonly inAmount: bigint | null;
  readonly outAmount: bigint | null;
  readonly paid: bigint;
  readonly received: bigint;
}): string {
  if (inAmount === null || outAmount === null) return '';
  if (paid === inAmount && received === outAmount) return ' exactly as it was quoted';
  if (paid <= inAmount && received >= outAmount) return ', and better for the taker than it was quoted';
  return ', within its slippage, and worse for the taker than it was quoted';
}
