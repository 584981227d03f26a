import { toForecastMarketId } from '../../forecasts/events/forecast-ids.ts';
import type { ForecastRound } from '../../forecasts/forecast.ts';
import { deriveForecastUsdc } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import { parseTransaction, type Transaction } from '../../solana/messages/transaction.ts';
import { decodeTokenAccount, type TokenAccount } from '../../solana/programs/token/account.ts';
import type { TestPredictionDesk } from './prediction-desk.ts';
import type { JsonAnswer } from '../product-gateway.ts';

/** The owner of a desk as it buys and sells tokens of forecasts. */
export class ForecastTrader {
  readonly #desk: TestPredictionDesk;

  constructor(desk: TestPredictionDesk) {
    this.#desk = desk;
  }

  /** Asks for a purchase of tokens of the side that wins if the price rises, for 5.00 USDC. */
  buy(round: ForecastRound, change: object = {}): Promise<JsonAnswer> {
    return this.#desk.buy({ marketId: toForecastMarketId(round.address, 'up'), isYes: undefined, ...change });
  }

  /** Buys such tokens, and returns the token account. */
  async hold(round: ForecastRound, depositAmount = '50000000'): Promise<Address> {
    const { json } = await this.buy(round, { depositAmount });
    await this.land(json);
    return json.order.positionPubkey;
  }

  /** Asks for a sale. */
  sell(positionPubkey: Address, change: object = {}): Promise<JsonAnswer> {
    const { owner } = this.#desk;
    return this.#desk.post('orders', { ownerPubkey: owner, positionPubkey, isBuy: false, ...change });
  }

  /** Signs what was built, and executes it. */
  async land(built: JsonAnswer['json']): Promise<void> {
    const { json } = await this.#desk.post('execute', {
      signedTransaction: this.#desk.sign(built.transaction),
      context: built.execution.context,
    });
    if (json.status !== 'Success') throw new Error(`it did not land: ${JSON.stringify(json)}`);
  }

  /** Reads a token account. */
  tokens(account: Address): TokenAccount {
    const found = this.#desk.wallets.market.network.account(account);
    if (found === null) throw new Error(`there is no account ${account}`);
    return decodeTokenAccount(found.data);
  }

  /** Returns what the owner has in USDC. */
  dollars(): bigint {
    return this.tokens(deriveForecastUsdc(this.#desk.owner)).amount;
  }

  /** Leaves the owner too little SOL to pay for a transaction. */
  impoverish(): void {
    const { network } = this.#desk.wallets.market;
    const account = network.account(this.#desk.owner);
    if (account === null) throw new Error('the wallet has no account');
    network.setAccount(this.#desk.owner, { ...account, lamports: 900_000n });
  }
}

/** Parses the transaction of an answer. */
export function parseBuilt(built: { readonly transaction: string }): Transaction {
  return parseTransaction(new Uint8Array(Buffer.from(built.transaction, 'base64')));
}
