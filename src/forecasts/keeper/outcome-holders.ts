import type { Chain } from '../../chain/chain.ts';
import { deriveForecastUsdc } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { type Address, toAddress, toAddressBytes } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/curve.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  readTokenAccountAmount,
} from '../../solana/programs/token/account.ts';
import type { ForecastOutcome, ForecastRound, ForecastSide } from '../forecast.ts';
import { computePayout } from './round-steps.ts';

/** A token account that holds tokens of a round with a result. */
export interface OutcomeHolder {
  readonly account: Address;
  readonly owner: Address;
  readonly side: ForecastSide;
  /** What it is paid, in micro USD. */
  readonly payout: bigint;
}

/** What the keeper does about a holder. `waits`: the owner has to open an account of USDC, or to redeem, within a day. */
export type HolderStep = 'pay' | 'waits';

/**
 * The program opens an account of USDC where at least so much is paid, in micro USD. The keeper pays the rent, and the house keeps more
 * of the payout than that is worth.
 */
const MIN_PAYOUT_WITH_ACCOUNT = 1_000_000n;
/**
 * So long after the result, the program burns the tokens of holders that cannot be paid, so that nobody keeps the accounts of a round
 * open for ever. In seconds: a day.
 */
export const REDEEMABLE_SECONDS = 86_400;
/** Where a token account has its mint and its owner. */
const [MINT_AT, OWNER_AT, OWNER_END] = [0, 32, 64];

interface FoundHolder extends Omit<OutcomeHolder, 'owner'> {
  readonly data: Uint8Array;
}

/**
 * Lists the token accounts that hold tokens of a round with a result: those that are paid most come first, those of the side that has
 * lost come last.
 *
 * @param isLeft - Whether a token account is left out. It is asked about each that holds tokens.
 * @param atMost - How many are listed.
 * @throws ChainUnavailable when the network does not answer
 */
export async function listOutcomeHolders(
  chain: Pick<Chain, 'getProgramAccounts'>,
  round: Pick<ForecastRound, 'up' | 'down'> & { readonly outcome: ForecastOutcome },
  isLeft: (account: Address) => boolean,
  atMost: number,
): Promise<readonly OutcomeHolder[]> {
  const found: FoundHolder[] = [];
  for (const side of ['up', 'down'] as const) {
    const memcmp = { offset: MINT_AT, bytes: toAddressBytes(round[side].mint) };
    const updates = await chain.getProgramAccounts(TOKEN_2022_PROGRAM, 'processed', { memcmp });
    for (const { address, account } of updates) {
      if (account === null || !isTokenAccount(account.data)) continue;
      const amount = readTokenAccountAmount(account.data);
      if (amount > 0n && !isLeft(address)) {
        const payout = computePayout(round.outcome, side, amount);
        found.push({ account: address, side, payout, data: account.data });
      }
    }
  }
  return found
    .sort((one, other) => (one.payout < other.payout ? 1 : one.payout > other.payout ? -1 : 0))
    .slice(0, atMost)
    .map(({ account, side, payout, data }) => ({
      account,
      side,
      payout,
      owner: toAddress(data.subarray(OWNER_AT, OWNER_END)),
    }));
}

/**
 * Finds what is done about holders, by their owners and the accounts of USDC that these have.
 *
 * Returns the steps in the order of `holders`.
 * @param isOverdue - Whether the time is over in which holders can redeem by themselves.
 * @throws ChainUnavailable when the network does not answer
 */
export async function findHolderSteps(
  chain: Pick<Chain, 'getAccounts'>,
  holders: readonly OutcomeHolder[],
  isOverdue: boolean,
): Promise<readonly HolderStep[]> {
  const accounts = await chain.getAccounts(holders.map(({ owner }) => deriveForecastUsdc(owner)));
  return holders.map(({ owner, payout }, index) => {
    // What a program owns is redeemed by that program: burning it would take it from whoever has a share in it.
    if (!isOverdue && !isOnCurve(toAddressBytes(owner))) return 'waits';
    if (payout === 0n) return 'pay';
    const account = accounts[index]?.account ?? null;
    const isOpen = account?.owner === TOKEN_PROGRAM && isTokenAccount(account.data);
    const mayPay = isOpen ? isPayable(account.data, owner) : payout >= MIN_PAYOUT_WITH_ACCOUNT;
    return isOverdue || mayPay ? 'pay' : 'waits';
  });
}

/** An account of USDC can be given to somebody else, or be frozen. */
function isPayable(data: Uint8Array, owner: Address): boolean {
  const usdc = decodeTokenAccount(data);
  return usdc.owner === owner && usdc.state === 'initialized';
}
