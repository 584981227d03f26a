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
  type DammConfigTerms,
  encodeDammConfig,
} from '../../../src/protocols/meteora-damm-v2/program/layout-config.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { SwapParties } from '../../../src/protocol/venue/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
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

/** Writes a configuration under which any wallet, or one authority, may create pools with these terms. */
export function writeConfig(
  network: TestNetwork,
  address: Address,
  terms: Omit<DammConfigTerms, 'protocolFeePercent' | 'referralFeePercent'>,
  creatorAuthority: Address | null = null,
): void {
  const shares = { protocolFeePercent: 20, referralFeePercent: 20 };
  const data = encodeDammConfig({ index: 0n, creatorAuthority, terms: { ...terms, ...shares } });
  network.setData(address, METEORA_DAMM_V2_PROGRAM, data);
}

/** Writes a configuration under which one authority creates pools with terms of their own. */
export function writeDynamicConfig(network: TestNetwork, address: Address, creatorAuthority: Address): void {
  const data = encodeDammConfig({ index: 0n, creatorAuthority, terms: null });
  network.setData(address, METEORA_DAMM_V2_PROGRAM, data);
}
