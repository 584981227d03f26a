import { randomBytes, randomUUID } from 'node:crypto';
import type { EmbeddedChain } from '../../chain/embedded/network.ts';
import { type Landed, MakerChecks, type SignedSwap, Trials } from './index.ts';
import type { Rfq, Webhooks } from '../index.ts';
import { WebhookClient } from '../webhooks/http-client.ts';
import { SYSTEM_LOOKUP } from '../webhooks/outgoing-address.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { submitAndConfirm } from '../../transactions/submit/submit-and-confirm.ts';
import type { Timers } from '../../common/ports/timers.ts';

export interface OpenMakerChecksOptions {
  readonly rfq: Rfq;
  readonly webhooks: Webhooks;
  /** Whether webhooks may be at private addresses. */
  readonly allowsPrivate: boolean;
  /** Null over an outside RPC, where a check would need tokens of real value. */
  readonly chain: EmbeddedChain | null;
  readonly timers: Timers;
  /** Called when a check could not be completed. */
  readonly onDefect: (error: unknown) => void;
}

const SEED_BYTES = 32;

/** Returns the conformance checks of makers; null where there is no embedded network. */
export function openMakerChecks(options: OpenMakerChecksOptions): MakerChecks | null {
  const { rfq, webhooks, allowsPrivate, chain, timers, onDefect } = options;
  if (chain === null) return null;
  const dependencies = {
    makers: rfq.makers,
    books: rfq.ownBooks,
    link: rfq.link,
    swapStreams: rfq.swapStreams,
    swapConnections: rfq.swapConnections,
    quoteStreams: rfq.quoteStreams,
    reservations: rfq.reservations,
    trials: new Trials(rfq.swapStreams),
    webhooks,
    openWebhook: (record: ConstructorParameters<typeof WebhookClient>[0]['record']) =>
      new WebhookClient({ record, allowsPrivate, lookup: SYSTEM_LOOKUP }),
    timers,
    newUuid: randomUUID,
    newKeypair: () => createKeypairFromSeed(randomBytes(SEED_BYTES)),
    network: {
      clock: () => chain.clock(),
      recentBlockhash: () => chain.recentBlockhash(),
      giveLamports: chain.requestAirdrop,
      giveTokens: chain.faucet,
      accountOf: async (address: Address) =>
        (await chain.getAccounts([address], 'confirmed'))[0]?.account ?? null,
      land: (transaction: SignedSwap) => landed(chain, timers, transaction),
    },
  };
  return new MakerChecks(dependencies, onDefect);
}

async function landed(chain: EmbeddedChain, timers: Timers, transaction: SignedSwap): Promise<Landed> {
  const landing = await submitAndConfirm(chain, timers, transaction);
  switch (landing.kind) {
    case 'landed': {
      const { error, slot } = landing.status;
      return error === null ? { kind: 'landed', slot } : { kind: 'failed', error };
    }
    case 'rejected':
      return { kind: 'failed', error: landing.error };
    case 'expired':
      return { kind: 'lost', why: 'it did not land before its blockhash expired' };
    case 'unknown':
      return { kind: 'lost', why: 'its outcome is unknown' };
  }
}
