import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { EmbeddedChain } from '../chain/embedded/network.ts';
import type { OpenFills } from './fills.ts';
import { type Landed, MakerChecks, type SignedSwap, Trials } from '../rfq/conformance/index.ts';
import type { Rfq } from '../rfq/index.ts';
import { keypairFromSeed } from '../solana/keypair.ts';
import { submitAndConfirm } from '../transactions/submit-and-confirm.ts';
import type { Timers } from '../common/ports/timers.ts';

export interface OpenMakerChecksOptions {
  readonly rfq: Rfq;
  readonly fills: Pick<OpenFills, 'reservations'>;
  /** Null over an outside RPC, where the tokens of a check would be somebody's. */
  readonly chain: EmbeddedChain | null;
  readonly timers: Timers;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
}

const SEED_BYTES = 32;

/** Checks of makers against what the interface asks of them; null where there is no embedded network. */
export function openMakerChecks(options: OpenMakerChecksOptions): MakerChecks | null {
  const { rfq, fills, chain, timers, logger } = options;
  if (chain === null) return null;
  const parts = {
    makers: rfq.makers,
    books: rfq.books,
    link: rfq.link,
    swapStreams: rfq.swapStreams,
    quoteStreams: rfq.quoteStreams,
    reservations: fills.reservations,
    trials: new Trials(rfq.swapStreams),
    timers,
    newUuid: randomUUID,
    newKeypair: () => keypairFromSeed(randomBytes(SEED_BYTES)),
    network: {
      clock: () => chain.clock(),
      recentBlockhash: () => chain.recentBlockhash(),
      giveLamports: chain.requestAirdrop,
      giveTokens: chain.faucet,
      land: (transaction: SignedSwap) => landed(chain, timers, transaction),
    },
  };
  return new MakerChecks(parts, (error) =>
    logger.error({ err: error }, 'a check of a maker could not be carried through'),
  );
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
      return { kind: 'lost', why: 'it did not land before its blockhash ran out' };
    case 'unknown':
      return { kind: 'lost', why: 'the network does not say what became of it' };
  }
}
