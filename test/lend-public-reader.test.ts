import { Connection } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { VaultHistory } from '../programs/vaults/tests/history.ts';
import { histories, USERS } from '../programs/vaults/tests/history-steps.ts';
import { VAULT_ID, type VaultWorld } from '../programs/vaults/tests/world.ts';
import { computePositionView } from '../src/lend/borrow/positions.ts';
import type { VaultView } from '../src/lend/borrow/vault-view.ts';
import { BranchStatus } from '../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import type { Address } from '../src/solana/address.ts';
import type { BigNumber } from '../src/testing/protocols/vaults-sdk.ts';
import { countCases, sampleCases } from '../src/testing/random.ts';

beforeAll(setUp);

describe('computePositionView', () => {
  it('agrees with the public reader about positions that were liquidated in part, in full, absorbed or merged', async () => {
    const seen = { compared: 0, inPart: 0, inFull: 0, byFlag: 0, merged: 0 };
    for (const steps of sampleCases(histories(STEPS), SUITE)) {
      const history = new VaultHistory({ operations: 0, liquidations: 0, absorptions: 0, merges: 0 });
      served = history.world;
      for (const [at, step] of steps.entries()) {
        history.run(step);
        if (step.kind === 'liquidate' || at === steps.length - 1) await compareAll(history.world, seen);
      }
    }
    expect(seen.compared).toBeGreaterThan(20 * countCases(SUITE));
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0);
  });
});

type Seen = Record<'compared' | 'inPart' | 'inFull' | 'byFlag' | 'merged', number>;

async function compareAll(world: VaultWorld, seen: Seen): Promise<void> {
  for (let nftId = 1; nftId <= USERS + 1; nftId++) {
    const position = world.position(nftId);
    const ours = computePositionView(position, viewOf(world), world.admin);
    const theirs = await readPublicly(world, nftId);
    expect(ours).toMatchObject({
      isLiquidated: theirs.isLiquidated,
      isSupplyPosition: theirs.isSupplyPosition,
      tick: theirs.tick,
      supply: toAtoms(theirs.supply, world.supply.decimals),
      beforeSupply: toAtoms(theirs.beforeSupply, world.supply.decimals),
      beforeBorrow: toAtoms(theirs.beforeBorrow, world.borrow.decimals),
      borrow: toAtoms(theirs.borrow, world.borrow.decimals),
      dustBorrow: toAtoms(theirs.dustBorrow, world.borrow.decimals),
    });
    seen.compared++;
    const state = world.positionState(nftId);
    if (!state.isLiquidated) continue;
    const life = world.reader().tick(position.tick);
    if (state.debt > 0n) seen.inPart++;
    else seen.inFull++;
    if (life?.isFullyLiquidated === true && life.totalIds === position.tickId) seen.byFlag++;
    if (world.reader().branch(state.liquidationBranchId)?.status === BranchStatus.MERGED) seen.merged++;
  }
}

/** The parts of a vault's view from which a position is computed. */
function viewOf(world: VaultWorld): VaultView {
  const { prices, supply, borrow } = { prices: world.prices(), supply: world.supply, borrow: world.borrow };
  return { prices, vault: { supply, borrow, accounts: world.reader() } } as unknown as VaultView;
}

/** A position as the reader computes it for its list of a wallet's positions, at the prices of the world's time. */
async function readPublicly(world: VaultWorld, nftId: number): Promise<PublicPosition> {
  const position = await reader.getUserPosition({ vaultId: VAULT_ID, positionId: nftId });
  const { supply, borrow } = world.prices();
  const exchangePricesAndRates = {
    vaultSupplyExchangePrice: new BN(String(supply)),
    vaultBorrowExchangePrice: new BN(String(borrow)),
  };
  return reader.buildNftPositionFromPositionAccount({
    position,
    vaultId: VAULT_ID,
    nftId,
    vaultData: { exchangePricesAndRates },
    ownerOverride: world.admin,
  });
}

/** The reader gives the program's nine decimals. */
function toAtoms(units: BigNumber, decimals: number): bigint {
  return BigInt(units.toString()) / 10n ** BigInt(9 - decimals);
}

/** A position as the reader shows it. */
interface PublicPosition {
  readonly isLiquidated: boolean;
  readonly isSupplyPosition: boolean;
  readonly tick: number;
  readonly supply: BigNumber;
  readonly beforeSupply: BigNumber;
  readonly borrow: BigNumber;
  readonly beforeBorrow: BigNumber;
  readonly dustBorrow: BigNumber;
}

/** The reader of one RPC, unmodified. Its own types bring those of a whole framework. */
interface PublicReader {
  getUserPosition(id: { readonly vaultId: number; readonly positionId: number }): Promise<unknown>;
  buildNftPositionFromPositionAccount(of: object): Promise<PublicPosition>;
}

const STEPS = 60;
const SUITE = { cases: 12, short: 3, seed: 2, against: 'the public reader' };
let served: VaultWorld;
let reader: PublicReader;
let BN: new (text: string) => BigNumber;

async function setUp(): Promise<void> {
  const { Client } = await import('@jup-ag/lend-read' as string);
  ({ default: BN } = await import('bn.js' as string));
  reader = new Client(new Connection('http://world', { fetch: answerReads })).vault;
}

/** Answers the reader's requests as a node does, with the accounts of the current world. */
async function answerReads(_: unknown, init?: { readonly body?: unknown }): Promise<Response> {
  const { id, params } = JSON.parse(String(init?.body));
  const wanted: readonly Address[] = Array.isArray(params[0]) ? params[0] : [params[0]];
  const found = wanted.map((address) => {
    const account = served.network.account(address);
    if (account === null) return null;
    const { owner, executable, lamports, data } = account;
    const encoded = [Buffer.from(data).toString('base64'), 'base64'];
    return { owner, executable, lamports: Number(lamports), data: encoded, rentEpoch: 0, space: data.length };
  });
  const value = Array.isArray(params[0]) ? found : found[0];
  return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } });
}
