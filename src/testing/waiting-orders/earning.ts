import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { checkMessageToSign } from '../../custody/checks/check-message.ts';
import { OrderEarn } from '../../lend/earn/order-earn.ts';
import { deriveReserveVaultAddress } from '../../protocols/jupiter-lend/liquidity/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import {
  buildTransaction,
  readAccounts,
  type TransactionPlan,
} from '../../transactions/build/build-transaction.ts';
import { planEarnDeposit } from '../../waiting-orders/earning/earn-deposit.ts';
import type { OrderEarnMarket } from '../../waiting-orders/earning/earn-program.ts';
import { toEarnSale, toSharePrice } from '../../waiting-orders/earning/earn-sale.ts';
import { planEarnWithdrawal } from '../../waiting-orders/earning/earn-withdrawal.ts';
import type { PlannedFill } from '../../waiting-orders/fills/fill-plan.ts';
import { type OrderMint, readOrderMint } from '../../waiting-orders/landing/order-mint.ts';
import type { OrderSale } from '../../waiting-orders/order-sale.ts';
import { FillMarket } from './fills.ts';

/** What the deposits are sold for. */
export const OUTPUT = getGenesisToken('JUP').mint;
const SEED = '0123456789abcdef0123456789abcdef';

/** A deposit that earns, with the keys of its parties. */
export interface EarningDeposit {
  readonly wallet: Keypair;
  readonly vault: Keypair;
  readonly account: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** Orders that earn while they wait, over the genesis market with its real programs, and with real keys. */
export class EarnWorld {
  readonly fills: FillMarket;
  readonly earn: OrderEarn;
  readonly #coSigner: Keypair;

  private constructor(fills: FillMarket) {
    this.fills = fills;
    const { pools, chain } = fills.market;
    this.earn = new OrderEarn(pools, () => chain.clock());
    this.#coSigner = fills.newKey(0n);
  }

  static async open(): Promise<EarnWorld> {
    return new EarnWorld(await FillMarket.open());
  }

  /** Returns the market of a token. */
  market(mint: Address): OrderEarnMarket {
    const market = this.earn.find(mint);
    if (market === null) throw new Error(`${mint} is not lent`);
    return market;
  }

  /** Lands the deposit of a new wallet, which has `amount` atoms and one more. */
  async deposit(mint: Address, amount: bigint): Promise<EarningDeposit> {
    const { fills } = this;
    const [wallet, vault] = [fills.newKey(1_000_000_000n), fills.newKey(0n)];
    const source = fills.openAta(wallet.address, mint);
    fills.setTokens(source, { owner: wallet.address, mint, amount: amount + 1n });
    const { plan, account } = this.planDeposit({ wallet, vault, mint, amount });
    const deposit = { wallet, vault, account, mint, amount };
    const landed = await this.sign(deposit, await this.build(plan), 'deposit');
    if (landed.error !== null) throw new Error(`the deposit failed: ${landed.logs.join('\n')}`);
    return deposit;
  }

  planDeposit({ wallet, vault, mint, amount }: Omit<EarningDeposit, 'account'>, output = OUTPUT) {
    const deposit = {
      wallet: wallet.address,
      vault: vault.address,
      input: this.readMint(mint),
      output: this.readMint(output),
      shares: this.readMint(this.market(mint).earnMint),
      amount,
    };
    return planEarnDeposit(this.earn, deposit, SEED);
  }

  /** @param serial - Distinguishes withdrawals that are otherwise alike. */
  planWithdrawal({ wallet, vault, account, mint }: EarningDeposit, serial = 0): TransactionPlan {
    const parties = { wallet: wallet.address, vault: vault.address, coSigner: this.#coSigner.address };
    const earned = { ...parties, account, input: this.readMint(mint) };
    return planEarnWithdrawal(this.earn, earned, serial);
  }

  /** Lets time pass, in which everything that is lent earns. */
  pass(seconds: bigint): void {
    const { network, chain } = this.fills.market;
    network.setUnixTime(chain.clock().unixTimestamp + seconds);
  }

  /** Takes everything that is lent of a token out of its reserve, until the returned function is called. */
  lendAllOut(mint: Address): () => void {
    const { fills } = this;
    const { network, chain } = fills.market;
    const vault = deriveReserveVaultAddress(mint, fills.programOf(mint));
    const before = fills.read(vault);
    const write = (account: typeof before) => {
      network.setAccount(vault, account);
      chain.publish([vault]);
    };
    write({ ...before, data: encodeTokenAccount({ ...decodeTokenAccount(before.data), amount: 0n }) });
    return () => write(before);
  }

  /** Atoms that the wallet of a deposit has of a token. */
  tokens({ wallet }: EarningDeposit, mint: Address): bigint {
    return this.fills.tokens(this.fills.ata(wallet.address, mint));
  }

  readMint(mint: Address): OrderMint {
    const read = readOrderMint(mint, this.fills.read(mint));
    if (read === null) throw new Error(`${mint} is no mint`);
    return read;
  }

  /** Returns the message of a plan. Fails if a program refuses it now. */
  async build(plan: TransactionPlan): Promise<Uint8Array> {
    const { market } = this.fills;
    const build = await buildTransaction(market, plan, await readAccounts(market.chain, plan));
    if (build.kind === 'built') return build.messageBytes;
    throw new Error(build.kind === 'refused' ? build.failure.message : 'the wallet lacks funds');
  }

  /** Has the check of custody look at a message, signs it with all keys, and lands it. */
  async sign(
    { wallet, vault, account, mint, amount }: EarningDeposit,
    messageBytes: Uint8Array,
    kind: 'deposit' | 'withdrawal',
  ): Promise<LandedTransaction> {
    const { earnMint } = this.market(mint);
    const common = { subject: 'order', messageBytes, wallet: wallet.address };
    const own = { vault: vault.address, coSigner: this.#coSigner.address };
    const accounts = [{ account, mint: earnMint, lentMint: mint }];
    const paid = { account, mint, amount, earnMint, outputMint: OUTPUT, outputAccount: null };
    checkMessageToSign(
      kind === 'deposit' ? { ...common, ...paid, kind } : { ...common, accounts, kind },
      own,
    );
    const { chain } = this.fills.market;
    const keys = kind === 'deposit' ? [wallet, vault] : [wallet, vault, this.#coSigner];
    const signature = await chain.send(signTransaction(messageBytes, keys));
    const landed = await chain.transaction(signature);
    if (landed === null) throw new Error(`${signature} did not land`);
    return landed;
  }

  /** The sale of a round of a deposit, in atoms of the input; all that is left of it for the last round. */
  saleOf(
    { wallet, vault, account, mint, amount }: EarningDeposit,
    outputMint: Address,
    terms: Partial<OrderSale> = {},
  ): OrderSale {
    return {
      id: `earning ${account}`,
      wallet: wallet.address,
      vault: vault.address,
      failures: 0,
      leg: 'round',
      account,
      inputMint: mint,
      outputMint,
      remaining: amount,
      exactly: null,
      outputAccount: null,
      slippageBps: null,
      isProtective: false,
      ...terms,
    };
  }

  /** Plans the fill of a round, by the prices of the deep pools. */
  async planRound(sale: OrderSale): Promise<{ readonly sale: OrderSale; readonly fill: PlannedFill }> {
    const market = this.market(sale.inputMint);
    const earned = toEarnSale(sale, market);
    const { referenceIn, referenceOut } = this.fills.references(sale);
    const references = { referenceIn: toSharePrice(referenceIn, market), referenceOut };
    return { sale: earned, fill: await this.fills.planFill(earned, references) };
  }

  /** Lands the fill of a round. It may fail on chain. */
  land(
    { wallet, vault }: EarningDeposit,
    { sale, fill }: Awaited<ReturnType<EarnWorld['planRound']>>,
  ): Promise<LandedTransaction> {
    return this.fills.land({ sale, wallet, vault }, fill);
  }
}
