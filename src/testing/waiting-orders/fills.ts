import {
  type CustodySignature,
  type FillToSign,
  type KeyCustody,
  SigningRefused,
} from '../../custody/custody.ts';
import { deriveOutputAccount } from '../../custody/checks/output-account.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { venueLabels } from '../../protocol/venue/venue.ts';
import { lendingGenesis } from '../../protocols/jupiter-lend/venue/genesis.ts';
import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { createKeypairFromSeed, type Keypair, signWith } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isTokenProgram, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { computeExtendedSize, TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/extensions.ts';
import { listNewAccountExtensions } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { bps } from '../../solana/units.ts';
import { signFill } from '../../waiting-orders/fills/sign-fill.ts';
import type { FillPlan, PlannedFill } from '../../waiting-orders/fills/fill-plan.ts';
import {
  FillPlanner,
  type FillPlannerDependencies,
  type ReferenceQuote,
} from '../../waiting-orders/fills/fill-planner.ts';
import type { OrderSale } from '../../waiting-orders/order-sale.ts';
import { type GenesisTestMarket, openTestMarket } from '../genesis-market/open.ts';
import { ordinaryTokenAccount } from '../token-account.ts';

/** Orders that wait over the genesis market, with real keys, and what fills them. */
export class FillMarket {
  readonly market: GenesisTestMarket;
  readonly gasWallet: Keypair;
  readonly dependencies: FillPlannerDependencies;
  readonly planner: FillPlanner;
  #keys = 0;
  #orders = 0;

  constructor(market: GenesisTestMarket, options: Partial<FillPlannerDependencies> = {}) {
    this.market = market;
    this.gasWallet = this.newKey(1_000_000_000_000n);
    this.dependencies = {
      market,
      venueLabels: venueLabels(VENUES),
      gasWallet: this.gasWallet.address,
      limits: { floorBps: 500, maxFloorBps: 2_500 },
      feeBps: bps(0),
      ...options,
    };
    this.planner = new FillPlanner(this.dependencies);
  }

  static async open(options: Partial<FillPlannerDependencies> = {}): Promise<FillMarket> {
    return new FillMarket(await openTestMarket(), options);
  }

  newKey(lamports: bigint): Keypair {
    const keypair = createKeypairFromSeed(sha256(Buffer.from(`fill key ${this.#keys++}`)));
    if (lamports > 0n) this.setLamports(keypair.address, lamports);
    return keypair;
  }

  setLamports(wallet: Address, lamports: bigint): void {
    const empty = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    this.market.network.setAccount(wallet, { ...empty, lamports });
  }

  /** All mints that can be sold: tokens, and receipts of lending. */
  mints(): readonly Address[] {
    const { genesis } = this.market;
    const receipts = getGenesisPools(genesis, lendingGenesis).map(({ receiptMint }) => receiptMint);
    return [...genesis.tokens.map(({ mint }) => mint), ...receipts];
  }

  /** An order whose input lies in an account of its own, and the key of its vault. */
  deposit(
    {
      inputMint,
      outputMint,
      amount,
    }: Pick<OrderSale, 'inputMint' | 'outputMint'> & { readonly amount: bigint },
    terms: Partial<OrderSale> = {},
  ): DepositedOrder {
    const vault = this.newKey(0n);
    const wallet = this.newKey(0n);
    const id = `order ${this.#orders++}`;
    const account = this.newKey(0n).address;
    const sale: OrderSale = {
      id,
      wallet: wallet.address,
      vault: vault.address,
      failures: 0,
      leg: 'single',
      account,
      inputMint,
      outputMint,
      remaining: amount,
      exactly: null,
      outputAccount: null,
      slippageBps: null,
      isProtective: false,
      ...terms,
    };
    this.setTokens(account, { owner: sale.vault, mint: inputMint, amount });
    return { sale, vault, wallet };
  }

  /** Like `deposit`, for an order that buys into a second account of its vault, which does not exist yet. */
  depositEntry(...[pair, terms]: Parameters<FillMarket['deposit']>): DepositedOrder {
    const { sale, ...keys } = this.deposit(pair, terms);
    const program = this.programOf(sale.outputMint);
    return {
      ...keys,
      sale: { ...sale, outputAccount: deriveOutputAccount(sale.vault, sale.account, program) },
    };
  }

  /** Writes a token account as a deposit leaves it. */
  setTokens(
    account: Address,
    { owner, mint, amount }: { readonly owner: Address; readonly mint: Address; readonly amount: bigint },
    state: 'initialized' | 'frozen' = 'initialized',
  ): void {
    const { network } = this.market;
    const program = this.programOf(mint);
    const extensions = this.#listExtensions(mint);
    const rent = this.rent(mint);
    const isNative = mint === WRAPPED_SOL_MINT;
    network.setAccount(account, {
      lamports: rent + (isNative ? amount : 0n),
      owner: program,
      data: ordinaryTokenAccount({
        mint,
        owner,
        amount,
        state,
        nativeReserve: isNative ? rent : null,
        extensions,
      }),
      executable: false,
      rentEpoch: 0n,
    });
  }

  /** The rent of an order's account. */
  rent(mint: Address): bigint {
    const sizes = this.#listExtensions(mint).map(({ data }) => data.length);
    return computeRentExemptMinimum(sizes.length === 0 ? TOKEN_ACCOUNT_SIZE : computeExtendedSize(sizes));
  }

  #listExtensions(mint: Address) {
    // An account that is not an associated one may change hands.
    return listNewAccountExtensions(decodeMint(this.read(mint).data)).slice(1);
  }

  read(address: Address) {
    const account = this.market.network.account(address);
    if (account === null) throw new Error(`nothing at ${address}`);
    return account;
  }

  programOf(mint: Address): Address {
    return this.read(mint).owner;
  }

  ata(owner: Address, mint: Address): Address {
    return deriveAssociatedTokenAddress(owner, mint, this.programOf(mint));
  }

  /** Opens the associated account of an owner at the cost of the network's own payer. */
  openAta(owner: Address, mint: Address): Address {
    const { network } = this.market;
    const tokenProgram = this.programOf(mint);
    const create = createAssociatedTokenIdempotent({ payer: network.payer, owner, mint, tokenProgram });
    const { error } = network.send([create]);
    if (error !== null) throw new Error(`the account cannot be opened: ${error.kind}`);
    return this.ata(owner, mint);
  }

  lamports(address: Address): bigint {
    return this.market.network.account(address)?.lamports ?? 0n;
  }

  /** The tokens in an account; 0 if it does not exist. */
  tokens(account: Address): bigint {
    const { network } = this.market;
    return network.account(account) === null ? 0n : network.tokenBalance(account);
  }

  /** The prices of the deep pools, by which whole tokens are valued. */
  references({ inputMint, outputMint }: Pick<OrderSale, 'inputMint' | 'outputMint'>): ReferenceQuote {
    const priceOf = (mint: Address) => {
      const perAtom = this.market.prices.deepDollarsPerAtom(mint);
      return perAtom === null ? null : perAtom * 10 ** this.decimals(mint);
    };
    return { referenceIn: priceOf(inputMint), referenceOut: priceOf(outputMint) };
  }

  /** Prices by which a fill just misses the floor of an order that names no slippage. A part of it may reach it. */
  missed(
    { inputMint, outputMint }: OrderSale,
    { inputAmount, quotedOut }: PlannedFill,
  ): { readonly referenceIn: number; readonly referenceOut: number } {
    const paid = Number(inputAmount) / 10 ** this.decimals(inputMint);
    const got = Number(quotedOut) / 10 ** this.decimals(outputMint);
    const reference = 1_000;
    return { referenceIn: reference, referenceOut: (reference * paid * 0.95 * (1 - 1e-7)) / got };
  }

  decimals(mint: Address): number {
    return decodeMint(this.read(mint).data).decimals;
  }

  /** Atoms that are worth so many US dollars; that many whole tokens if no deep pool prices the mint. */
  amountWorth(mint: Address, dollars: number): bigint {
    const perAtom = this.market.prices.deepDollarsPerAtom(mint) ?? 1 / 10 ** this.decimals(mint);
    return BigInt(Math.ceil(dollars / perAtom));
  }

  plan(sale: OrderSale, references: ReferenceQuote = this.references(sale)): Promise<FillPlan> {
    return this.planner.plan(sale, references);
  }

  /** @throws Error if the order has to wait */
  async planFill(sale: OrderSale, references?: ReferenceQuote): Promise<PlannedFill> {
    const plan = await this.plan(sale, references);
    if (plan.kind === 'fill') return plan;
    throw new Error(`the order waits for ${plan.reason}: ${plan.detail}`);
  }

  /** Signs a fill with the real keys, and lands it. It may fail on chain. */
  async land({ sale, vault }: DepositedOrder, fill: PlannedFill): Promise<LandedTransaction> {
    const signers = { custody: new TestCustody(vault), gasWallet: this.gasWallet };
    const { wire, signature } = await signFill(signers, sale, fill);
    await this.market.chain.send(wire);
    const landed = await this.market.chain.transaction(signature);
    if (landed === null) throw new Error(`${signature} did not land`);
    return landed;
  }

  /** The token accounts of an owner among those that a transaction names. */
  leftWith(owner: Address, { accounts }: LandedTransaction): readonly Address[] {
    return accounts.filter((address) => {
      const account = this.market.network.account(address);
      const isTokens = account !== null && isTokenProgram(account.owner) && isTokenAccount(account.data);
      return isTokens && decodeTokenAccount(account.data).owner === owner;
    });
  }

  /** What a wallet without anything else has of the output, without the rent of an order's account that was closed. */
  received({ wallet, account, inputMint, outputMint }: OrderSale): bigint {
    if (outputMint !== WRAPPED_SOL_MINT) return this.tokens(this.ata(wallet, outputMint));
    const isClosed = this.market.network.account(account) === null;
    return this.lamports(wallet) - (isClosed ? this.rent(inputMint) : 0n);
  }
}

export interface DepositedOrder {
  readonly sale: OrderSale;
  readonly vault: Keypair;
  readonly wallet: Keypair;
}

/** Signs whatever fill it is given with one key, and keeps what it was asked. */
export class TestCustody implements Pick<KeyCustody, 'sign'> {
  readonly asked: FillToSign[] = [];
  readonly #vault: Keypair;

  constructor(vault: Keypair) {
    this.#vault = vault;
  }

  async sign(request: Parameters<KeyCustody['sign']>[0]): Promise<readonly CustodySignature[]> {
    if (request.kind !== 'fill') throw new SigningRefused(`a ${request.kind} was asked for`);
    this.asked.push(request);
    const { address } = this.#vault;
    return [{ address, signature: signWith(this.#vault, request.messageBytes) }];
  }
}
