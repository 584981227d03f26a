import { toLedgerMint } from '../../../src/protocol/genesis/mints.ts';
import type { TokenInfo } from '../../../src/solana/known-tokens.ts';
import {
  getExchangeRate,
  initOracle,
  initOracleAdmin,
} from '../../../src/protocols/jupiter-lend/oracle/instructions.ts';
import { GENESIS_ORACLES } from '../../../src/protocols/jupiter-lend/oracle/genesis.ts';
import { VAULTS_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { deriveVaultMetadataAddress } from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import type { PlannedVault } from '../../../src/protocols/jupiter-lend/vaults/genesis/plan.ts';
import type { VaultPair, VaultSetup } from '../../../src/protocols/jupiter-lend/vaults/genesis/setup.ts';
import {
  initBranch,
  initTick,
  initTickIdLiquidation,
} from '../../../src/protocols/jupiter-lend/vaults/instructions.ts';
import { VAULT_METADATA } from '../../../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { MIN_TICK } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import type { OperateAmounts } from '../../../src/protocols/jupiter-lend/vaults/model/predict-operate.ts';
import type { AddressedAccount } from '../../../src/chain/records/records.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteReader } from '../../../src/solana/codec/byte-reader.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
} from '../../../src/solana/programs/price-feed/feed.ts';
import type { ProgramSetup } from '../../lending/tests/program-setup.ts';
import type { Token } from '../../raydium-cpmm/tests/fixture.ts';
import {
  initTickHasDebtArray,
  initVaultAdmin,
  initVaultConfig,
  initVaultState,
  type Terms,
  updateLookupTable,
} from './instructions.ts';
import { ALL_ARRAYS, VaultClient } from './vault-client.ts';

/** A vault of the genesis in the network of a setup. */
class SetUpVault extends VaultClient {
  readonly network: ProgramSetup['network'];
  readonly vaultId: number;
  readonly supply: Token;
  readonly borrow: Token;
  readonly sources: readonly Address[];
  readonly pair: VaultPair;
  now = 0n;

  constructor(network: ProgramSetup['network'], vaultId: number, pair: VaultPair) {
    super();
    this.network = network;
    this.vaultId = vaultId;
    this.pair = pair;
    this.supply = tokenOf(pair.supply);
    this.borrow = tokenOf(pair.borrow);
    this.sources = pair.oracle.sources.map(({ source }) => source);
  }
}

function tokenOf(token: TokenInfo): Token {
  const { mint, tokenProgram } = toLedgerMint(token);
  return { mint, tokenProgram, decimals: token.decimals, extensions: [] };
}

/** Sets up the oracles and vaults of the genesis with the programs' own instructions. */
export class ProgramVaults implements VaultSetup {
  readonly #setup: ProgramSetup;
  readonly #liquidator: Address;
  readonly #vaults = new Map<number, SetUpVault>();
  /** The price feeds and stake pools that oracles read. */
  readonly #sources: readonly AddressedAccount[];
  /** The accounts that the genesis writes for the vaults program. The lookup tables are taken from them. */
  readonly #written: ReadonlyMap<Address, Uint8Array>;

  constructor(
    setup: ProgramSetup,
    parties: { readonly liquidator: Address; readonly oracleAuthority: Address },
    genesis: readonly AddressedAccount[],
  ) {
    this.#setup = setup;
    this.#liquidator = parties.liquidator;
    const read = new Set(GENESIS_ORACLES.flatMap(({ sources }) => sources.map(({ source }) => source)));
    this.#sources = genesis.filter(({ address }) => read.has(address));
    this.#written = new Map(
      genesis
        .filter(({ account }) => account.owner === VAULTS_PROGRAM)
        .map(({ address, account }) => [address, account.data]),
    );
    for (const { address, account } of this.#sources) setup.network.setAccount(address, account);
    setup.fund(parties.oracleAuthority);
    setup.run(initOracleAdmin(parties.oracleAuthority, parties.oracleAuthority));
    for (const { nonce, sources } of GENESIS_ORACLES) {
      setup.run(initOracle(parties.oracleAuthority, nonce, sources));
    }
    setup.run(initVaultAdmin(setup.authority, setup.authority));
  }

  add(vaultId: number, plan: PlannedVault, pair: VaultPair, at: bigint): void {
    const { network, authority } = this.#setup;
    const vault = new SetUpVault(network, vaultId, pair);
    this.#vaults.set(vaultId, vault);
    this.#goTo(vault, at);
    const accounts = {
      vaultId,
      supplyToken: pair.supply.mint,
      borrowToken: pair.borrow.mint,
      oracle: pair.oracle.address,
    };
    this.#setup.run(initVaultConfig(authority, accounts, termsOf(plan)));
    this.#setup.run(initVaultState(authority, accounts));
    this.#setup.run(initBranch(authority, vaultId, 0), initBranch(authority, vaultId, 1));
    for (const index of ALL_ARRAYS) this.#setup.run(initTickHasDebtArray(authority, vaultId, index));
    this.#setup.run(initTick(authority, vaultId, MIN_TICK));
    this.#setup.run(initTickIdLiquidation(authority, vaultId, { tick: MIN_TICK, id: 0 }));
    const written = this.#written.get(deriveVaultMetadataAddress(vaultId).address);
    if (written === undefined) throw new Error(`the genesis has no vault ${vaultId}`);
    this.#setup.run(updateLookupTable(authority, vaultId, VAULT_METADATA.decode(written).lookupTable));
  }

  open(vaultId: number, owner: Address, amounts: OperateAmounts, at: bigint): void {
    const vault = this.#of(vaultId);
    this.#goTo(vault, at);
    this.#hold(vault, owner, { supply: amounts.collateral + 1n, borrow: 0n });
    const id = vault.open(owner);
    if (amounts.collateral === 0n && amounts.debt === 0n) return;
    // Positions near liquidation were opened while their collateral was worth more.
    this.#scalePrice(vault, 2n, 1n);
    const { error, logs } = vault.operate(id, owner, amounts);
    if (error !== null) throw new Error(logs.join('\n'));
  }

  liquidate(vaultId: number, debt: bigint, rate: bigint, at: bigint): void {
    const vault = this.#of(vaultId);
    this.#goTo(vault, at);
    this.#hold(vault, this.#liquidator, { supply: 0n, borrow: debt + 1n });
    this.#scalePrice(vault, rate, this.#rateOf(vault));
    if (this.#rateOf(vault) !== rate) throw new Error(`the oracle's rate is not ${rate}`);
    this.#setup.run(vault.liquidation(this.#liquidator, { debt, collateralPerDebt: 0n, absorb: false }));
  }

  /** Sets the clock, and publishes every price of the genesis at that second. */
  #goTo(vault: SetUpVault, at: bigint): void {
    vault.now = at;
    this.#setup.network.setUnixTime(at);
    for (const { address, account } of this.#sources) {
      if (account.owner !== PRICE_FEED_PROGRAM) continue;
      const data = encodePriceFeed({ ...decodePriceFeed(account.data), publishTime: at });
      this.#setup.network.setAccount(address, { ...account, data });
    }
  }

  /**
   * Multiplies the first price of the oracle. The oracle of staked SOL in SOL has no price feed, so its rate stays.
   */
  #scalePrice({ pair }: SetUpVault, numerator: bigint, denominator: bigint): void {
    const found = pair.oracle.sources.find(({ sourceType, invert }) => sourceType === 'pyth' && !invert);
    const account = found === undefined ? null : this.#setup.network.account(found.source);
    if (found === undefined || account === null) return;
    const feed = decodePriceFeed(account.data);
    const data = encodePriceFeed({ ...feed, price: (feed.price * numerator) / denominator });
    this.#setup.network.setAccount(found.source, { ...account, data });
  }

  #rateOf({ pair: { oracle } }: SetUpVault): bigint {
    const { network } = this.#setup;
    const read = getExchangeRate('liquidate', oracle.nonce, oracle.sources);
    return new ByteReader(network.simulate([read]).returnData, 'rate').u128();
  }

  /** Gives a wallet accounts of both tokens with at least these amounts. */
  #hold({ pair, supply, borrow }: SetUpVault, owner: Address, amounts: Amounts): void {
    for (const [token, of, amount] of [
      [pair.supply, supply, amounts.supply],
      [pair.borrow, borrow, amounts.borrow],
    ] as const) {
      if (amount > 0n) this.#setup.supply(owner, token, amount);
      else this.#setup.fund(owner);
      const { mint, tokenProgram } = of;
      this.#setup.run(createAssociatedTokenIdempotent({ payer: owner, owner, mint, tokenProgram }));
    }
  }

  #of(vaultId: number): SetUpVault {
    const vault = this.#vaults.get(vaultId);
    if (vault === undefined) throw new Error(`there is no vault ${vaultId}`);
    return vault;
  }
}

/** In atoms. */
interface Amounts {
  readonly supply: bigint;
  readonly borrow: bigint;
}

/** An operator passes factors in 10,000ths; accounts store most of them in 1,000ths. */
function termsOf(plan: PlannedVault): Terms {
  return {
    supplyRateMagnifier: 0,
    borrowRateMagnifier: 0,
    collateralFactor: plan.collateralFactor * 10,
    liquidationThreshold: plan.liquidationThreshold * 10,
    liquidationMaxLimit: plan.liquidationMaxLimit * 10,
    withdrawGap: 500,
    liquidationPenalty: plan.liquidationPenalty,
    borrowFee: 0,
  };
}
