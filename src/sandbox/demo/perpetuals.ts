import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { encodeLoan, deriveLoanAddress } from '../../protocols/jupiter-loans/layout.ts';
import {
  CUSTODIES,
  type Custody,
  encodeCustody,
  encodePerpetualPosition,
  encodePositionRequest,
  JLP_POOL,
  PERPETUALS_PROGRAM,
  derivePerpetualPositionAddress,
} from '../../protocols/jupiter-perpetuals/layout.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

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

/** The loans of the USDC custody: 200,000 USDC, and 2% of interest. */
const LOANS = {
  interestIndex: 1_020_000_000n,
  hourlyRate: 0n,
  debt: 204_000_000_000_000_000_000n,
  interest: 4_000_000_000_000_000_000n,
} as const;
const NO_LOANS = { interestIndex: 1_000_000_000n, hourlyRate: 0n, debt: 0n, interest: 0n } as const;

/** The symbols of the genesis for the pool's tokens. */
const TOKENS = { SOL: 'SOL', ETH: 'WETH', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT' } as const;

/** Writes the custodies of the pool, a long and a short position, and an order that takes the profit of the first. */
export function addPerpetuals({ ledger, owner, foundedAt }: DemoContext): void {
  for (const [name, address] of Object.entries(CUSTODIES)) {
    const token = getGenesisToken(TOKENS[name as keyof typeof TOKENS]);
    const custody: Custody = {
      ...TERMS,
      mint: token.mint,
      decimals: token.decimals,
      isStable: name === 'USDC' || name === 'USDT',
      owned: 1_000_000n * 10n ** BigInt(token.decimals),
      locked: 500_000n * 10n ** BigInt(token.decimals),
      interestUpdatedAt: foundedAt,
      loans: name === 'USDC' ? LOANS : NO_LOANS,
    };
    ledger.addData(address, PERPETUALS_PROGRAM, encodeCustody(custody));
  }
  const { SOL, BTC, USDC } = CUSTODIES;
  const shared = { owner, pool: JLP_POOL, interestSnapshot: INTEREST };
  const long = derivePerpetualPositionAddress(owner, SOL, SOL, 'long');
  const amounts = { price: 180n * DOLLAR, sizeUsd: 5_000n * DOLLAR, collateralUsd: 1_000n * DOLLAR };
  const longData = encodePerpetualPosition({
    ...shared,
    ...amounts,
    custody: SOL,
    collateralCustody: SOL,
    side: 'long',
  });
  ledger.addData(long, PERPETUALS_PROGRAM, longData);
  const short = derivePerpetualPositionAddress(owner, BTC, USDC, 'short');
  const shortData = encodePerpetualPosition({
    ...shared,
    price: 110_000n * DOLLAR,
    sizeUsd: 3_000n * DOLLAR,
    collateralUsd: 1_500n * DOLLAR,
    custody: BTC,
    collateralCustody: USDC,
    side: 'short',
  });
  ledger.addData(short, PERPETUALS_PROGRAM, shortData);
  const request = encodePositionRequest({
    owner,
    position: long,
    custody: SOL,
    mint: getGenesisToken('SOL').mint,
    triggerPrice: 250n * DOLLAR,
    triggersAbove: true,
    executed: false,
  });
  ledger.addData(deriveDemoAddress('position request'), PERPETUALS_PROGRAM, request);
}

/** Adds a loan of 2,000 USDC against 1,000 JLP, which has grown by 2%. */
export function addLoan({ ledger, owner }: DemoContext): void {
  const { USDC } = CUSTODIES;
  const [jlp, usdc] = [getGenesisToken('JLP'), getGenesisToken('USDC')];
  const collateral = parseDecimalAmount('1000', jlp.decimals);
  const loan = encodeLoan({
    owner,
    custody: USDC,
    borrowed: parseDecimalAmount('2000', usdc.decimals) * 1_000n,
    indexSnapshot: 1_000_000_000n,
    collateral,
  });
  ledger.addData(deriveLoanAddress(owner, USDC), PERPETUALS_PROGRAM, loan);
  ledger.addTokens(deriveDemoAddress('loan collateral'), toLedgerMint(jlp), {
    owner: JLP_POOL,
    amount: collateral,
  });
}
