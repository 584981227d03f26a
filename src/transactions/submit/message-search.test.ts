import { describe, expect, it, vi } from 'vitest';
import { signedAgain } from '../../testing/rfq/second-signature.ts';
import { SkippingTimers } from '../../testing/timers.ts';
import {
  type AddressSignature,
  type Chain,
  ChainUnavailable,
  type SignatureRange,
} from '../../chain/chain.ts';
import { CallPace } from '../../chain/rpc/client/call-pace.ts';
import { getCurrentWorker, getShareHolder, runAs } from '../../common/party.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/encoding/base58.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import {
  isFullySigned,
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { lookForMessage, MAX_PAGES, searchMessage } from './message-search.ts';

describe('the search for a message', () => {
  it('is for one that has several valid signatures', () => {
    expect(OTHER).not.toBe(getTransactionSignature(SIGNED));
    expect(isFullySigned(parseTransaction(signedAgain(SIGNED, PAYER)))).toBe(true);
  });

  it('finds any signature of it, on any page of the list of either signer', async () => {
    const landed = { signature: OTHER, slot: NOW - 60n };
    const { chain, calls } = chainOf({
      [PAYER.address]: others(35, NOW - 50n),
      [TAKER.address]: [...others(25, NOW - 50n), landed],
    });
    const found = await searchMessage(chain, SEARCHED);
    expect(found).toMatchObject({ kind: 'landed', signature: OTHER, status: { slot: NOW - 60n } });
    // A node that is behind what is final here must not answer.
    expect(new Set(calls.map(({ asOf }) => asOf))).toEqual(new Set([NOW]));
  });

  it('denies it when all lists were read three times, and no further back than it can be', async () => {
    const old = others(1_000, NOW - 10_000n);
    const { chain, calls } = chainOf({ [PAYER.address]: [...others(12, NOW), ...old], [TAKER.address]: old });
    expect(await searchMessage(chain, SEARCHED)).toEqual({ kind: 'denied' });
    const read = calls.map(({ address, before }) => [address, before !== undefined]);
    const pass = [
      [PAYER.address, false],
      [PAYER.address, true],
      [TAKER.address, false],
    ];
    expect(read).toEqual([...pass, ...pass, ...pass]);
  });

  it('stops after a number of pages without a result, and goes on there when it is asked again', async () => {
    const landed = { signature: OTHER, slot: NOW - 60n };
    const { chain, calls } = chainOf({ [PAYER.address]: [...others(MAX_PAGES * 25, NOW - 50n), landed] });
    expect(await searchMessage(chain, SEARCHED)).toEqual({ kind: 'unknown' });
    expect(calls).toHaveLength(MAX_PAGES);
    expect(await searchMessage(chain, SEARCHED)).toEqual({ kind: 'unknown' });
    expect(await searchMessage(chain, SEARCHED)).toMatchObject({ kind: 'landed' });
    expect(calls.length).toBeLessThan(MAX_PAGES * 3);
  });

  it.each<[string, Chain['signaturesOf']]>([
    ['the network does not answer', () => Promise.reject(new ChainUnavailable('down'))],
    ['a list is out of order', async () => [...others(1, NOW - 10n), ...others(1, NOW)]],
  ])('has no result when %s', async (_, signaturesOf) => {
    const chain = { ...chainOf({}).chain, signaturesOf };
    expect(await searchMessage(chain, SEARCHED)).toEqual({ kind: 'unknown' });
  });

  it('has no result when a node lists it and the one that is asked for its status does not know it', async () => {
    const { chain } = chainOf({ [PAYER.address]: [{ signature: OTHER, slot: NOW - 60n }] });
    const behind = { ...chain, signatureStatuses: async () => [null] };
    expect(await searchMessage(behind, SEARCHED)).toEqual({ kind: 'unknown' });
  });

  it('has no result for one party when its calls are used up, and goes on for others', async () => {
    const { chain } = chainOf({ [PAYER.address]: others(20, NOW) });
    const pace = new CallPace({ callsPerSecond: 40, reportsPerSecond: 0, timers: new SkippingTimers() });
    const paced: Chain = {
      ...chain,
      signaturesOf: (...asked) => pace.turn(false).then(() => chain.signaturesOf(...asked)),
    };
    const search = (id: string, index: number) =>
      runAs({ kind: 'organisation', id }, () =>
        searchMessage(paced, { ...SEARCHED, messageBytes: messageOf(index) }),
      );
    const crowd = Array.from({ length: 200 }, (_, index) => search('acme', index));
    const other = search('other', 200);
    expect(await other).toEqual({ kind: 'denied' });
    const found = await Promise.all(crowd);
    expect(found.filter(({ kind }) => kind === 'unknown').length).toBeGreaterThan(100);
  });

  it('goes on for one party where it stopped, however many messages another searches for', async () => {
    const landed = { signature: OTHER, slot: NOW - 60n };
    const { chain } = chainOf({ [PAYER.address]: [...others(MAX_PAGES * 15, NOW - 50n), landed] });
    const paced: Chain = {
      ...chain,
      signaturesOf: async (...asked) => {
        if (getShareHolder(getCurrentWorker()) === 'organisation:acme') throw new ChainUnavailable('used up');
        return chain.signaturesOf(...asked);
      },
    };
    const search = (id: string, message: Uint8Array) =>
      runAs({ kind: 'organisation', id }, () => searchMessage(paced, { ...SEARCHED, messageBytes: message }));
    expect(await search('other', SIGNED.messageBytes)).toEqual({ kind: 'unknown' });
    for (let index = 0; index < 2_500; index++) await search('acme', messageOf(index));
    expect(await search('other', SIGNED.messageBytes)).toMatchObject({ kind: 'landed', signature: OTHER });
  });

  it('looks at once for one party while a look of another gets no calls', async () => {
    const { chain, calls } = chainOf({ [PAYER.address]: [{ signature: OTHER, slot: NOW - 60n }] });
    let starve = (_: Error): void => undefined;
    const starved = new Promise<never>((_, reject) => {
      starve = reject;
    });
    const paced: Chain = {
      ...chain,
      signaturesOf: async (...asked) =>
        getShareHolder(getCurrentWorker()) === 'organisation:acme' ? starved : chain.signaturesOf(...asked),
    };
    const look = (id: string) =>
      runAs({ kind: 'organisation', id }, () => lookForMessage(paced, SEARCHED, NOW));
    const refused = expect(look('acme')).rejects.toThrow(ChainUnavailable);
    const other = look('other');
    await vi
      .waitFor(() => expect(calls).toHaveLength(1))
      .finally(() => starve(new ChainUnavailable('used up')));
    expect(await other).toMatchObject({ kind: 'landed', signature: OTHER });
    await refused;
  });
});

const PAYER = createKeypairFromSeed(new Uint8Array(32).fill(1));
const TAKER = createKeypairFromSeed(new Uint8Array(32).fill(2));
const MESSAGE = compileMessage({
  feePayer: PAYER.address,
  blockhash: new Uint8Array(32).fill(3),
  instructions: [transferLamports(TAKER.address, PAYER.address, 1n)],
});
const SIGNED = parseTransaction(signTransaction(MESSAGE, [PAYER, TAKER]));
const OTHER = getTransactionSignature(parseTransaction(signedAgain(SIGNED, PAYER)));
const NOW = 100_000n;
const SEARCHED = { messageBytes: SIGNED.messageBytes, lastValidBlockHeight: NOW - 40n };

/** Transactions of others, the newest first. */
function others(count: number, slot: bigint): AddressSignature[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(64).fill(5);
    new DataView(bytes.buffer).setUint32(0, index);
    return { signature: encodeBase58(bytes), slot };
  });
}

interface Call extends SignatureRange {
  readonly address: Address;
}

/** A network that lists what a test says, at most `most` on a page. */
function chainOf(lists: Record<string, readonly AddressSignature[]>, most = 10) {
  const calls: Call[] = [];
  const chain = {
    slot: () => NOW,
    blockHeight: () => NOW,
    recentBlockhash: () => ({ lastValidBlockHeight: NOW + 150n }),
    signatureStatuses: async (signatures: readonly string[]) =>
      signatures.map(() => ({ slot: NOW - 60n, commitment: 'finalized', error: null })),
    signaturesOf: async (address: Address, range: SignatureRange) => {
      calls.push({ address, ...range });
      const list = lists[address] ?? [];
      const from = list.findIndex(({ signature }) => signature === range.before) + 1;
      return list.slice(from, from + most);
    },
  } as unknown as Chain;
  return { chain, calls };
}

function messageOf(lamports: number): Uint8Array {
  const instructions = [transferLamports(TAKER.address, PAYER.address, BigInt(lamports))];
  return compileMessage({ feePayer: PAYER.address, blockhash: new Uint8Array(32).fill(3), instructions });
}
