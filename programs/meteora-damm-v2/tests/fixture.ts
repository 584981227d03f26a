import {
  deriveDammCustomPoolAddress,
  deriveDammVaultAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import type { DammSwapPool } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import {
  encodePool,
  type DammPoolAccount,
  type DammSides,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { SwapParties } from '../../../src/protocol/venue/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, type Token, token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';

export const USER = namedAddress('damm user');
/** The user's accounts of token A and token B. */
export const USER_TOKENS: DammSides<Address> = [namedAddress('damm user a'), namedAddress('damm user b')];
/** The token accounts of one owner for both tokens, which receive a share of fees. */
export const REFERRALS: DammSides<Address> = [
  namedAddress('damm referral a'),
  namedAddress('damm referral b'),
];

export interface Pool extends DammSwapPool {
  readonly tokens: DammSides<Token>;
}

export function layOut(tokens: DammSides<Token> = [token('damm a'), token('damm b')]): Pool {
  const [a, b] = tokens;
  const address = deriveDammCustomPoolAddress(a.mint, b.mint);
  return {
    address,
    tokens,
    mints: [a.mint, b.mint],
    tokenPrograms: [a.tokenProgram, b.tokenProgram],
    vaults: [deriveDammVaultAddress(address, a.mint), deriveDammVaultAddress(address, b.mint)],
  };
}

/** The fields of a case, without the rest of a pool's account. */
export type PoolCase = Omit<DammPoolAccount, 'mints' | 'vaults' | 'tokenFlags' | 'creator' | 'positions'>;

export function writePool(network: TestNetwork, pool: Pool, each: PoolCase): void {
  const flag = (one: Token) => (one.tokenProgram === TOKEN_2022_PROGRAM ? 1 : 0);
  const data = encodePool({
    ...each,
    mints: pool.mints,
    vaults: pool.vaults,
    tokenFlags: [flag(pool.tokens[0]), flag(pool.tokens[1])],
    creator: USER,
    positions: 1n,
  });
  network.setData(pool.address, METEORA_DAMM_V2_PROGRAM, data);
}

/** Writes the vaults, and the user's and the referrer's accounts, of token A and token B. */
export function writeBalances(
  network: TestNetwork,
  { tokens, vaults }: Pool,
  held: DammSides<bigint>,
  users: DammSides<bigint>,
): void {
  for (const side of [0, 1] as const) {
    writeTokenAccount(network, vaults[side], METEORA_DAMM_V2_AUTHORITY, tokens[side], held[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, tokens[side], users[side]);
    writeTokenAccount(network, REFERRALS[side], USER, tokens[side], 0n);
  }
}

export function parties(aToB: boolean): SwapParties {
  const [a, b] = USER_TOKENS;
  return { authority: USER, source: aToB ? a : b, destination: aToB ? b : a };
}

/** The placeholder for optional addresses of a pool. */
export const PLACEHOLDER = SYSTEM_PROGRAM;

/** Sets the slot and time of a network to those of the cases. */
export function setClock(network: TestNetwork, at: { slot: bigint; time: bigint; epoch: bigint }): void {
  network.setUnixTime(at.time);
  network.setEpoch(at.epoch);
  const clock = network.svm.getClock();
  clock.slot = at.slot;
  network.svm.setClock(clock);
}

/** Writes a configuration under which any wallet may create pools with these terms. */
export function writeConfig(
  network: TestNetwork,
  address: Address,
  terms: Pick<PoolCase, 'baseFee' | 'dynamicFee' | 'compoundingBps' | 'activationType' | 'collectFeeMode'> &
    Pick<PoolCase, 'sqrtMinPrice' | 'sqrtMaxPrice'>,
): void {
  const { baseFee, dynamicFee } = terms;
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG).zeros(64);
  to.u64(baseFee.cliff).u8(baseFee.mode).zeros(5).u16(baseFee.periods).u64(baseFee.middle).u64(baseFee.last);
  if (dynamicFee === null) to.zeros(48);
  else {
    to.u8(1).zeros(7).u32(dynamicFee.maxAccumulator).u32(dynamicFee.control).u16(dynamicFee.binStep);
    to.u16(dynamicFee.filterPeriod).u16(dynamicFee.decayPeriod).u16(dynamicFee.reductionBps).zeros(8);
    to.u128(dynamicFee.binStepQ64);
  }
  to.u8(20).zeros(1).u8(20).zeros(3).u16(terms.compoundingBps).zeros(40);
  to.u8(terms.activationType).u8(terms.collectFeeMode).zeros(6).u64(0n);
  to.u128(terms.sqrtMinPrice).u128(terms.sqrtMaxPrice);
  network.setData(address, METEORA_DAMM_V2_PROGRAM, to.zeros(CONFIG_SIZE - to.length).finish());
}

const CONFIG_SIZE = 328;
const CONFIG_TAG = Uint8Array.of(155, 12, 170, 224, 30, 250, 204, 130);
