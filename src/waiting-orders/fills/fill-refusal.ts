import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { formatSentence, type RefusedTerm, type SwapRefused } from '../../swaps/refusals.ts';
import type { PutOffFill } from './fill-plan.ts';

/** Returns why an order has to wait whose swap is refused. */
export function describeRefusal({ reason, sentence }: SwapRefused): Pick<PutOffFill, 'reason' | 'detail'> {
  const detail = formatSentence(sentence, writeTerm);
  if (reason.kind === 'failing') {
    // The aggregator itself refuses what pays less than the threshold, because the pools moved after they were quoted.
    return { reason: reason.program === AGGREGATOR_PROGRAM ? 'price' : 'refused', detail };
  }
  const isOfParties = typeof sentence === 'object' && 'kind' in sentence && PARTY_TERMS.has(sentence.kind);
  return { reason: isOfParties ? 'refused' : 'route', detail };
}

/** The terms that no other route would change. */
const PARTY_TERMS: ReadonlySet<RefusedTerm['kind']> = new Set([
  'receiver-is-token-account',
  'native-destination-of-token-program',
]);

function writeTerm(term: RefusedTerm): string {
  switch (term.kind) {
    case 'input-without-pool':
      return `no pool trades ${term.inputMint}`;
    case 'output-without-pool':
      return `no pool trades ${term.outputMint}`;
    case 'no-route':
      return `no route sells ${term.amount} atoms of ${term.inputMint} for ${term.outputMint}`;
    case 'receiver-is-token-account':
      return `the wallet ${term.receiver} is a token account`;
    default:
      return `the swap is refused: ${term.kind}`;
  }
}
