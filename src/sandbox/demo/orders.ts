import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM, deriveDcaOrderAddress } from '../../protocols/jupiter-dca/dca-program.ts';
import { NORMAL_FEE_BPS } from '../../protocols/jupiter-limit-order/genesis.ts';
import { encodeLimitOrder } from '../../protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  deriveOrderReserve,
  deriveProgramFeeAccount,
  LIMIT_ORDER_PROGRAM,
} from '../../protocols/jupiter-limit-order/program.ts';
import {
  encodeLimitOrderV1,
  LIMIT_ORDER_V1_PROGRAM,
} from '../../protocols/jupiter-orders/limit-v1-layout.ts';
import {
  encodeValueAverageOrder,
  VALUE_AVERAGE_PROGRAM,
} from '../../protocols/jupiter-orders/value-average-layout.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

const DAY = 86_400n;

/** Writes one order of each kind. */
export function addOrders(demo: DemoContext): void {
  addLimitOrder(demo);
  addLimitOrderV1(demo);
  addDcaOrder(demo);
  addValueAverageOrder(demo);
}

/**
 * Adds an order that buys SOL for 1,000 USDC at 160 dollars. A fifth of it was filled, and the SOL were paid out. The
 * program fills and cancels it as any other.
 */
function addLimitOrder({ ledger, owner, foundedAt }: DemoContext): void {
  const [sol, usdc] = [getGenesisToken('SOL'), getGenesisToken('USDC')];
  const uniqueId = 1n;
  const { address: order, bump } = deriveLimitOrder(owner, uniqueId);
  const making = parseDecimalAmount('800', usdc.decimals);
  const data = encodeLimitOrder({
    maker: owner,
    inputMint: usdc.mint,
    outputMint: sol.mint,
    inputTokenProgram: TOKEN_PROGRAM,
    outputTokenProgram: TOKEN_PROGRAM,
    inputReserve: deriveOrderReserve(order, usdc.mint, TOKEN_PROGRAM),
    uniqueId,
    originalMaking: parseDecimalAmount('1000', usdc.decimals),
    originalTaking: parseDecimalAmount('6.25', sol.decimals),
    making,
    taking: parseDecimalAmount('5', sol.decimals),
    borrowedMaking: 0n,
    expiredAt: foundedAt + 60n * DAY,
    feeBps: NORMAL_FEE_BPS,
    feeAccount: deriveProgramFeeAccount(sol.mint, TOKEN_PROGRAM),
    createdAt: foundedAt - 5n * DAY,
    updatedAt: foundedAt - 4n * DAY,
    bump,
    slippageBps: 0,
    stopLossTaking: 0n,
  });
  ledger.addData(order, LIMIT_ORDER_PROGRAM, data);
  ledger.addAssociatedTokens(toLedgerMint(usdc), { owner: order, amount: making });
}

/** Adds an order that buys JUP for 500 USDC at 0.40 dollars. Nothing was filled yet. */
function addLimitOrderV1({ ledger, owner }: DemoContext): void {
  const [jup, usdc] = [getGenesisToken('JUP'), getGenesisToken('USDC')];
  const order = deriveDemoAddress('limit order v1');
  const reserve = deriveDemoAddress('limit order v1 reserve');
  const making = parseDecimalAmount('500', usdc.decimals);
  const taking = parseDecimalAmount('1250', jup.decimals);
  const data = encodeLimitOrderV1({
    maker: owner,
    inputMint: usdc.mint,
    outputMint: jup.mint,
    originalMaking: making,
    originalTaking: taking,
    making,
    taking,
    makerInputAccount: deriveAssociatedTokenAddress(owner, usdc.mint, TOKEN_PROGRAM),
    makerOutputAccount: deriveAssociatedTokenAddress(owner, jup.mint, TOKEN_PROGRAM),
    reserve,
    expiredAt: null,
  });
  ledger.addData(order, LIMIT_ORDER_V1_PROGRAM, data);
  ledger.addTokens(reserve, toLedgerMint(usdc), { owner: order, amount: making });
}

/**
 * Adds an order that buys JUP for 1,200 USDC, a tenth every day, between 0.40 and 0.60 dollars. Four parts were paid
 * out.
 */
function addDcaOrder({ ledger, owner, foundedAt }: DemoContext): void {
  const [jup, usdc] = [getGenesisToken('JUP'), getGenesisToken('USDC')];
  // The wallet can close it by the program, whose next cycle a keeper can fill.
  const seeds = { user: owner, inputMint: usdc.mint, outputMint: jup.mint, idx: 1n };
  const { address: order, bump } = deriveDcaOrderAddress(seeds);
  const part = parseDecimalAmount('120', usdc.decimals);
  const bought = parseDecimalAmount('1000', jup.decimals);
  const [inAccount, outAccount] = [usdc, jup].map(({ mint }) =>
    deriveAssociatedTokenAddress(order, mint, TOKEN_PROGRAM),
  );
  if (inAccount === undefined || outAccount === undefined) throw new Error('two accounts expected');
  const data = encodeDcaOrder({
    ...seeds,
    nextCycleAt: foundedAt + DAY,
    inDeposited: 10n * part,
    inWithdrawn: 0n,
    outWithdrawn: bought,
    inUsed: 4n * part,
    outReceived: bought,
    inAmountPerCycle: part,
    cycleFrequency: DAY,
    nextCycleAmountLeft: part,
    inAccount,
    outAccount,
    minOutAmount: parseDecimalAmount('200', jup.decimals),
    maxOutAmount: parseDecimalAmount('300', jup.decimals),
    keeperInBalanceBeforeBorrow: 0n,
    dcaOutBalanceBeforeSwap: 0n,
    createdAt: foundedAt - 4n * DAY,
    bump,
  });
  ledger.addData(order, DCA_PROGRAM, data);
  ledger.addAssociatedTokens(toLedgerMint(usdc), { owner: order, amount: 6n * part });
  ledger.addAssociatedTokens(toLedgerMint(jup), { owner: order, amount: 0n });
}

/**
 * Adds an order with 600 USDC that increases its value in JUP by 50 dollars a day. 150 USDC bought 300 JUP, which it
 * holds.
 */
function addValueAverageOrder({ ledger, owner, foundedAt }: DemoContext): void {
  const [jup, usdc] = [getGenesisToken('JUP'), getGenesisToken('USDC')];
  const order = deriveDemoAddress('value-averaging order');
  const [inputVault, outputVault] = [usdc, jup].map(({ mint }) =>
    deriveAssociatedTokenAddress(order, mint, TOKEN_PROGRAM),
  );
  if (inputVault === undefined || outputVault === undefined) throw new Error('two accounts expected');
  const usd = (amount: string) => parseDecimalAmount(amount, usdc.decimals);
  const bought = parseDecimalAmount('300', jup.decimals);
  const terms = {
    user: owner,
    inputMint: usdc.mint,
    outputMint: jup.mint,
    incrementUsdc: usd('50'),
    orderInterval: DAY,
    inputVault,
    outputVault,
    createdAt: foundedAt - 3n * DAY,
    inDeposited: usd('600'),
    inLeft: usd('450'),
    inUsed: usd('150'),
    inWithdrawn: 0n,
    outReceived: bought,
    outWithdrawn: 0n,
  };
  const data = encodeValueAverageOrder(terms, { supposedUsdc: usd('150'), orderAt: foundedAt + DAY });
  ledger.addData(order, VALUE_AVERAGE_PROGRAM, data);
  ledger.addAssociatedTokens(toLedgerMint(usdc), { owner: order, amount: usd('450') });
  ledger.addAssociatedTokens(toLedgerMint(jup), { owner: order, amount: bought });
}
