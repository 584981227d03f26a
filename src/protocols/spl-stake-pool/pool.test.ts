import { beforeEach, describe, expect, it } from 'vitest';
import { sampleCases } from '../../testing/random.ts';
import { dealCase } from '../../../programs/spl-stake-pool/tests/cases.ts';
import {
  namedAddress,
  PLAIN_POOL,
  type StakePoolSpec,
  WORLD,
  writeLamports,
  writeStakePool,
  writeTokens,
  writeUser,
} from '../../../programs/spl-stake-pool/tests/fixture.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { STAKE_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { deriveStakedexFeeAccount } from './addresses.ts';
import { splStakePool } from './venue.ts';
import { decodeStakePool, encodeReserve, encodeStakePool, STAKE_POOL_SIZE } from './layout.ts';
import { SOL_BRIDGE_OUT, WSOL_BRIDGE_IN } from './program.ts';
import { openForEach } from '../../testing/opened.ts';

const network = openForEach(() => new TestNetwork());

describe('the stake pool’s layout', () => {
  it('reads back what it wrote, in as many bytes as an account has', () => {
    for (const { pool: change } of sampleCases(dealCase, { cases: 500, seed: 20_261_121 })) {
      const account = { ...PLAIN_POOL, ...change, preferredDepositValidator: namedAddress('vote') };
      const data = encodeStakePool(account);
      expect(data).toHaveLength(STAKE_POOL_SIZE);
      expect(decodeStakePool(data)).toEqual(account);
    }
  });
});

describe('a stake pool', () => {
  beforeEach(() => writeUser(network, 0n, 0n));

  it('can be used with all that the wrapper needs, and names what it depends on', () => {
    expect(decode()).toMatchObject({ deposits: true, withdrawals: true, managerReceives: true });
    const account = network.account(pool.address);
    if (account === null) throw new Error('no pool');
    expect(splStakePool.isPool(account)).toBe(true);
    const feeAccounts = [pool.mint, WRAPPED_SOL_MINT].map((mint) => deriveStakedexFeeAccount(mint).address);
    expect(splStakePool.dependencies(pool.address, account)).toEqual([
      ...[pool.reserve, pool.managerFeeAccount, SOL_BRIDGE_OUT, WSOL_BRIDGE_IN],
      ...feeAccounts,
    ]);
  });

  it('takes no deposits while the wrapper cannot unwrap, or somebody else must sign', () => {
    writeLamports(network, WSOL_BRIDGE_IN, 1n);
    expect(decode()).toMatchObject({ deposits: false, withdrawals: true });
    writeLamports(network, WSOL_BRIDGE_IN, 0n);
    expect(decode({ pool: { solDepositAuthority: namedAddress('guard') } })).toMatchObject({
      deposits: false,
    });
    writeLamports(network, SOL_BRIDGE_OUT, 1n);
    expect(decode()).toMatchObject({ deposits: false });
  });

  it('is unusable with a reason while deposits and withdrawals are refused', () => {
    const guard = namedAddress('guard');
    const reasonOf = (spec: StakePoolSpec) => {
      const state = decode(spec);
      return 'unusable' in state ? state.unusable : null;
    };
    expect(reasonOf({ pool: { solDepositAuthority: guard, solWithdrawAuthority: guard } })).toMatch(
      /signature/,
    );
    expect(reasonOf({ pool: { tokenProgram: TOKEN_2022_PROGRAM } })).toMatch(/does not deposit/);
    expect(reasonOf({ pool: { withdrawAuthorityBump: 1 } })).toMatch(/bump/);
    expect(reasonOf({})).toBeNull();
  });

  it('pays nothing out of a reserve that is not its own', () => {
    writeStakePool(network);
    const foreign = encodeReserve(namedAddress('stranger'), 0n);
    writeLamports(network, pool.reserve, 10n ** 12n, STAKE_PROGRAM, foreign);
    const state = splStakePool.decode(pool.address, (address) => network.account(address));
    expect(state).toMatchObject({ withdrawable: 0n });
  });

  it('knows when the manager’s account takes no tokens', () => {
    writeStakePool(network);
    const holding = { mint: WRAPPED_SOL_MINT, owner: PLAIN_POOL.manager, amount: 0n };
    writeTokens(network, pool.managerFeeAccount, holding);
    const state = splStakePool.decode(pool.address, (address) => network.account(address));
    expect(state).toMatchObject({ managerReceives: false });
  });
});

const { pool } = WORLD;

function decode(spec: StakePoolSpec = {}) {
  writeStakePool(network, spec);
  return splStakePool.decode(pool.address, (address) => network.account(address));
}
