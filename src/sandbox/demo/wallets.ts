import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { NATIVE_SYMBOL, findTokenBySymbol, getGenesisToken, TOKENS } from '../../solana/known-tokens.ts';

/** Amounts in whole tokens by symbol. `SOL` is the wallet's own lamports, `wSOL` its wrapped ones. */
type Balances = Readonly<Record<string, string>>;

const WRAPPED_SYMBOL = 'wSOL';

/**
 * The balances of the demo wallets at the start. The first wallet has some of everything; the last has never held a
 * token.
 */
export const DEMO_BALANCES: readonly Balances[] = [
  {
    SOL: '500',
    USDC: '50000',
    USDT: '10000',
    JUP: '5000',
    JitoSOL: '20',
    mSOL: '20',
    JupSOL: '20',
    INF: '10',
    BONK: '100000000',
    WIF: '2500',
    PYTH: '10000',
    RAY: '500',
    ORCA: '800',
    JTO: '1000',
    cbBTC: '0.05',
    WBTC: '0.02',
    WETH: '1',
    RENDER: '500',
    HNT: '600',
    JLP: '400',
    PYUSD: '5000',
    BERN: '1000000',
    JupUSD: '5000',
  },
  { SOL: '100', USDC: '10000' },
  { SOL: '50', JitoSOL: '150', mSOL: '75.5', JupSOL: '200', INF: '40' },
  { SOL: '25', BONK: '5000000000', WIF: '40000', BERN: '25000000' },
  { SOL: '50000', USDC: '5000000', USDT: '1000000', cbBTC: '20', WETH: '300', JLP: '100000' },
  {
    SOL: '2000',
    wSOL: '8000',
    USDC: '2000000',
    USDT: '500000',
    JUP: '500000',
    PYUSD: '250000',
    JupUSD: '250000',
  },
  {
    SOL: '40',
    JUP: '25000',
    JTO: '4000',
    PYTH: '60000',
    RAY: '3000',
    ORCA: '2500',
    HNT: '1500',
    RENDER: '2000',
  },
  { SOL: '1', USDC: '1234.567891', USDT: '765.432109', PYUSD: '999.999999' },
  { SOL: '0.05', USDC: '0.000001', BONK: '0.00001', JitoSOL: '0.000000001' },
  { SOL: '100' },
];

/** Writes the demo wallets and their associated token accounts. */
export function addDemoWallets(ledger: AccountLedger, { demoWallets }: GenesisKeys): void {
  demoWallets.forEach(({ address }, index) => {
    for (const [symbol, amount] of Object.entries(DEMO_BALANCES[index] ?? {})) {
      const token = findTokenBySymbol(symbol === WRAPPED_SYMBOL ? NATIVE_SYMBOL : symbol);
      if (token === null)
        throw new Error(`demo wallet ${index} holds ${symbol}, which is no token of the genesis`);
      const atoms = parseDecimalAmount(amount, token.decimals);
      if (symbol === NATIVE_SYMBOL) ledger.addWallet(address, atoms);
      else ledger.addAssociatedTokens(toLedgerMint(token), { owner: address, amount: atoms });
    }
  });
}

/** 1,000 SOL: more than many days of sponsored swaps cost. */
const SPONSOR_LAMPORTS = 1_000_000_000_000n;

/** The balances of the demo maker with a webhook: SOL for fees, and both tokens that it trades. */
const WEBHOOK_MAKER_BALANCES = { lamports: 100_000_000_000n, SOL: 500_000_000_000n, USDC: 100_000_000_000n };

/** Writes the wallet of the demo maker with a webhook. */
export function addWebhookMaker(
  ledger: AccountLedger,
  { webhookMaker: { address: owner } }: GenesisKeys,
): void {
  const { lamports, ...tokens } = WEBHOOK_MAKER_BALANCES;
  ledger.addWallet(owner, lamports);
  for (const [symbol, amount] of Object.entries(tokens)) {
    const token = findTokenBySymbol(symbol);
    if (token === null) throw new Error(`${symbol} is no token of the genesis`);
    ledger.addAssociatedTokens(toLedgerMint(token), { owner, amount });
  }
}

/** The balances of each of the wallets that trade on prediction markets when the network begins. */
const PREDICTION_TRADER_BALANCES = {
  lamports: 10_000_000_000n,
  USDC: 1_000_000_000n,
  JupUSD: 1_000_000_000n,
};

/** What each of these wallets has of USDC before it trades, in base units. */
export const PREDICTION_TRADER_USDC = PREDICTION_TRADER_BALANCES.USDC;

/** Writes the wallets that trade on prediction markets when the network begins. */
export function addPredictionTraders(ledger: AccountLedger, { predictionTraders }: GenesisKeys): void {
  const { lamports, ...tokens } = PREDICTION_TRADER_BALANCES;
  for (const { address: owner } of predictionTraders) {
    ledger.addWallet(owner, lamports);
    for (const [symbol, amount] of Object.entries(tokens)) {
      ledger.addAssociatedTokens(toLedgerMint(getGenesisToken(symbol)), { owner, amount });
    }
  }
}

/** Writes the sponsor's wallet with an empty account for every token, because it may take its fee in any of them. */
export function addSponsor(ledger: AccountLedger, { sponsor }: GenesisKeys): void {
  ledger.addWallet(sponsor.address, SPONSOR_LAMPORTS);
  for (const token of TOKENS)
    ledger.addAssociatedTokens(toLedgerMint(token), { owner: sponsor.address, amount: 0n });
}
