import type { Account } from '../../../src/chain/accounts.ts';
import { AGGREGATOR_PROGRAM, getProgramAuthority } from '../../../src/protocol/venue/aggregator-program.ts';
import {
  deriveRaydiumConfigAddress,
  type PoolAddresses,
  derivePoolAddresses,
} from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import { raydiumCpmm } from '../../../src/protocols/raydium-cpmm/venue.ts';
import {
  type AmmConfig,
  encodeAmmConfig,
  encodeObservationState,
  encodePool,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import type { RaydiumCpmmPool } from '../../../src/protocols/raydium-cpmm/pool.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_PROGRAM,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { RouteStep, SwapParties } from '../../../src/protocol/venue/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  type Token,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
} from '../../raydium-cpmm/tests/fixture.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { AUTHORITY_ID } from './route-world.ts';

export const EPOCH = 500n;
export const NOW = 1_800_000_000n;

/** The state of one pool. Amounts are in atoms of the leg's input and output token. */
export interface PoolSpec {
  readonly reserves: RaydiumSides<bigint>;
  readonly tradeFeeRate: bigint;
  readonly protocolFeeRate: bigint;
  readonly creatorFeeRate: bigint;
  readonly swapsOff: boolean;
}

export const LEGS = ['ab', 'ac', 'cb'] as const;
export type Leg = (typeof LEGS)[number];
export const POOLS_PER_LEG = 3;

type Name = 'a' | 'b' | 'c';

/** Records the written accounts, because reading them from the network is slower. */
class RecordingNetwork extends TestNetwork {
  readonly written = new Map<Address, Account>();

  override setAccount(address: Address, account: Account): void {
    // The network's constructor writes a wallet before this map exists.
    this.written?.set(address, account);
    super.setAccount(address, account);
  }
}

/** Three constant-product pools for each leg of a route from a to b, straight or over c, and a user. */
export class PoolWorld {
  readonly network = new RecordingNetwork(['aggregator', 'raydium-cpmm']);
  readonly user: Address;
  readonly authority = getProgramAuthority(AUTHORITY_ID);
  readonly users: Readonly<Record<Name, Address>>;
  readonly programs: Readonly<Record<Name, Address>>;
  readonly feeAccounts: Readonly<Record<Name, Address>>;
  readonly #pools = new Map<string, PoolAddresses>();
  tokens: Readonly<Record<Name, Token>> = { a: token('a'), b: token('b'), c: token('c', [], true) };

  constructor() {
    const { network } = this;
    network.setUnixTime(NOW);
    network.setEpoch(EPOCH);
    this.user = network.newWallet();
    const addresses = () => ({ a: network.newAddress(), b: network.newAddress(), c: network.newAddress() });
    this.users = addresses();
    this.programs = addresses();
    this.feeAccounts = addresses();
    writeMint(network, this.tokens.a);
    writeMint(network, this.tokens.b);
    for (const leg of LEGS) for (let index = 0; index < POOLS_PER_LEG; index++) this.#layOut(leg, index);
  }

  /** Resets every token account, and sets the transfer fee of c. */
  reset(inAmount: bigint, transferFeeBps: number): void {
    const fee = withTransferFee({ basisPoints: transferFeeBps, maximumFee: 1_000_000_000n });
    this.tokens = { ...this.tokens, c: { ...this.tokens.c, extensions: transferFeeBps === 0 ? [] : [fee] } };
    writeMint(this.network, this.tokens.c);
    for (const name of ['a', 'b', 'c'] as const) {
      this.#writeToken(this.users[name], this.user, name, name === 'a' ? inAmount : 7n);
      this.#writeToken(this.programs[name], this.authority, name, 5n);
      this.#writeToken(this.feeAccounts[name], RAYDIUM_CPMM_PROGRAM, name, 0n);
    }
  }

  /**
   * Writes the pool in its state before the route. Returns the state for quotes, or null if the pool cannot be
   * quoted.
   */
  writePool(leg: Leg, index: number, spec: PoolSpec): RaydiumCpmmPool | null {
    const addresses = this.#addresses(leg, index);
    const [input, output] = [...leg] as [Name, Name];
    const flipped = addresses.mints[0] !== this.tokens[input].mint;
    const amounts = flipped ? [spec.reserves[1], spec.reserves[0]] : spec.reserves;
    this.network.setData(addresses.config, RAYDIUM_CPMM_PROGRAM, encodeAmmConfig(configOf(spec, index)));
    this.network.setData(addresses.address, RAYDIUM_CPMM_PROGRAM, encodePool(poolOf(addresses, spec)));
    for (const side of [0, 1] as const) {
      const name = (side === 0) === flipped ? output : input;
      this.#writeToken(addresses.vaults[side], RAYDIUM_CPMM_AUTHORITY, name, amounts[side] ?? 0n);
    }
    const { written } = this.network;
    const state = raydiumCpmm.decode(addresses.address, (address) => written.get(address) ?? null);
    return 'unusable' in state ? null : state;
  }

  step(leg: Leg, index: number, parties: SwapParties): RouteStep {
    const [input] = [...leg] as [Name, Name];
    const addresses = this.#addresses(leg, index);
    return raydiumCpmm.routeStep({ ...addresses } as RaydiumCpmmPool, this.tokens[input].mint, parties);
  }

  #layOut(leg: Leg, index: number): void {
    const [input, output] = [...leg] as [Name, Name];
    const config = deriveRaydiumConfigAddress(LEGS.indexOf(leg) * POOLS_PER_LEG + index);
    const addresses = derivePoolAddresses(config, [this.tokens[input], this.tokens[output]]);
    this.#pools.set(`${leg}${index}`, addresses);
    const state = { initialized: false, index: 0, observations: [], lastUpdateTimestamp: 0n };
    const data = encodeObservationState({ ...state, pool: addresses.address });
    this.network.setData(addresses.observation, RAYDIUM_CPMM_PROGRAM, data);
  }

  #addresses(leg: Leg, index: number): PoolAddresses {
    const addresses = this.#pools.get(`${leg}${index}`);
    if (addresses === undefined) throw new RangeError(`no pool ${index} for ${leg}`);
    return addresses;
  }

  #writeToken(address: Address, owner: Address, name: Name, amount: bigint): void {
    writeTokenAccount(this.network, address, owner, this.tokens[name], amount);
  }
}

function configOf(spec: PoolSpec, index: number): AmmConfig {
  return {
    bump: 255,
    disableCreatePool: false,
    index,
    tradeFeeRate: spec.tradeFeeRate,
    protocolFeeRate: spec.protocolFeeRate,
    fundFeeRate: 40_000n,
    createPoolFee: 0n,
    protocolOwner: AGGREGATOR_PROGRAM,
    fundOwner: AGGREGATOR_PROGRAM,
    creatorFeeRate: spec.creatorFeeRate,
    creatorFeeShareRate: 0n,
  };
}

function poolOf(addresses: PoolAddresses, spec: PoolSpec): RaydiumPoolAccount {
  return {
    config: addresses.config,
    creator: AGGREGATOR_PROGRAM,
    vaults: addresses.vaults,
    lpMint: addresses.lpMint,
    mints: addresses.mints,
    tokenPrograms: addresses.tokenPrograms,
    observation: addresses.observation,
    authorityBump: RAYDIUM_CPMM_AUTHORITY_BUMP,
    status: spec.swapsOff ? 4 : 0,
    lpDecimals: 9,
    decimals: [6, 6],
    lpSupply: 1_000_000n,
    protocolFees: [0n, 0n],
    fundFees: [0n, 0n],
    openTime: 0n,
    recentEpoch: 0n,
    creatorFeeOn: 0,
    creatorFeeEnabled: spec.creatorFeeRate > 0n,
    creatorFees: [0n, 0n],
  };
}
