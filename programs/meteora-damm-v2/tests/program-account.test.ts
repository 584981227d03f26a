import { describe, expect, it } from 'vitest';
import { swap, swap2 } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { parties, REFERRALS, USER } from './fixture.ts';
import { first, fundUser, LEAST, LIQUIDITY, makePool, MOST, pool, positionOf, run, TERMS } from './funded.ts';
import * as instructions from './instructions.ts';

const network = openForEach(() => new TestNetwork(['meteora-damm-v2']));

const fresh = positionOf('fresh');

describe.each(Object.entries(listInstructions()))('the account of the program, last in %s', (name, call) => {
  it('is needed for the event, and may stand elsewhere', () => {
    open(name);
    const { accounts } = call;
    const replaced = { ...call, accounts: accounts.with(-1, readonly(STRANGER)) };
    expect(network.simulate([replaced]).error?.kind).toBe('MissingAccount');
    const moved = { ...call, accounts: [...replaced.accounts, readonly(METEORA_DAMM_V2_PROGRAM)] };
    const [outcome, plain] = [network.simulate([moved]), network.simulate([call])];
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(outcome.inner).toEqual(plain.inner);
  });

  it('must be there', () => {
    open(name);
    const NOT_ENOUGH_KEYS = 3005;
    const cut = { ...call, accounts: call.accounts.slice(0, -1) };
    expect(network.simulate([cut]).error?.custom).toBe(NOT_ENOUGH_KEYS);
  });
});

it('the program in the place of the referrer is enough for a swap', () => {
  open('swap');
  const call = swap(pool, parties(true), 1_000n, 0n);
  const replaced = { ...call, accounts: call.accounts.with(-1, readonly(STRANGER)) };
  expect(network.send([replaced]).error).toBeNull();
});

const STRANGER = namedAddress('damm stranger');

function open(name: string): void {
  if (name.startsWith('initialize')) fundUser(network);
  else makePool(network);
  if (name === 'close_position') run(network, instructions.createPosition(pool, fresh));
  writeTokenAccount(network, REFERRALS[1], USER, pool.tokens[1], 0n);
}

function listInstructions(): Readonly<Record<string, Instruction>> {
  const lock = {
    cliffPoint: null,
    periodFrequency: 10n,
    cliffLiquidity: LIQUIDITY / 8n,
    liquidityPerPeriod: LIQUIDITY / 8n,
    periods: 3,
  };
  const order = { amounts: [1_000n, 0n] as const, mode: 0, referral: REFERRALS[1] };
  return {
    initialize_customizable_pool: instructions.initializeCustomizablePool(pool, first, TERMS),
    create_position: instructions.createPosition(pool, fresh),
    close_position: instructions.closePosition(pool, fresh),
    add_liquidity: instructions.addLiquidity(pool, first, 1n << 70n, MOST),
    remove_liquidity: instructions.removeLiquidity(pool, first, 1n << 70n, LEAST),
    remove_all_liquidity: instructions.removeAllLiquidity(pool, first, LEAST),
    claim_position_fee: instructions.claimPositionFee(pool, first),
    lock_position: instructions.lockPosition(pool, first, { ...lock, vesting: namedAddress('damm vesting') }),
    lock_inner_position: instructions.lockInnerPosition(pool, first, lock),
    permanent_lock_position: instructions.permanentLockPosition(pool, first, LIQUIDITY / 2n),
    swap2: swap2(pool, parties(true), order),
  };
}
