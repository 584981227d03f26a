import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../address.ts';
import { LayoutInvalid } from '../codec/byte-reader.ts';
import { decodeStakeAccount, encodeStakeAccount, STAKE_ACCOUNT_SIZE, WITHDRAWER_AT } from './stake.ts';

// Accounts are compared with the client that the authors of the stake program publish.

/** A state as the published client writes and reads it. */
type PublishedState =
  | { readonly __kind: 'Uninitialized' | 'RewardsPool' }
  | { readonly __kind: 'Initialized'; readonly fields: readonly [PublishedMeta] }
  | { readonly __kind: 'Stake'; readonly fields: readonly [PublishedMeta, PublishedStake, { bits: number }] };

let client: StakeClient;
beforeAll(setUp);

describe('decodeStakeAccount', () => {
  it('reads delegated accounts as the published client writes them', () => {
    assertProperty(
      fc.property(meta, stake, fc.nat(255), (head, { delegation, creditsObserved }, bits) => {
        const data = encodePublishedState({
          __kind: 'Stake',
          fields: [head, { delegation, creditsObserved }, { bits }],
        });
        const { voterPubkey: voter, stake: lamports, activationEpoch, deactivationEpoch } = delegation;
        expect(decodeStakeAccount(data)).toEqual({
          ...decodedMeta(head),
          delegation: { voter, stake: lamports, activationEpoch, deactivationEpoch },
        });
        const withdrawer = data.subarray(WITHDRAWER_AT, WITHDRAWER_AT + 32);
        expect(toAddress(withdrawer)).toBe(head.authorized.withdrawer);
      }),
      { cases: 200, seed: SEED, against: 'the published client' },
    );
  });

  it('reads accounts that delegate nothing, and refuses those that are none', () => {
    assertProperty(
      fc.property(meta, (head) => {
        const data = encodePublishedState({ __kind: 'Initialized', fields: [head] });
        expect(decodeStakeAccount(data)).toEqual({ ...decodedMeta(head), delegation: null });
      }),
      { cases: 50, seed: SEED },
    );
    for (const kind of ['Uninitialized', 'RewardsPool'] as const) {
      expect(() => decodeStakeAccount(encodePublishedState({ __kind: kind }))).toThrow(LayoutInvalid);
    }
  });
});

describe('encodeStakeAccount', () => {
  it('writes accounts that the published client reads', () => {
    assertProperty(
      fc.property(meta, stake, (head, { delegation }) => {
        const { voterPubkey, stake: lamports, activationEpoch, deactivationEpoch } = delegation;
        const written = encodeStakeAccount({
          ...decodedMeta(head),
          delegation: { voter: voterPubkey, stake: lamports, activationEpoch, deactivationEpoch },
        });
        const read = client.getStakeStateV2Decoder().decode(written);
        expect(read).toMatchObject({
          __kind: 'Stake',
          fields: [
            head,
            { delegation: { voterPubkey, stake: lamports, activationEpoch, deactivationEpoch } },
            { bits: 0 },
          ],
        });
      }),
      { cases: 200, seed: SEED, against: 'the published client' },
    );
  });
});

interface PublishedMeta {
  readonly rentExemptReserve: bigint;
  readonly authorized: { readonly staker: Address; readonly withdrawer: Address };
  readonly lockup: { readonly unixTimestamp: bigint; readonly epoch: bigint; readonly custodian: Address };
}

interface PublishedStake {
  readonly delegation: {
    readonly voterPubkey: Address;
    readonly stake: bigint;
    readonly activationEpoch: bigint;
    readonly deactivationEpoch: bigint;
    readonly reserved: number[];
  };
  readonly creditsObserved: bigint;
}

interface StakeClient {
  readonly getStakeStateV2Encoder: () => { encode(state: PublishedState): Uint8Array };
  readonly getStakeStateV2Decoder: () => { decode(data: Uint8Array): PublishedState };
}

const SEED = 15_007;

async function setUp(): Promise<void> {
  client = (await import('@solana-program/stake' as string)) as StakeClient;
}

const u64 = fc.bigInt(0n, (1n << 64n) - 1n);
const i64 = fc.bigInt(-(1n << 63n), (1n << 63n) - 1n);
const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const meta: fc.Arbitrary<PublishedMeta> = fc.record({
  rentExemptReserve: u64,
  authorized: fc.record({ staker: address, withdrawer: address }),
  lockup: fc.record({ unixTimestamp: i64, epoch: u64, custodian: address }),
});
const stake: fc.Arbitrary<PublishedStake> = fc.record({
  delegation: fc.record({
    voterPubkey: address,
    stake: u64,
    activationEpoch: u64,
    deactivationEpoch: u64,
    reserved: fc.array(fc.nat(255), { minLength: 8, maxLength: 8 }),
  }),
  creditsObserved: u64,
});

function encodePublishedState(state: PublishedState): Uint8Array {
  const data = new Uint8Array(STAKE_ACCOUNT_SIZE);
  data.set(client.getStakeStateV2Encoder().encode(state));
  return data;
}

function decodedMeta({ rentExemptReserve, authorized, lockup }: PublishedMeta) {
  return { rentExemptReserve, ...authorized, lockup };
}
