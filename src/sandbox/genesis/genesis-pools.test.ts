import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { describe, expect, it } from 'vitest';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenBySymbol,
  getTokenByMint,
} from '../../testing/svm/genesis-network.ts';
import {
  deriveRaydiumConfigAddress,
  type PoolAddresses,
  derivePoolAddresses,
} from '../../protocols/raydium-cpmm/program/addresses.ts';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import {
  deposit,
  initialize,
  type LiquidityParties,
  swapBaseInput,
  withdraw,
} from '../../protocols/raydium-cpmm/program/instructions.ts';
import { decodePool } from '../../protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_POOL_FEE_RECEIVER } from '../../protocols/raydium-cpmm/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { deriveMintPermitAddress } from '../../protocols/raydium-cpmm/genesis/mint-permit.ts';
import { tokenProgramOf } from '../../protocol/genesis/mints.ts';
import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';

const on = new GenesisNetwork(['raydium-cpmm']);
on.fund(on.alice, getTokenBySymbol('SOL'), 100_000_000_000n);

describe('genesis pools in the runtime', () => {
  const named = getGenesisPools(genesis, raydiumCpmmGenesis).map((pool) => ({
    pool,
    name: `${pool.mints.map((mint) => getTokenByMint(mint).symbol).join('/')} under ${pool.config.slice(0, 4)}`,
  }));

  it.each(named)('swap for the demo wallet, as quoted: $name', ({ pool }) => {
    for (const [input, output] of [pool.mints, [...pool.mints].reverse()] as [Address, Address][]) {
      const amount = computeAtomsWorth(10n, getTokenByMint(input));
      const source = deriveTokenAccountAddress(alice, getTokenByMint(input));
      const destination = deriveTokenAccountAddress(alice, getTokenByMint(output));
      const quoted = quoteNow(pool, input, amount);
      const before = [network.tokenBalance(source), network.tokenBalance(destination)] as const;
      const parties = { authority: alice, source, destination };
      const outcome = on.send([swapBaseInput(pool, input, parties, amount, quoted)], alice);
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      expect(before[0] - network.tokenBalance(source)).toBe(amount);
      expect(network.tokenBalance(destination) - before[1]).toBe(quoted);
    }
  });

  it.each(['JUP/USDC', 'SOL/USDC', 'PYUSD/SOL'])('have the state that initialize leaves: %s', (pair) => {
    const pool = poolOf(pair);
    const parties = partiesOf(genesis.keys.poolCreator.address, pool);
    const parts = [...pool.vaults, pool.observation, pool.lpMint, parties.lpToken];
    const written = new GenesisNetwork().network;
    const made = new GenesisNetwork(['raydium-cpmm'], new Set([pool.address, ...parts]));
    const amounts = pool.vaults.map((vault) => written.tokenBalance(vault)) as [bigint, bigint];
    for (const side of [0, 1] as const)
      made.fund(parties.owner, getTokenByMint(pool.mints[side]), amounts[side]);
    const plain = initialize(pool, parties, { amounts, openTime: 0n });
    const permit = readonly(deriveMintPermitAddress(getTokenBySymbol('PYUSD').mint).address);
    const outcome = made.send([{ ...plain, accounts: [...plain.accounts, permit] }], parties.owner);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    for (const part of parts) {
      const { rentEpoch: _, ...account } = made.network.account(part) ?? {};
      expect(account, part).toEqual({ ...written.account(part), rentEpoch: undefined });
    }
    const states = [written, made.network].map((each) =>
      decodePool(each.account(pool.address)?.data ?? new Uint8Array()),
    );
    // The program opens a pool one second after it was made; those of the genesis are open from the first on.
    expect({ ...states[1], openTime: 0n }).toEqual(states[0]);
  });

  it('accept liquidity and pay it back', () => {
    const pool = poolOf('SOL/USDC');
    const parties = partiesOf(genesis.keys.poolCreator.address, pool);
    for (const mint of pool.mints) on.fund(parties.owner, getTokenByMint(mint), 1_000_000_000n);
    const before = network.tokenBalance(parties.lpToken);
    const maximums = [1_000_000_000n, 1_000_000_000n] as const;
    const added = on.send([deposit(pool, parties, 1_000_000n, maximums)], parties.owner);
    expect(added.error, added.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(before + 1_000_000n);
    const taken = on.send([withdraw(pool, parties, before, [1n, 1n])], parties.owner);
    expect(taken.error, taken.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(1_000_000n);
  });

  it('leave room for a new pool of other tokens', () => {
    const [first, second] = [getTokenBySymbol('HNT'), getTokenBySymbol('RENDER')].map((info) => ({
      mint: info.mint,
      tokenProgram: tokenProgramOf(info),
    }));
    if (first === undefined || second === undefined) throw new Error('no pair');
    const pool = derivePoolAddresses(deriveRaydiumConfigAddress(7), [first, second]);
    const parties = partiesOf(alice, pool);
    const fees = network.tokenBalance(RAYDIUM_CPMM_POOL_FEE_RECEIVER);
    const start = { amounts: [1_000_000n, 2_000_000n], openTime: 0n } as const;
    const outcome = on.send([initialize(pool, parties, start)], alice);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(1_414_213n - 100n);
    expect(network.tokenBalance(RAYDIUM_CPMM_POOL_FEE_RECEIVER) - fees).toBe(150_000_000n);
  });
});

const { genesis, network, alice } = on;

function poolOf(pair: string): PoolAddresses {
  const mints = pair.split('/').map((symbol) => getTokenBySymbol(symbol).mint);
  const pool = getGenesisPools(genesis, raydiumCpmmGenesis).find((each) =>
    mints.every((mint) => each.mints.includes(mint)),
  );
  if (pool === undefined) throw new Error(`no pool ${pair}`);
  return pool;
}

function partiesOf(owner: Address, pool: PoolAddresses): LiquidityParties {
  const [first, second] = pool.mints.map((mint) =>
    deriveTokenAccountAddress(owner, getTokenByMint(mint)),
  ) as [Address, Address];
  return {
    owner,
    lpToken: deriveAssociatedTokenAddress(owner, pool.lpMint, TOKEN_PROGRAM),
    tokens: [first, second],
  };
}

/** What the pool pays now, as the venue reads it from the network itself. */
function quoteNow(pool: PoolAddresses, inputMint: Address, amount: bigint): bigint {
  const state = raydiumCpmm.decode(pool.address, (at) => network.account(at));
  if ('unusable' in state) throw new Error(`${pool.address}: ${state.unusable}`);
  const clock = { slot: 1n, epoch: 0n, unixTimestamp: network.svm.getClock().unixTimestamp };
  const quote = raydiumCpmm.quoteExactIn(state, inputMint, amount, clock);
  if (quote === null) throw new Error(`${pool.address} does not swap`);
  return quote.outAmount;
}
