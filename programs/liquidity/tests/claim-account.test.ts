import { describe, expect, it } from 'vitest';
import { deriveClaimAddress } from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { LIQUIDITY_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { closeAndReadRemains } from '../../../src/testing/svm/closed-accounts.ts';
import { closeClaimAccount, initClaimAccount } from './instructions.ts';
import { LiquidityWorld } from './world.ts';

describe('a closed claim account', () => {
  it('can be created again, in the same transaction and after lamports arrived at its address', () => {
    const world = new LiquidityWorld();
    const { network, token } = world;
    const user = network.newWallet();
    const address = deriveClaimAddress(user, token.mint);
    const create = initClaimAccount(user, token.mint, user);
    const close = closeClaimAccount(user, token.mint);
    world.must(create);
    world.must(close, create);
    expect(closeAndReadRemains(network, close, address)).toEqual({ owner: SYSTEM_PROGRAM, bytes: 0 });
    world.must(create);
    expect(network.account(address)?.owner).toBe(LIQUIDITY_PROGRAM);
  });
});
