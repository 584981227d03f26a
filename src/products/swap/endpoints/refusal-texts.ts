import type { Address } from '../../../solana/address.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { formatSentence, QuotesUnavailable, type RefusedTerm, SwapRefused } from '../../../swaps/refusals.ts';

/**
 * Returns what is thrown with the sentence for the client as its message; anything else than a refusal of a swap as it is.
 * @param thrown - By the swap of an endpoint, whose parameters the sentence names.
 */
export function toPublicRefusal(thrown: unknown): unknown {
  if (thrown instanceof QuotesUnavailable) {
    return new Unavailable(formatSentence(thrown.sentence, writeTerm));
  }
  if (!(thrown instanceof SwapRefused) || typeof thrown.sentence === 'string') return thrown;
  return new SwapRefused(formatSentence(thrown.sentence, writeTerm), thrown.errorCode, thrown.reason);
}

function writeTerm(term: RefusedTerm): string {
  switch (term.kind) {
    case 'fee-account-of-other-mint':
      return `feeAccount must be a token account of inputMint or outputMint, but ${term.account} ${describeMint(term.mint)}`;
    case 'fee-in-token-2022-by-v1':
      return `feeAccount is of the Token-2022 mint ${term.mint}, which V1 instructions cannot move: ask for instructionVersion=V2`;
    case 'fee-from-exact-output':
      return `feeAccount must be a token account of inputMint ${term.inputMint} with ExactOut, but it is one of outputMint`;
    case 'fee-from-output-of-another':
      return `a fee in the Token-2022 mint ${term.outputMint} cannot be taken from an output that goes to another account than the taker's; collect it in inputMint`;
    case 'fee-leaves-no-input':
      return 'platformFeeBps 10000 leaves no input; give less';
    case 'fee-leaves-no-output':
      return 'platformFeeBps leaves nothing of the output; give less';
    case 'destination-of-other-mint':
      return `destinationTokenAccount must be a token account of outputMint ${term.outputMint}, but ${term.account} ${describeMint(term.mint)}`;
    case 'native-destination-of-token-program':
      return `nativeDestinationAccount must be a wallet, but ${term.account} belongs to a token program`;
    case 'input-without-pool':
      return `no pool trades inputMint ${term.inputMint}`;
    case 'output-without-pool':
      return `no pool trades outputMint ${term.outputMint}`;
    case 'no-route':
      return `no route from ${describePair(term)} for the amount ${term.amount}`;
    case 'no-exact-out-route':
      return `no route from ${describePair(term)} delivers exactly ${term.amount}, which is possible over few venues; ask for swapMode=ExactIn`;
    case 'no-route-in-account-limit':
      return describeAccountLimit(term.maxAccounts, term.needs);
  }
}

/** @param mint - The mint of a token account that has the wrong one; null if the account is none. */
function describeMint(mint: Address | null): string {
  return mint === null ? 'is not a token account' : `is a token account of ${mint}`;
}

function describePair({
  inputMint,
  outputMint,
}: {
  readonly inputMint: Address;
  readonly outputMint: Address;
}) {
  return `inputMint ${inputMint} to outputMint ${outputMint}`;
}

function describeAccountLimit(maxAccounts: number, needs: number): string {
  return `no route needs ${maxAccounts} accounts or fewer: the smallest that was found needs ${needs}; raise maxAccounts`;
}
