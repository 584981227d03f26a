import type { SwapPair } from '../../../swaps/fees/platform-fee.ts';
import type { Address } from '../../../solana/address.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { formatSentence, QuotesUnavailable, type RefusedTerm, SwapRefused } from '../../../swaps/refusals.ts';

/**
 * Returns the refusal of a swap with the sentence for the client as its message, in which parameters have the names that
 * they have at the endpoints. Returns anything else as it is.
 */
export function toPublicRefusal(thrown: unknown): unknown {
  if (thrown instanceof QuotesUnavailable) {
    return new Unavailable(formatSentence(thrown.sentence, writeTerm));
  }
  if (!(thrown instanceof SwapRefused) || typeof thrown.sentence === 'string') return thrown;
  return new SwapRefused(formatSentence(thrown.sentence, writeTerm), thrown.errorCode, thrown.reason);
}

const MAKER_TEXTS = {
  'venues-without-makers': 'dexes names the venues that may be used, and makers are none',
  'tip-beside-maker': 'the transaction of a maker has no tip, and jitoTipLamports is given',
  'named-maker-unavailable': 'the maker that webhookId names cannot be asked for both tokens now',
};

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
    case 'quoted-mint-without-pool':
      return `no pool trades ${term.mint} of quoteResponse`;
    case 'quoted-pools-refuse':
      return 'the pools of quoteResponse refuse this amount now; ask for a new quote';
    case 'step-repeats-pool':
      return `${nameStep(term.step)} uses the pool ${term.pool} a second time`;
    case 'step-of-unknown-pool':
      return `${nameStep(term.step)} names ${term.pool}, which is no pool that can be used now`;
    case 'step-of-other-mints':
      return `${nameStep(term.step)} swaps ${term.inputMint} for ${term.outputMint}, but ${term.pool} trades ${term.mints.join(' and ')}`;
    case 'step-share':
      return `quoteResponse.routePlan[${term.step}].bps must be a share ${describeShareUnit(term.unit)}, got ${term.bps}`;
    case 'shares-not-whole':
      return `the shares of ${term.mint} in quoteResponse.routePlan must add up to 10000 bps, not ${term.bps}`;
    case 'step-spends-unpaid':
      return `${nameStep(term.step)} spends ${term.mint} before any step pays it`;
    case 'step-pays-spent':
      return `${nameStep(term.step)} pays ${term.mint}, which the route has spent already`;
    case 'output-never-paid':
      return `quoteResponse.routePlan never pays outputMint ${term.mint}`;
    case 'output-spent':
      return `quoteResponse.routePlan spends outputMint ${term.mint}`;
    case 'never-spent':
      return `quoteResponse.routePlan pays ${term.mint} and never spends it`;
    case 'ledger-by-v2':
      return 'useTokenLedger needs a quote with instructionVersion=V1';
    case 'ledger-with-exact-out':
      return 'useTokenLedger needs a quote with swapMode=ExactIn';
    case 'ledger-in-one-transaction':
      return 'useTokenLedger needs instructions of your own that pay the input in: ask for swap-instructions';
    case 'no-ledger':
      return 'useTokenLedger is not possible: this network has no token ledger';
    case 'shared-accounts-of-token-2022':
      return `useSharedAccounts is not possible with the Token-2022 mint ${term.mint}; leave it out`;
    case 'shared-accounts-over-limit':
      return `the swap through shared accounts runs ${term.instructions} instructions, and a transaction at most ${term.limit}: leave out useSharedAccounts, or quote with fewer maxAccounts`;
    case 'oversized-swap':
      return `the swap does not fit a transaction: ${term.problem}; ${term.legacy ? 'quote with asLegacyTransaction=true' : 'quote with fewer maxAccounts, or at /swap/v2/quote with dynamicSwap=false'}`;
    case 'receiver-is-token-account':
      return `receiver must be a wallet, but ${term.receiver} is a token account`;
    case 'payer-is-sponsor':
      return `payer must be a wallet of your own that signs, but ${term.payer} is the sponsor's; leave payer out to be sponsored`;
    case 'no-router-left':
      return `excludeRouters leaves no router; those that quote here are: ${term.routers.join(', ')}`;
    case 'no-router-takes-payer':
      return `payer is given, and no router that is not excluded takes one: ${term.excluded.join(', ')}`;
    case 'no-multisig-program':
      return `no order can be made for a multisig: this network has no program ${term.program} (Squads V5)`;
    case 'no-multisig-settings':
      return `settingsPda must be the settings of a Squads V5 multisig, but ${term.settings} ${term.owner === null ? 'does not exist' : `is another account, of ${term.owner}`}`;
    case 'multisig-time-lock':
      return `settingsPda ${term.settings} has a time lock of ${term.seconds} seconds, and only a multisig without one can swap at once`;
    case 'not-a-member':
      return `signers names ${term.signer}, which is no member of settingsPda ${term.settings}`;
    case 'too-few-signers':
      return `signers must name at least ${term.threshold} members that may vote, the threshold of settingsPda, got ${term.votes}`;
    case 'signers-without-permission':
      return `signers must be allowed together to initiate, vote and execute; they may not ${term.lacking.join(' or ')}`;
    case 'not-a-vault':
      return `taker must be a vault of settingsPda ${term.settings}, got ${term.vault}`;
    case 'venues-without-makers':
    case 'tip-beside-maker':
    case 'named-maker-unavailable':
      return MAKER_TEXTS[term.kind];
  }
}

/** @param mint - The mint of a token account that has the wrong one; null if the account is none. */
function describeMint(mint: Address | null): string {
  return mint === null ? 'is not a token account' : `is a token account of ${mint}`;
}

function describePair({ inputMint, outputMint }: SwapPair): string {
  return `inputMint ${inputMint} to outputMint ${outputMint}`;
}

function describeAccountLimit(maxAccounts: number, needs: number): string {
  return `no route needs ${maxAccounts} accounts or fewer: the smallest that was found needs ${needs}; raise maxAccounts`;
}

function nameStep(step: number): string {
  return `quoteResponse.routePlan[${step}]`;
}

function describeShareUnit(unit: number): string {
  return unit === 1 ? 'of at least 1' : 'in whole percents with instructionVersion V1';
}
