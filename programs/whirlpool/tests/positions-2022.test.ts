import { beforeEach, describe, expect, it } from 'vitest';
import { encodeWhirlpool } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '../../../src/solana/programs/token/account.ts';
import { ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { closeAndReadRemains } from '../../../src/testing/svm/closed-accounts.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { USER } from './fixture.ts';
import { type LiquidityAccounts, openPosition, positionOf } from './instructions.ts';
import { changeLiquidityV2, closePosition2022, collectFeesV2, openPosition2022 } from './instructions-v2.ts';
import { ADMIN, data, LIQUIDITY, network, NO_LIMITS, refuse, state, succeed } from './liquidity-world.ts';
import { fresh, made, open, startOverWithFees } from './extended-world.ts';

beforeEach(() => startOverWithFees());

describe('positions of Token-2022', () => {
  it('have a mint of one token that the position freezes and closes, with metadata', () => {
    const { position } = open(-640, 640);
    const mint = decodeMint(data(position.mint));
    expect(mint).toMatchObject({
      supply: 1n,
      decimals: 0,
      mintAuthority: null,
      freezeAuthority: position.position,
    });
    const of = (type: number) => Buffer.from(mint.extensions.find((each) => each.type === type)?.data ?? []);
    expect(of(ExtensionType.MINT_CLOSE_AUTHORITY).length).toBe(32);
    expect(of(ExtensionType.METADATA_POINTER).subarray(32)).toEqual(
      of(ExtensionType.TOKEN_METADATA).subarray(32, 64),
    );
    const text = of(ExtensionType.TOKEN_METADATA).toString('latin1');
    expect(text).toContain(`OWP ${position.mint.slice(0, 4)}...${position.mint.slice(-4)}`);
    expect(text).toContain(`https://metadata.orca.so/positions/${position.position}`);
    const account = network.account(position.mint);
    expect(account?.lamports).toBe(
      network.svm.minimumBalanceForRentExemption(BigInt(account?.data.length ?? 0)),
    );
    expect(decodeTokenAccount(data(position.token))).toMatchObject({ owner: USER, amount: 1n });
  });

  it('have no metadata if none are requested', () => {
    const { extensions } = decodeMint(data(open(-640, 640, false).position.mint));
    expect(extensions.map(({ type }) => type)).toEqual([ExtensionType.MINT_CLOSE_AUTHORITY]);
  });

  it('are the only positions that some pools accept, and cannot be transferred there', () => {
    keepPositions();
    const plain = positionOf(namedAddress('plain position'), USER);
    refuse(6067, openPosition(made.address, USER, plain, -640, 640));
    const { extensions } = decodeMint(data(open(-640, 640).position.mint));
    expect(extensions.map(({ type }) => type)).toContain(ExtensionType.NON_TRANSFERABLE);
  });

  it('are refused with a wrong range, metadata authority or mint', () => {
    const { position } = fresh(-640, 640);
    refuse(6010, openPosition2022(made.address, USER, position, [-640, 641]));
    const open = openPosition2022(made.address, USER, position, [-640, 640]);
    const swapped = (index: number, address: string) =>
      open.accounts.map((each, i) =>
        i === index ? { ...each, address: address as typeof each.address } : each,
      );
    refuse(2012, { ...open, accounts: swapped(9, USER) });
    refuse(3008, { ...open, accounts: swapped(6, made.tokens[0].mint) });
    refuse(2006, { ...open, accounts: swapped(3, USER) });
  });

  it('are changed by the delegate of their token too', () => {
    const accounts = open(-640, 640);
    succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, NO_LIMITS));
    const byAdmin = { ...accounts, position: { ...accounts.position, owner: ADMIN } };
    refuse(6019, changeLiquidityV2('decrease', byAdmin, 1n, [0n, 0n]));
    changeToken(accounts, { delegate: ADMIN, delegatedAmount: 0n });
    refuse(6020, changeLiquidityV2('decrease', byAdmin, 1n, [0n, 0n]));
    changeToken(accounts, { delegate: ADMIN, delegatedAmount: 1n });
    succeed(changeLiquidityV2('decrease', byAdmin, 1n, [0n, 0n]));
    succeed(changeLiquidityV2('decrease', accounts, 1n, [0n, 0n]));
  });

  it('grow and pay fees while they are locked, and nothing else', () => {
    const accounts = open(-640, 640);
    changeToken(accounts, { state: 'frozen' });
    succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, NO_LIMITS), collectFeesV2(accounts));
    refuse(6059, changeLiquidityV2('decrease', accounts, 1n, [0n, 0n]));
    refuse(6059, closePosition2022(accounts.position, USER));
  });

  it('are closed only when empty and unlocked, and all their accounts with them', () => {
    const accounts = open(-640, 640);
    const { position } = accounts;
    succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, NO_LIMITS));
    refuse(6005, closePosition2022(position, USER));
    refuse(6019, closePosition2022({ ...position, owner: ADMIN }, USER));
    succeed(changeLiquidityV2('decrease', accounts, LIQUIDITY, [0n, 0n]));
    const held = [position.position, position.token, position.mint];
    const all = held.reduce((sum, address) => sum + (network.account(address)?.lamports ?? 0n), 0n);
    const before = network.account(ADMIN)?.lamports ?? 0n;
    succeed(closePosition2022(position, ADMIN));
    expect((network.account(ADMIN)?.lamports ?? 0n) - before).toBe(all);
    for (const address of held) expect(network.account(address)).toBeNull();
  });

  it('leave nothing of theirs at their address, even if lamports arrive in the same transaction', () => {
    const { position } = open(-640, 640);
    const remains = closeAndReadRemains(network, closePosition2022(position, USER), position.position);
    expect(remains).toEqual({ owner: SYSTEM_PROGRAM, bytes: 0 });
  });
});

/** Makes the pool one whose positions cannot be transferred, as newer pools of the public program can be. */
function keepPositions(): void {
  const pool = state(made);
  const [first, second, third] = pool.rewards;
  const flagged = { ...second, extension: Uint8Array.of(1, ...new Uint8Array(31)) };
  const account = encodeWhirlpool({ ...pool, rewards: [first, flagged, third] });
  network.setData(made.address, WHIRLPOOL_PROGRAM, account);
}

/** Changes the fields of the position's token account. */
function changeToken({ position }: LiquidityAccounts, changes: Partial<TokenAccount>): void {
  const account = encodeTokenAccount({ ...decodeTokenAccount(data(position.token)), ...changes });
  network.setData(position.token, TOKEN_2022_PROGRAM, account);
}
