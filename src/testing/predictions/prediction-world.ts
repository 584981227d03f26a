import { CONTRACT_STEP, MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import type { PredictionMarket, PredictionResult } from '../../predictions/prediction.ts';
import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
  type PredictionPositionAccount,
  type PredictionResultAccount,
} from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import { createNewPredictionOrder } from '../../protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import { createClaimPredictionPayout } from '../../protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import {
  derivePredictionOrder,
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import {
  decodePredictionVault,
  encodePredictionVault,
  type PredictionVaultAccount,
} from '../../protocols/jupiter-prediction/prediction-vault.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork, type TestOutcome } from '../svm/network.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { HeldEvents } from './held-events.ts';
import { CREATED_AT, createTestEvent } from './test-events.ts';

/** What the house has in the vault, in micro USD. */
export const HOUSE_FUNDS = 1_000_000_000_000n;

/** What a test says of an order. The rest is derived. */
export interface RigOrder {
  readonly owner: Address;
  readonly market: PredictionMarket;
  readonly isYes?: boolean;
  readonly isBuy?: boolean;
  /** Micro-contracts. */
  readonly contracts?: bigint;
  /** Micro USD for one contract. */
  readonly price?: bigint;
  /** Micro USD. Default: enough for all contracts and the fee. */
  readonly deposit?: bigint;
  readonly isLimit?: boolean;
}

/** A network with the real program, a vault and its keys, and events that the test keeps. */
export class PredictionWorld {
  readonly network = new TestNetwork(['prediction', 'lighthouse'], 'predictions');
  readonly chain: SvmChain;
  readonly events = new HeldEvents();
  readonly keys = {
    authority: newKey(1),
    keeper: newKey(2),
    cosigner: newKey(3),
  };
  #orders = 0;
  #events = 0;

  constructor() {
    this.network.setUnixTime(BigInt(CREATED_AT));
    this.chain = new SvmChain(this.network);
    this.setVault({});
    this.network.setData(
      JUPUSD_MINT,
      TOKEN_PROGRAM,
      encodeMint({
        mintAuthority: null,
        supply: 1n << 62n,
        decimals: 6,
        freezeAuthority: null,
        extensions: [],
      }),
    );
    this.setTokens(PREDICTION_VAULT.address, HOUSE_FUNDS);
    this.setLamports(this.keys.keeper.address, 100_000_000_000n);
    this.setLamports(this.keys.cosigner.address, 1_000_000_000n);
  }

  setVault(changes: Partial<PredictionVaultAccount>): void {
    const { authority, keeper, cosigner } = this.keys;
    const vault = encodePredictionVault({
      settlementMint: JUPUSD_MINT,
      currentContracts: 0n,
      globalMaxContracts: 1_000_000_000_000_000n,
      positionMaxContracts: 100_000_000_000_000n,
      positionMaxOrders: 64,
      protocolFeeBps: 0,
      settlementDelaySeconds: 86_400n,
      depositsDisabled: false,
      withdrawalsDisabled: false,
      tradingDisabled: false,
      bump: PREDICTION_VAULT.bump,
      admin: keeper.address,
      authority: authority.address,
      keeper: keeper.address,
      cosigner: cosigner.address,
      ...changes,
    });
    this.network.setData(PREDICTION_VAULT.address, PREDICTION_PROGRAM, vault);
  }

  setTokens(owner: Address, amount: bigint): void {
    const data = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner, amount });
    this.network.setData(derivePredictionTokens(owner), TOKEN_PROGRAM, data);
  }

  setLamports(address: Address, lamports: bigint): void {
    this.network.setAccount(address, {
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
  }

  /** Creates a market, whose house begins at 50 cents and offers 100 contracts at each. */
  market(changes: Partial<PredictionMarket> = {}): PredictionMarket {
    const event = createTestEvent(++this.#events);
    const [first] = event.markets;
    if (first === undefined) throw new Error('the event has no market');
    const house = { startCents: 50, levelContracts: 100n * MICRO_PER_CONTRACT };
    const market = { ...first, openAt: CREATED_AT, feeBps: 700, house, ...changes };
    this.events.put({ ...event, markets: [market] });
    return market;
  }

  /** Creates a wallet with tokens. */
  trader(tokens = 1_000_000_000n): Address {
    const owner = this.network.newWallet();
    this.setTokens(owner, tokens);
    return owner;
  }

  /** Has an order land, and tells everybody of it. Returns its address. */
  order(terms: RigOrder): Address {
    const { owner, market } = terms;
    const { isYes = true, isBuy = true, isLimit = false, contracts = 10n * MICRO_PER_CONTRACT } = terms;
    const price = terms.price ?? (isBuy ? 990_000n : 10_000n);
    const externalOrderId = String(++this.#orders).padStart(32, '0');
    const worth = (contracts * price) / MICRO_PER_CONTRACT;
    const depositAmount = isBuy ? (terms.deposit ?? worth + worth / 10n + CONTRACT_STEP) : 0n;
    this.must(
      this.network.send([
        createNewPredictionOrder(
          { owner, payer: owner, authority: this.keys.authority.address },
          {
            externalOrderId,
            marketIdHash: market.marketIdHash,
            isYes,
            isBuy,
            contracts,
            limitPrice: price,
            depositAmount,
            isLimit,
            integrator: null,
          },
        ),
      ]),
    );
    const { address } = derivePredictionOrder(owner, externalOrderId);
    const position = derivePredictionPosition(market.marketIdHash, owner, isYes).address;
    this.chain.publish([address, position, derivePredictionTokens(owner)]);
    return address;
  }

  must({ error, logs }: TestOutcome): void {
    if (error !== null) throw new Error(`${error.custom ?? error.kind}: ${logs.join('\n')}`);
  }

  readOrder(address: Address) {
    const account = this.network.account(address);
    return account === null ? null : decodePredictionOrder(account.data);
  }

  /** Whether an order is still on the chain. */
  isOpen(address: Address): boolean {
    return this.readOrder(address) !== null;
  }

  position(owner: Address, market: PredictionMarket, isYes = true): PredictionPositionAccount | null {
    const { address } = derivePredictionPosition(market.marketIdHash, owner, isYes);
    const account = this.network.account(address);
    return account === null ? null : decodePredictionPosition(account.data);
  }

  /** The contracts of a position, in micro-contracts. */
  held(owner: Address, market: PredictionMarket, isYes = true): bigint {
    return this.position(owner, market, isYes)?.contracts ?? 0n;
  }

  tokens(owner: Address): bigint {
    const account = derivePredictionTokens(owner);
    return this.network.account(account) === null ? 0n : this.network.tokenBalance(account);
  }

  /** Decides a market, as an administrator does. */
  decide({ marketId }: PredictionMarket, result: PredictionResult): void {
    const resolvedAt = Number(this.now());
    this.events.change(marketId, { status: 'closed', result, resolvedAt });
  }

  /** The result of a market that is on the chain; null if there is none. */
  result({ marketIdHash }: PredictionMarket): PredictionResultAccount | null {
    const account = this.network.account(derivePredictionResult(marketIdHash).address);
    return account === null ? null : decodePredictionResult(account.data);
  }

  /** The owner of a won position claims. */
  claim(owner: Address, { marketIdHash }: PredictionMarket, isYes = true): void {
    this.must(this.network.send([createClaimPredictionPayout({ owner, marketIdHash, isYes })]));
    this.chain.publish([derivePredictionPosition(marketIdHash, owner, isYes).address]);
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** The rent that a position's account holds. */
  rentOf(owner: Address, market: PredictionMarket, isYes = true): bigint {
    return this.lamports(derivePredictionPosition(market.marketIdHash, owner, isYes).address);
  }

  get firstMarket(): PredictionMarket {
    const [market] = this.events.listEvents()[0]?.markets ?? [];
    if (market === undefined) throw new Error('there is no market');
    return market;
  }

  /** Changes the vault's limits. */
  changeVault(changes: Partial<PredictionVaultAccount>): void {
    const account = this.network.account(PREDICTION_VAULT.address);
    const vault = account === null ? null : decodePredictionVault(account.data);
    if (account === null || vault === null) throw new Error('there is no vault');
    const data = Buffer.from(account.data);
    const encoded = encodePredictionVault({ ...vault, ...changes });
    // The program keeps more behind what is encoded here.
    data.set(encoded.subarray(0, 215));
    this.network.setAccount(PREDICTION_VAULT.address, { ...account, data });
    this.chain.publish([PREDICTION_VAULT.address]);
  }

  get vaultTokens(): bigint {
    return this.network.tokenBalance(PREDICTION_VAULT_TOKEN_ACCOUNT);
  }

  now(): bigint {
    return this.chain.clock().unixTimestamp;
  }

  passSeconds(seconds: bigint): void {
    this.network.setUnixTime(this.now() + seconds);
  }
}

function newKey(number: number): Keypair {
  return createKeypairFromSeed(new Uint8Array(32).fill(number));
}
