import { deriveReserveVaultAddress } from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { deriveLendOracleAddress } from '../../../src/protocols/jupiter-lend/oracle/addresses.ts';
import { initOracle, initOracleAdmin } from '../../../src/protocols/jupiter-lend/oracle/instructions.ts';
import { deriveVaultConfigAddress } from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import {
  initBranch,
  initTick,
  initTickIdLiquidation,
} from '../../../src/protocols/jupiter-lend/vaults/instructions.ts';
import { MIN_TICK } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { encodePriceFeed } from '../../../src/solana/programs/price-feed/feed.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  initLiquidity,
  initNewProtocol,
  initTokenReserve,
  operate as operateLiquidity,
  preOperate,
  updateRateDataV1,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserSupplyConfig,
} from '../../liquidity/tests/instructions.ts';
import { type Token, token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import {
  initTickHasDebtArray,
  initVaultAdmin,
  initVaultConfig,
  initVaultState,
  type Pair,
  TERMS,
  type Terms,
} from './instructions.ts';
import { ALL_ARRAYS, VaultClient } from './vault-client.ts';

const NOW = 1_800_000_000n;
export const VAULT_ID = 1;
const NONCE = 1;
/** A balance that no test exhausts. */
const PLENTY = 1n << 58n;
const LIMITS = { mode: 1, expandPercent: 9_000n, expandDuration: 3_600n };

export interface VaultSpec {
  readonly terms?: Partial<Terms>;
  readonly supplyDecimals?: number;
  readonly borrowDecimals?: number;
  /** The number of decimals of prices. */
  readonly priceDecimals?: number;
}

/** The accounts of one vault over the liquidity program: an oracle that reads one price feed, a lender, and wallets. */
export class VaultWorld extends VaultClient {
  readonly vaultId = VAULT_ID;
  readonly network = new TestNetwork(['liquidity', 'vaults', 'oracle', 'token-metadata']);
  readonly admin = this.network.newWallet(10n ** 15n);
  readonly feed = this.network.newAddress();
  readonly sources = [this.feed];
  readonly supply: Token;
  readonly borrow: Token;
  readonly pair: Pair;
  readonly config = deriveVaultConfigAddress(VAULT_ID).address;
  now = NOW;
  readonly priceDecimals: number;
  #price = 0n;

  constructor({ terms = {}, supplyDecimals = 9, borrowDecimals = 6, priceDecimals = 6 }: VaultSpec = {}) {
    super();
    this.supply = { ...token('supplied'), decimals: supplyDecimals };
    this.borrow = { ...token('borrowed'), decimals: borrowDecimals };
    this.priceDecimals = priceDecimals;
    this.network.setComputeUnits(1_400_000n);
    this.network.setUnixTime(this.now);
    const { admin } = this;
    for (const one of [this.supply, this.borrow]) {
      const mint = { mintAuthority: null, supply: PLENTY, decimals: one.decimals, freezeAuthority: null };
      this.network.setData(one.mint, one.tokenProgram, encodeMint({ ...mint, extensions: [] }));
      this.fund(admin, one, PLENTY);
    }
    this.must(initLiquidity(admin, admin, admin));
    for (const one of [this.supply, this.borrow]) this.#openReserve(one);
    this.setPrice(100_000_000n);
    this.must(initOracleAdmin(admin, admin));
    const hop = {
      source: this.feed,
      invert: false,
      multiplier: 1n,
      divisor: 1n,
      sourceType: 'pyth',
    } as const;
    this.must(initOracle(admin, NONCE, [hop]));
    this.pair = {
      vaultId: VAULT_ID,
      supplyToken: this.supply.mint,
      borrowToken: this.borrow.mint,
      oracle: deriveLendOracleAddress(NONCE).address,
    };
    this.must(initVaultAdmin(admin, admin));
    this.must(initVaultConfig(admin, this.pair, { ...TERMS, ...terms }));
    this.must(initVaultState(admin, this.pair));
    for (const id of [0, 1]) this.must(initBranch(admin, VAULT_ID, id));
    for (const index of ALL_ARRAYS) this.must(initTickHasDebtArray(admin, VAULT_ID, index));
    this.must(initTick(admin, VAULT_ID, MIN_TICK));
    this.must(initTickIdLiquidation(admin, VAULT_ID, { tick: MIN_TICK, id: 0 }));
    this.#admit(this.config);
    this.#lend();
  }

  #openReserve({ mint, tokenProgram }: Token): void {
    this.must(initTokenReserve(this.admin, { mint, tokenProgram }));
    const rates = { kink: 8_000n, atZero: 100n, atKink: 500n, atMax: 10_000n };
    this.must(updateRateDataV1(this.admin, mint, rates));
    this.must(updateTokenConfig(this.admin, mint, 1_000n, 9_500n));
  }

  /** Lets a protocol supply the one token and borrow the other. */
  #admit(protocol: Address): void {
    const { admin, supply, borrow } = this;
    this.must(initNewProtocol(admin, supply.mint, borrow.mint, protocol));
    const supplyLimits = { ...LIMITS, baseWithdrawalLimit: 1n << 50n };
    this.must(updateUserSupplyConfig(admin, protocol, supply.mint, supplyLimits));
    const borrowLimits = { ...LIMITS, baseDebtCeiling: 1n << 49n, maxDebtCeiling: 1n << 50n };
    this.must(updateUserBorrowConfig(admin, protocol, borrow.mint, borrowLimits));
  }

  /** Lets a lender supply the token that the vault lends. */
  #lend(): void {
    const { admin, supply, borrow } = this;
    const lender = this.network.newWallet();
    const amount = 1n << 48n;
    this.must(initNewProtocol(admin, borrow.mint, supply.mint, lender));
    const limits = { ...LIMITS, baseWithdrawalLimit: 1n << 50n };
    this.must(updateUserSupplyConfig(admin, lender, borrow.mint, limits));
    this.must(preOperate(lender, borrow, { supply: true, borrow: false }));
    this.#bring(borrow, amount);
    const accounts = { withdrawTo: false, borrowTo: false, withdrawClaim: false, borrowClaim: false };
    const parties = { withdrawTo: admin, borrowTo: admin, transferType: 1 };
    const operation = { supply: true, borrow: false, supplyAmount: amount, borrowAmount: 0n, ...parties };
    this.must(operateLiquidity(lender, borrow, { ...operation, accounts }));
  }

  #bring(one: Token, amount: bigint): void {
    const vault = deriveReserveVaultAddress(one.mint, one.tokenProgram);
    const account = this.network.account(vault);
    if (account === null) throw new Error('the reserve has a vault');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) + amount, 64);
    this.network.setAccount(vault, { ...account, data: new Uint8Array(data) });
  }

  fund(owner: Address, one: Token, amount: bigint): void {
    const address = deriveAssociatedTokenAddress(owner, one.mint, one.tokenProgram);
    writeTokenAccount(this.network, address, owner, one, amount);
  }

  balance(owner: Address, one: Token): bigint {
    return this.network.tokenBalance(deriveAssociatedTokenAddress(owner, one.mint, one.tokenProgram));
  }

  /** A wallet with both tokens. */
  user(): Address {
    const user = this.network.newWallet(10n ** 13n);
    for (const one of [this.supply, this.borrow]) this.fund(user, one, 1n << 52n);
    return user;
  }

  pass(seconds: bigint): void {
    this.now += seconds;
    this.network.setUnixTime(this.now);
    this.setPrice(this.#price);
  }

  /** Sets the value of a unit of collateral in units of debt. It is in 10^6ths unless prices have other decimals. */
  setPrice(price: bigint): void {
    this.#price = price;
    const data = encodePriceFeed({
      writeAuthority: SYSTEM_PROGRAM,
      feedId: new Uint8Array(32),
      price,
      confidence: 0n,
      exponent: -this.priceDecimals,
      publishTime: this.now,
      previousPublishTime: this.now,
      averagePrice: 0n,
      averageConfidence: 0n,
      postedSlot: 0n,
    });
    this.network.setData(this.feed, SYSTEM_PROGRAM, data);
  }

  /** The oracle's rate: 10^15 is 1.0. */
  rate(): bigint {
    return this.#price * 10n ** BigInt(15 - this.priceDecimals);
  }
}
