import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { TokenLaunch } from '../../../tokens/facts/launch.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import { numbered, TokenWorld } from '../../../testing/test-tokens.ts';
import { toTokenJson } from './token-json.ts';
import { toTokenV1Json } from './v1/token-json.ts';
import { openForEach } from '../../../testing/opened.ts';

let tokens: Tokens;
const world = openForEach(() => new TokenWorld());
beforeEach(setUp);
afterEach(() => tokens.close());

describe('the fields that strict clients require', () => {
  it('has a creation time for a token whose first pool is older than what is known', async () => {
    const { v1, v2 } = await jsonOf(TRADED);
    expect(v2).toMatchObject({
      createdAt: KNOWN_TO_CLIENTS,
      firstPool: { id: POOL, createdAt: KNOWN_TO_CLIENTS },
    });
    expect(v1.created_at).toBe(KNOWN_TO_CLIENTS);
  });

  it('makes up neither a pool nor a time for a token that no pool trades', async () => {
    const { v2 } = await jsonOf(UNTRADED);
    expect(v2).not.toHaveProperty('firstPool');
    expect(v2).not.toHaveProperty('createdAt');
  });

  it('counts all lamports as SOL, whose mint counts none', async () => {
    // The mint of these tests has 6 decimals.
    const supplies = { totalSupply: 600_000_000_000, circSupply: 540_000_000_000 };
    const { v2 } = await jsonOf(WRAPPED_SOL_MINT);
    expect(v2).toMatchObject({
      ...supplies,
      fdv: 100 * supplies.totalSupply,
      mcap: 100 * supplies.circSupply,
    });
  });

  it('lets the operator say that less SOL circulates, but not more', async () => {
    for (const [circulatingSupply, circSupply] of [
      [5_000, 5_000],
      [700_000_000_000, 600_000_000_000],
    ] as const) {
      world.decide(WRAPPED_SOL_MINT, { level: 'verified', tags: [], details: { circulatingSupply } });
      expect((await jsonOf(WRAPPED_SOL_MINT)).v2.circSupply).toBe(circSupply);
    }
  });
});

describe('the fields of a launched token', () => {
  it('are the launchpad, its configuration and the progress while the curve trades', async () => {
    await launch({ progress: 12.5 });
    const { v2 } = await jsonOf(TRADED);
    expect(v2).toMatchObject({
      launchpad: 'met-dbc',
      partnerConfig: CONFIG,
      bondingCurve: 12.5,
      dev: DEV,
      audit: { devMints: 3 },
    });
    expect(v2).not.toHaveProperty('graduatedPool');
    expect(v2).not.toHaveProperty('graduatedAt');
  });

  it('are its pool and the time of the graduation in place of the progress afterwards', async () => {
    await launch({ graduated: { pool: POOL, at: 1_760_000_000n } });
    const { v2 } = await jsonOf(TRADED);
    expect(v2).toMatchObject({ graduatedPool: POOL, graduatedAt: '2025-10-09T08:53:20.000Z' });
    expect(v2).not.toHaveProperty('bondingCurve');
  });

  it('begin with the curve as the first pool, whatever pool trades the token now', async () => {
    await launch({ launchedAt: 1_760_000_000n, graduated: { pool: POOL, at: 1_760_003_600n } });
    expect((await jsonOf(TRADED)).v2).toMatchObject({
      createdAt: '2025-10-09T08:53:20.000Z',
      firstPool: { id: CURVE, createdAt: '2025-10-09T08:53:20.000Z' },
    });
    await launch({ launchedAt: null });
    expect((await jsonOf(TRADED)).v2.firstPool?.id).toBe(POOL);
  });

  it('leave out what is not known', async () => {
    await launch({ graduated: { pool: POOL, at: null } });
    expect((await jsonOf(TRADED)).v2).not.toHaveProperty('graduatedAt');
    const { v2 } = await jsonOf(UNTRADED);
    for (const field of ['launchpad', 'partnerConfig', 'bondingCurve', 'graduatedPool', 'dev']) {
      expect(v2).not.toHaveProperty(field);
    }
    expect(v2.audit).not.toHaveProperty('devMints');
  });
});

const [CONFIG, DEV, CURVE] = [numbered(4), numbered(5), numbered(6)] as const;
const [TRADED, UNTRADED, POOL] = [numbered(1), numbered(2), numbered(3)] as const;
const KNOWN_TO_CLIENTS = '2024-06-05T08:55:25.527Z';
const AT = { now: 1_800_000_000, earnRate: null };

async function setUp(): Promise<void> {
  for (const mint of [WRAPPED_SOL_MINT, TRADED, UNTRADED]) world.mint(mint, {}, 0n);
  world.pool(POOL, [TRADED, WRAPPED_SOL_MINT]);
  world.price(WRAPPED_SOL_MINT, 1_000, 100);
  tokens = await world.open();
}

/** Opens the tokens again, of which `TRADED` was launched. */
async function launch(facts: Partial<TokenLaunch>): Promise<void> {
  const launched = {
    launchpad: 'met-dbc',
    pool: CURVE,
    launchedAt: null,
    config: CONFIG,
    progress: null,
    graduated: null,
    ...facts,
  };
  tokens.close();
  tokens = await world.open({
    launches: {
      find: (mint) => (mint === TRADED ? launched : null),
      creatorOf: (mint) => (mint === TRADED ? DEV : null),
      countOf: () => 3,
    },
  });
}

async function jsonOf(mint: typeof TRADED) {
  const [token] = await tokens.find([mint]);
  if (token === undefined) throw new Error(`${mint} is not found`);
  return { v2: toTokenJson(token, AT), v1: toTokenV1Json(token) };
}
