import { beforeEach, describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import {
  encodePartialUnstake,
  encodeVoteEscrow,
  JUP_LOCKER,
  VOTER_PROGRAM,
  deriveVoteEscrowAddress,
} from '../../protocols/jupiter-governance/layout.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { PortfolioServices } from './endpoints/services.ts';
import { portfolio } from './index.ts';
import { Portfolios } from './evaluation/portfolios.ts';
import { openForEach } from '../../testing/opened.ts';

const view = openForEach(() => new TestView());
beforeEach(setUp);

describe('stakedJup', () => {
  it('reads the stake and the parts that are being unstaked', async () => {
    expect(await read(OWNER)).toEqual({ stakedAmount: 5, unstaking: [{ amount: 2, until: 9_000 }] });
  });

  it.each([
    ['a memo', 'a memo of some length', undefined],
    ['no room for one, as the first version of the program made them', '', 152],
  ])('reads a part that has %s', async (_, memo, length) => {
    const part = { escrow: ESCROW, amount: 2_000_000n, expiration: 9n };
    view.set(PART, VOTER_PROGRAM, encodePartialUnstake(part, memo).subarray(0, length));
    expect(await read(OWNER)).toMatchObject({ unstaking: [{ amount: 2, until: 9_000 }] });
  });

  it('is the error of an RPC that returns an escrow which cannot be decoded', async () => {
    view.set(ESCROW, VOTER_PROGRAM, new Uint8Array(40));
    const failed = await read(OWNER).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ChainUnavailable);
    expect((failed as Error).message).toContain('an account that cannot be decoded: not a valid vote escrow');
  });

  it('is the error of an RPC that returns a part of the stake which cannot be decoded, and leaves out none', async () => {
    const part = view.accounts.get(PART)?.data.slice() ?? new Uint8Array(0);
    part[0] = (part[0] ?? 0) ^ 1;
    view.set(PART, VOTER_PROGRAM, part);
    const failed = await read(OWNER).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ChainUnavailable);
    expect((failed as Error).message).toContain(`cannot be decoded: ${PART}`);
  });

  it('is nothing for a wallet at whose address of an escrow somebody has sent lamports', async () => {
    view.set(ESCROW, SYSTEM_PROGRAM, new Uint8Array(0));
    expect(await read(OWNER)).toEqual({ stakedAmount: 0, unstaking: [] });
  });
});

describe('the requests', () => {
  it.each([
    ['/portfolio/v1/staked-jup/:address', { params: { address: OWNER }, query: {} }],
    ['/portfolio/v1/staked-jup', { params: {}, query: { wallet: OWNER } }],
  ])('%s answers it', async (path, request) => {
    const { handle } = portfolio.endpoints.find((each) => each.path === path) as unknown as {
      handle: (services: Partial<PortfolioServices>, given: unknown) => unknown;
    };
    expect(await handle({ portfolios: openPortfolios() }, request)).toEqual({
      stakedAmount: 5,
      unstaking: [{ amount: 2, until: 9_000 }],
    });
  });
});

const OWNER = toAddress(new Uint8Array(32).fill(77));
const PART = toAddress(new Uint8Array(32).fill(78));
const ESCROW = deriveVoteEscrowAddress(JUP_LOCKER, OWNER);

function openPortfolios() {
  return new Portfolios({
    chain: { slot: () => 1n, unhealthy: () => null, openView: () => view },
    fetchers: [],
    timers: SYSTEM_TIMERS,
    deadlineMs: 60_000,
    dollarsPerAtom: () => null,
    yieldsOf: () => [],
    collectionOf: () => null,
    listed: () => null,
    onDefect: (_, error) => {
      throw error;
    },
  });
}

function read(owner: Address) {
  return openPortfolios().stakedJup(owner);
}

function setUp(): void {
  const times = { startedAt: 0n, endsAt: 0n, isMaxLock: true, unstaking: 2_000_000n };
  const escrow = { locker: JUP_LOCKER, owner: OWNER, tokens: PART, amount: 5_000_000n, ...times };
  view.set(ESCROW, VOTER_PROGRAM, encodeVoteEscrow(escrow));
  view.set(PART, VOTER_PROGRAM, encodePartialUnstake({ escrow: ESCROW, amount: 2_000_000n, expiration: 9n }));
}
