import { describe, expect, it } from 'vitest';
import { TestNetwork } from '../../test/svm/network.ts';
import { configAddress, type PoolAddresses, poolAddresses } from '../market/venues/raydium-cpmm/addresses.ts';
import { raydiumCpmm } from '../market/venues/raydium-cpmm/index.ts';
import { deposit, initialize, swapBaseInput, withdraw } from '../market/venues/raydium-cpmm/instructions.ts';
import { RAYDIUM_CPMM_POOL_FEE_RECEIVER } from '../market/venues/raydium-cpmm/program.ts';
import { type Address, address } from '../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../solana/associated-token.ts';
import { associatedTokenAddress } from '../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../solana/programs.ts';
import { transferLamports } from '../solana/system.ts';
import { decodeTokenAccount } from '../solana/token/account.ts';
import { ExtensionType, findExtension } from '../solana/token/extensions.ts';
import { mintTo, syncNative, transferChecked } from '../solana/token/instructions.ts';
import { buildGenesis } from './index.ts';
import { tokenProgramOf } from './mints.ts';
import { atomsWorth } from './prices.ts';
import { TOKENS, type TokenInfo, tokenByMint, tokenBySymbol } from './tokens.ts';

const genesis = buildGenesis('genesis in the runtime');
const [ALICE, BOB] = genesis.keys.demoWallets.map((keypair) => keypair.address) as [Address, Address];

/** A network of genesis accounts, past slot 0, in which lookup tables of slot 0 do not serve yet. */
function networkOfGenesis(programs: readonly string[] = []): TestNetwork {
  const network = new TestNetwork(programs);
  for (const { address: at, account } of genesis.accounts) network.setAccount(at, account);
  network.svm.warpToSlot(1n);
  return network;
}

function token(symbol: string): TokenInfo {
  const found = tokenBySymbol(symbol);
  if (found === null) throw new Error(`no token ${symbol}`);
  return found;
}

function accountOf(owner: Address, info: TokenInfo): Address {
  return associatedTokenAddress(owner, info.mint, tokenProgramOf(info));
}

/** Creates the receiver's account and moves the tokens, paid and signed by the sender. */
function pay(network: TestNetwork, info: TokenInfo, from: Address, to: Address, amount: bigint) {
  const tokenProgram = tokenProgramOf(info);
  const { mint, decimals } = info;
  return network.send(
    [
      createAssociatedTokenIdempotent({ payer: from, owner: to, mint, tokenProgram }),
      transferChecked(tokenProgram, {
        source: accountOf(from, info),
        destination: accountOf(to, info),
        authority: from,
        amount,
        mint,
        decimals,
      }),
    ],
    { feePayer: from },
  );
}

describe('genesis in the runtime', () => {
  it('lets the demo wallet send SOL', () => {
    const network = networkOfGenesis();
    const before = network.account(BOB)?.lamports ?? 0n;
    const outcome = network.send([transferLamports(ALICE, BOB, 1_000_000_000n)], { feePayer: ALICE });
    expect(outcome.error).toBeNull();
    expect(network.account(BOB)?.lamports).toBe(before + 1_000_000_000n);
  });

  it.each(TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT))(
    'lets the demo wallet send $symbol',
    (info) => {
      const network = networkOfGenesis();
      const receiver = address('GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ');
      const before = network.tokenBalance(accountOf(ALICE, info));
      expect(pay(network, info, ALICE, receiver, 1000n).error).toBeNull();
      expect(before - network.tokenBalance(accountOf(ALICE, info))).toBe(1000n);
      // 6.9% of BERN is withheld on the way; PYUSD's fee is set to nothing.
      expect(network.tokenBalance(accountOf(receiver, info))).toBe(info.symbol === 'BERN' ? 931n : 1000n);
    },
  );

  it('withholds the transfer fee in the account that receives', () => {
    const network = networkOfGenesis();
    const bern = token('BERN');
    expect(pay(network, bern, ALICE, BOB, 1_000_001n).error).toBeNull();
    const received = decodeTokenAccount(network.account(accountOf(BOB, bern))?.data ?? new Uint8Array());
    const withheld = findExtension(received.extensions, ExtensionType.TRANSFER_FEE_AMOUNT);
    expect(received.amount).toBe(931_000n);
    expect(Buffer.from(withheld ?? []).readBigUInt64LE()).toBe(69_001n);
  });

  it('writes token accounts as the associated-token program would', () => {
    const network = networkOfGenesis();
    const owner = network.newWallet();
    for (const info of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      const tokenProgram = tokenProgramOf(info);
      const setup = { payer: network.payer, owner, mint: info.mint, tokenProgram };
      expect(network.send([createAssociatedTokenIdempotent(setup)]).error).toBeNull();
      const created = network.account(accountOf(owner, info));
      const written = network.account(accountOf(ALICE, info));
      const blank = decodeTokenAccount(created?.data ?? new Uint8Array());
      const amount = network.tokenBalance(accountOf(ALICE, info));
      expect(decodeTokenAccount(written?.data ?? new Uint8Array()), info.symbol).toEqual({
        ...blank,
        owner: ALICE,
        amount,
      });
      expect(written?.lamports, info.symbol).toBe(created?.lamports);
    }
  });

  it('lets the mint authority mint every token, and SOL be wrapped', () => {
    const network = networkOfGenesis();
    const authority = genesis.keys.mintAuthority.address;
    for (const info of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      const account = accountOf(ALICE, info);
      const before = network.tokenBalance(account);
      const mint = mintTo(tokenProgramOf(info), { mint: info.mint, account, authority, amount: 5n });
      expect(network.send([mint], { feePayer: authority }).error, info.symbol).toBeNull();
      expect(network.tokenBalance(account)).toBe(before + 5n);
    }
    wrapSol(network, ALICE, 7n);
    const wrapped = associatedTokenAddress(ALICE, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    expect(network.tokenBalance(wrapped)).toBe(7n);
  });

  it('resolves accounts through the lookup tables', () => {
    const network = networkOfGenesis();
    const usdc = token('USDC');
    const [table] = genesis.lookupTables;
    if (table === undefined) throw new Error('no lookup table');
    expect(table.addresses).toContain(usdc.mint);
    const move = transferChecked(TOKEN_PROGRAM, {
      source: accountOf(ALICE, usdc),
      destination: accountOf(BOB, usdc),
      authority: ALICE,
      amount: 1n,
      mint: usdc.mint,
      decimals: usdc.decimals,
    });
    const before = network.tokenBalance(accountOf(BOB, usdc));
    const lookupTables = { [table.address]: [...table.addresses] };
    expect(network.send([move], { feePayer: ALICE, lookupTables }).error).toBeNull();
    expect(network.tokenBalance(accountOf(BOB, usdc))).toBe(before + 1n);
    const wrong = { [table.address]: [...table.addresses].reverse() };
    expect(network.send([move], { feePayer: ALICE, lookupTables: wrong }).error).not.toBeNull();
  });
});

describe('genesis pools in the runtime', () => {
  const network = networkOfGenesis(['constant-product']);
  wrapSol(network, ALICE, 100_000_000_000n);

  /** What the venue reads now of the pool, from the network itself. */
  function quoteNow(pool: PoolAddresses, inputMint: Address, amount: bigint): bigint {
    const state = raydiumCpmm.decode(pool.address, (at) => network.account(at));
    if ('unusable' in state) throw new Error(`${pool.address}: ${state.unusable}`);
    const clock = { slot: 1n, epoch: 0n, unixTimestamp: network.svm.getClock().unixTimestamp };
    const quote = raydiumCpmm.quoteExactIn(state, inputMint, amount, clock);
    if (quote === null) throw new Error(`${pool.address} does not swap`);
    return quote.outAmount;
  }

  it.each(genesis.pools.map((pool) => ({ pool, name: pairName(pool) })))(
    'swap for the demo wallet, as quoted, on $name',
    ({ pool }) => {
      for (const [input, output] of [pool.mints, [...pool.mints].reverse()] as [Address, Address][]) {
        const amount = atomsWorth(10n, tokenOf(input));
        const source = accountOf(ALICE, tokenOf(input));
        const destination = accountOf(ALICE, tokenOf(output));
        const quoted = quoteNow(pool, input, amount);
        const before = [network.tokenBalance(source), network.tokenBalance(destination)] as const;
        const parties = { authority: ALICE, source, destination };
        const swap = swapBaseInput(pool, input, parties, amount, quoted);
        const outcome = network.send([swap], { feePayer: ALICE });
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
        expect(before[0] - network.tokenBalance(source)).toBe(amount);
        expect(network.tokenBalance(destination) - before[1]).toBe(quoted);
      }
    },
  );

  it('take liquidity and give it back', () => {
    const [pool] = genesis.pools;
    if (pool === undefined) throw new Error('no pool');
    const owner = genesis.keys.poolCreator.address;
    wrapSol(network, owner, 1_000_000_000n);
    const usdc = token('USDC');
    expect(pay(network, usdc, ALICE, owner, 1_000_000_000n).error).toBeNull();
    const parties = {
      owner,
      lpToken: associatedTokenAddress(owner, pool.lpMint, TOKEN_PROGRAM),
      tokens: pool.mints.map((mint) => accountOf(owner, tokenOf(mint))) as [Address, Address],
    };
    const before = network.tokenBalance(parties.lpToken);
    const maximums = [1_000_000_000n, 1_000_000_000n] as const;
    const added = network.send([deposit(pool, parties, 1_000_000n, maximums)], { feePayer: owner });
    expect(added.error, added.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(before + 1_000_000n);
    const taken = network.send([withdraw(pool, parties, before, [1n, 1n])], { feePayer: owner });
    expect(taken.error, taken.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(1_000_000n);
  });

  it('can be joined by a new pool', () => {
    const creator = ALICE;
    wrapSol(network, creator, 1_000_000_000n);
    const pair = [token('HNT'), token('RENDER')] as const;
    const pool = poolAddresses(configAddress(7), [poolToken(pair[0]), poolToken(pair[1])]);
    const parties = {
      owner: creator,
      lpToken: associatedTokenAddress(creator, pool.lpMint, TOKEN_PROGRAM),
      tokens: pool.mints.map((mint) => accountOf(creator, tokenOf(mint))) as [Address, Address],
    };
    const fees = network.tokenBalance(RAYDIUM_CPMM_POOL_FEE_RECEIVER);
    const start = { amounts: [1_000_000n, 2_000_000n], openTime: 0n } as const;
    const outcome = network.send([initialize(pool, parties, start)], { feePayer: creator });
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(parties.lpToken)).toBe(1_414_213n - 100n);
    expect(network.tokenBalance(RAYDIUM_CPMM_POOL_FEE_RECEIVER) - fees).toBe(150_000_000n);
  });
});

function poolToken(info: TokenInfo) {
  return { mint: info.mint, tokenProgram: tokenProgramOf(info) };
}

function pairName({ mints, config }: PoolAddresses): string {
  return `${mints.map((mint) => tokenOf(mint).symbol).join('/')} (${config.slice(0, 4)})`;
}

function tokenOf(mint: Address): TokenInfo {
  const found = tokenByMint(mint);
  if (found === null) throw new Error(`no token ${mint}`);
  return found;
}

function wrapSol(network: TestNetwork, owner: Address, lamports: bigint): void {
  const wrapped = associatedTokenAddress(owner, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  const setup = { payer: owner, owner, mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
  const wrap = [
    createAssociatedTokenIdempotent(setup),
    transferLamports(owner, wrapped, lamports),
    syncNative(TOKEN_PROGRAM, wrapped),
  ];
  expect(network.send(wrap, { feePayer: owner }).error).toBeNull();
}
