import { describe, expect, it } from 'vitest';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { getGenesisToken } from '../../../src/solana/known-tokens.ts';
import { tokenProgramOf } from '../../../src/protocol/genesis/mints.ts';
import {
  flashloanBorrow,
  flashloanPayback,
} from '../../../src/protocols/jupiter-lend/flashloan/instructions.ts';
import { PLANNED_EARN_TOKENS } from '../../../src/protocols/jupiter-lend/genesis/plan.ts';
import { GenesisNetwork } from '../../../src/testing/svm/genesis-network.ts';

describe('flash loans of the genesis', () => {
  it.each(PLANNED_EARN_TOKENS.map(({ symbol }) => symbol))('lend %s for nothing', (symbol) => {
    const token = getGenesisToken(symbol);
    const of = { mint: token.mint, tokenProgram: tokenProgramOf(token) };
    const amount = 100n * 10n ** BigInt(token.decimals - 2);
    WORLD.network.setUnixTime(GENESIS_TIME);
    const { error } = WORLD.send(
      [flashloanBorrow(WORLD.alice, of, amount), flashloanPayback(WORLD.alice, of, amount)],
      WORLD.alice,
    );
    expect(error).toBeNull();
  });
});

const WORLD = new GenesisNetwork(['flashloan', 'liquidity']);
