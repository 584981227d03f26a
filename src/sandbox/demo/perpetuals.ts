import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getNanoUsd } from '../../protocol/genesis/prices.ts';
import {
  CUSTODIES,
  deriveCustodyTokenAccount,
  deriveDecreaseRequest,
  derivePerpetualPositionAddress,
  encodeCustody,
  encodePerpetualPosition,
  encodePositionRequest,
  JLP_POOL,
  PERPETUALS_PROGRAM,
} from '../../protocols/jupiter-perpetuals/layout.ts';
import {
  encodePerpetuals,
  encodePerpetualsPool,
  PERPETUALS,
  PERPETUALS_AUTHORITY,
} from '../../protocols/jupiter-perpetuals/pool-layout.ts';
import { getGenesisToken, type TokenInfo } from '../../solana/known-tokens.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { sumAmounts } from '../../solana/units.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';
import { addLoans, LOANS } from './loans.ts';
import { CUSTODY_PLANS, type CustodyName, listTrades, type PerpetualTrade } from './perpetual-trades.ts';

const DAY = 86_400n;
const DOLLAR = 1_000_000n;
/** The cumulative interest of every custody, in billionths. */
const INTEREST = 2_000_000_000n;

/** The terms of the pool's tokens, which have the order of magnitude of those on mainnet. */
const TERMS = {
  tradeImpactFeeScalar: 2_250_000_000_000_000n,
  maxLeverage: 5_000_000n,
  cumulativeInterest: INTEREST,
  hourlyRate: 0n,
  decreasePositionBps: 6n,
  jumpRate: { min: 1_000n, max: 6_000n, target: 3_500n, targetUse: 800_000_000n },
} as const;
const NO_LOANS = { interestIndex: 1_000_000_000n, hourlyRate: 0n, debt: 0n, interest: 0n } as const;

/** The symbols of the genesis for the pool's tokens. */
const TOKENS = { SOL: 'SOL', ETH: 'WETH', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT' } as const;

/**
 * Writes the pool with its custodies and their tokens; a long and a short position of the owner, and an order that takes the
 * profit of the first; the owner's loan against JLP; and what other wallets have traded and borrowed. The totals of a custody
 * are the sums of all of these.
 */
export function addPerpetuals(demo: DemoContext): void {
  const { ledger, owner, foundedAt } = demo;
  const trades = listTrades(owner, deriveDemoAddress('perpetuals trader'));
  for (const trade of trades) addTrade(demo, trade);
  addLoans(demo);
  const names = Object.keys(CUSTODIES) as CustodyName[];
  let aumUsd = 0n;
  for (const name of names) aumUsd += addCustody(demo, name, trades);
  const jlp = getGenesisToken('JLP').mint;
  const lpSeeds = [Buffer.from('lp_token_mint'), toAddressBytes(JLP_POOL)];
  const lpToken = findProgramAddress(PERPETUALS_PROGRAM, lpSeeds);
  if (lpToken.address !== jlp) throw new Error('JLP is the token of another pool');
  const pool = encodePerpetualsPool({
    custodies: names.map((name) => CUSTODIES[name]),
    aumUsd,
    maxAumUsd: 1_000_000_000n * DOLLAR,
    foundedAt: foundedAt - 365n * DAY,
    updatedAt: foundedAt,
    lpTokenBump: lpToken.bump,
  });
  ledger.addData(JLP_POOL, PERPETUALS_PROGRAM, pool);
  const perpetuals = encodePerpetuals(deriveDemoAddress('perpetuals admin'), foundedAt - 365n * DAY);
  ledger.addData(PERPETUALS.address, PERPETUALS_PROGRAM, perpetuals);
}

function getCustodyToken(name: CustodyName): TokenInfo {
  return getGenesisToken(TOKENS[name]);
}

/** Writes a position. Its size is locked in tokens of the collateral: for long ones at the entry price, for others as dollars. */
function addTrade({ ledger, foundedAt }: DemoContext, trade: PerpetualTrade): void {
  const { owner, side, price, sizeUsd, collateralUsd, lockedAmount } = trade;
  const [custody, collateralCustody] = [CUSTODIES[trade.token], CUSTODIES[trade.collateral]];
  const position = derivePerpetualPositionAddress(owner, custody, collateralCustody, side);
  const data = encodePerpetualPosition(
    {
      owner,
      pool: JLP_POOL,
      custody,
      collateralCustody,
      side,
      price,
      sizeUsd,
      collateralUsd,
      interestSnapshot: INTEREST,
    },
    { openedAt: foundedAt - 3n * DAY, lockedAmount },
  );
  ledger.addData(position, PERPETUALS_PROGRAM, data);
  if (trade.takeProfit === undefined) return;
  // The counter is a constant rather than the time, because addresses of the genesis depend on its seed alone.
  const counter = 1n;
  const request = deriveDecreaseRequest(position, counter).address;
  const token = getCustodyToken(trade.token);
  const written = encodePositionRequest({
    owner,
    position,
    custody,
    mint: token.mint,
    openedAt: foundedAt - 2n * DAY,
    counter,
    triggerPrice: trade.takeProfit,
    triggersAbove: true,
    executed: false,
  });
  ledger.addData(request, PERPETUALS_PROGRAM, written);
  ledger.addAssociatedTokens(toLedgerMint(token), { owner: request, amount: 0n });
}

/**
 * Writes a custody, as the sums of its positions and loans, and its tokens: what it owns and, for short positions, collateral.
 *
 * Returns what it is worth to the pool in dollars, by the arithmetic of the program's authors.
 */
function addCustody(
  { ledger, foundedAt }: DemoContext,
  name: CustodyName,
  trades: readonly PerpetualTrade[],
): bigint {
  const token = getCustodyToken(name);
  const { owned, targetRatioBps } = CUSTODY_PLANS[name];
  const isStable = name === 'USDC' || name === 'USDT';
  const loans = name === 'USDC' ? LOANS : NO_LOANS;
  const longs = trades.filter((trade) => trade.side === 'long' && trade.token === name);
  const shorts = trades.filter((trade) => trade.side === 'short' && trade.token === name);
  const locked = sumAmounts(
    trades.filter(({ collateral }) => collateral === name).map((trade) => trade.lockedAmount),
  );
  const shortSizes = sumAmounts(shorts.map(({ sizeUsd }) => sizeUsd));
  const custody = {
    ...TERMS,
    mint: token.mint,
    decimals: token.decimals,
    isStable,
    owned,
    locked,
    interestUpdatedAt: foundedAt,
    loans,
    targetRatioBps,
    guaranteedUsd: sumAmounts(longs.map(({ sizeUsd, collateralUsd }) => sizeUsd - collateralUsd)),
    shortSizes,
    // No two short positions in the same token have different prices.
    shortAveragePrice: shorts[0]?.price ?? 0n,
  };
  ledger.addData(CUSTODIES[name], PERPETUALS_PROGRAM, encodeCustody(custody));
  ledger.addTokens(deriveCustodyTokenAccount(token.mint).address, toLedgerMint(token), {
    owner: PERPETUALS_AUTHORITY.address,
    amount: owned + sumShortCollateral(name, trades),
  });
  const price = getNanoUsd(TOKENS[name]) / 1_000n;
  const worth = (atoms: bigint) => (atoms * price) / 10n ** BigInt(token.decimals);
  if (isStable) return worth(owned + (loans.debt - loans.interest) / 1_000_000_000n);
  const profit =
    shortSizes === 0n ? 0n : (shortSizes * (custody.shortAveragePrice - price)) / custody.shortAveragePrice;
  return custody.guaranteedUsd + worth(owned - locked) - profit;
}

/** Returns the collateral of short positions in atoms of a dollar token, which have as many decimals as dollars. */
function sumShortCollateral(name: CustodyName, trades: readonly PerpetualTrade[]): bigint {
  const own = trades.filter(({ side, collateral }) => side === 'short' && collateral === name);
  return sumAmounts(own.map(({ collateralUsd }) => collateralUsd));
}
