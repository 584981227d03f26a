import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { BorrowLendElement, Yield } from '../../protocol/positions/element.ts';
import { type FoundAccount, type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import {
  CUSTODIES,
  type Custody,
  decodeCustody,
  JLP_POOL,
  PERPETUALS_PROGRAM,
} from '../jupiter-perpetuals/layout.ts';
import { ceilDiv, computeHourlyInterest } from '../jupiter-perpetuals/liquidation.ts';
import { decodeLoan, JLP_MINT, type Loan, deriveLoanAddress } from './layout.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
/** The program only lends USDC. */
const CUSTODY = CUSTODIES.USDC;
/** The share of the collateral's value at which a loan is liquidated, as the program's authors publish it. */
const LIQUIDATION_THRESHOLD = 0.95;
const BORROW_PRECISION = 1_000n;
const RATE = 1_000_000_000n;
const HOURS_PER_DAY = 24n;
const HOURS_PER_YEAR = 24 * 365;
const DAYS_PER_YEAR = 365;

/** Finds the wallet's loan against JLP in the public perpetuals program. */
export const jupiterLoans: PositionFetcher = {
  id: `${PLATFORM}-perpetual-borrow`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const address = deriveLoanAddress(wallet.owner, CUSTODY);
    const [account] = await wallet.accounts([address]);
    if (account?.owner !== PERPETUALS_PROGRAM) return { elements: [] };
    // Only read for wallets with a loan, because it changes with every trade, and streams follow accounts that were read.
    const [custody] = await wallet.accounts([CUSTODY]);
    const { positions, unreadable } = readEach([{ address, account }], (found: FoundAccount) => {
      if (custody?.owner !== PERPETUALS_PROGRAM) {
        throw new LayoutInvalid(`its custody ${CUSTODY} cannot be read`);
      }
      return createLoanElement(found, decodeCustody(custody.data));
    });
    return { elements: positions, unreadable };
  },
};

function createLoanElement({ address, account }: FoundAccount, custody: Custody): BorrowLendElement | null {
  const loan = decodeLoan(account.data);
  const debt = computeLoanDebt(loan, custody);
  if (loan.collateral === 0n && debt === 0n) return null;
  return {
    type: 'borrowlend',
    label: 'Lending',
    name: 'JLP Loan',
    suppliedAssets: [{ type: 'token', mint: JLP_MINT, amount: loan.collateral }],
    borrowedAssets: debt === 0n ? [] : [{ type: 'token', mint: custody.mint, amount: debt }],
    rewardAssets: [],
    suppliedYields: [[]],
    borrowedYields: debt === 0n ? [] : [[computeLoanYield(custody)]],
    liquidationThresholds: [LIQUIDATION_THRESHOLD],
    contract: PERPETUALS_PROGRAM,
    ref: address,
    sourceRefs: [
      { address: JLP_POOL, name: 'Market' },
      { address: CUSTODY, name: 'Custody' },
    ],
    link: 'https://jup.ag/perps-loan',
  };
}

/**
 * Computes the debt in atoms as of the custody's last update, with the arithmetic of the program's authors: interest
 * and debt are rounded up.
 *
 * @throws LayoutInvalid for a loan that is newer than the custody.
 */
function computeLoanDebt({ borrowed, indexSnapshot }: Loan, { loans: { interestIndex } }: Custody): bigint {
  if (borrowed === 0n) return 0n;
  if (interestIndex < indexSnapshot) {
    throw new LayoutInvalid(
      `its interest index is ${indexSnapshot}, beyond that of its custody, ${interestIndex}`,
    );
  }
  const interest =
    indexSnapshot === 0n ? 0n : ceilDiv((interestIndex - indexSnapshot) * borrowed, indexSnapshot);
  return ceilDiv(borrowed + interest, BORROW_PRECISION);
}

/**
 * Computes the yearly interest as a negative yield.
 *
 * @throws LayoutInvalid for a rate that doubles a debt within a day, which no market charges.
 */
function computeLoanYield(custody: Custody): Yield {
  const hourly = computeHourlyInterest(custody, custody.loans.hourlyRate);
  if (hourly * HOURS_PER_DAY > RATE)
    throw new LayoutInvalid(`the interest of its custody is ${hourly} an hour`);
  const apr = (-Number(hourly) / Number(RATE)) * HOURS_PER_YEAR;
  return { apr, apy: (1 + apr / DAYS_PER_YEAR) ** DAYS_PER_YEAR - 1 };
}
