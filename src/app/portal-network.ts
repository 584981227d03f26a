import { request } from 'undici';
import type { EmbeddedChain } from '../chain/embedded/network.ts';
import type { Timers } from '../common/ports/timers.ts';
import { Unavailable } from '../common/unavailable.ts';
import { RequestInvalid } from '../gateway/http/validation.ts';
import type { PortalNetwork } from '../gateway/portal/network/portal-network.ts';
import { address } from '../solana/address.ts';

/** What the faucet gives: enough for a hundred first swaps. */
const GIFT_LAMPORTS = 10_000_000_000n;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** 1,000 USDC. */
const GIFT_USDC = 1_000_000_000n;

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const ANSWER_LIMIT_MS = 30_000;
const STATUS_INTERVAL_MS = 50;
/** Twenty seconds: the network's clock may stand still for a test. */
const MAX_STATUS_READS = 400;

type FundedChain = Pick<EmbeddedChain, 'rpcUrl' | 'requestAirdrop' | 'faucet' | 'signatureStatuses'>;

/** Returns the embedded network as the pages of the portal use it. */
export function createPortalNetwork(
  chain: FundedChain,
  { after, now }: Pick<Timers, 'after' | 'now'>,
): PortalNetwork {
  return {
    now,
    callRpc: (text) => callRpc(chain.rpcUrl, text),
    fundWallet: async (wallet) => {
      const first = await chain.requestAirdrop(wallet, GIFT_LAMPORTS);
      const { signature: second } = await chain.faucet(wallet, USDC, GIFT_USDC);
      const signatures = [first, second];
      for (let tries = 0; !(await areConfirmed(chain, signatures)); tries += 1) {
        if (tries >= MAX_STATUS_READS) throw new Unavailable('The gift is not confirmed yet');
        await new Promise<void>((resolve) => after(STATUS_INTERVAL_MS, resolve));
      }
      return { signatures, lamports: GIFT_LAMPORTS, tokenAmounts: [{ mint: USDC, amount: GIFT_USDC }] };
    },
  };
}

async function areConfirmed(chain: FundedChain, signatures: readonly string[]): Promise<boolean> {
  const statuses = await chain.signatureStatuses(signatures);
  return statuses.every((status) => status !== null && status.commitment !== 'processed');
}

/** @throws RequestInvalid if the answer is larger than a page can show; Unavailable if there is none */
async function callRpc(url: string, text: string): Promise<Buffer> {
  try {
    return await sendText(url, text);
  } catch (cause) {
    if (cause instanceof RequestInvalid) throw cause;
    throw new Unavailable('The network does not answer', { cause });
  }
}

async function sendText(url: string, text: string): Promise<Buffer> {
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    headersTimeout: ANSWER_LIMIT_MS,
    bodyTimeout: ANSWER_LIMIT_MS,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop ends the answer.
    if (size > MAX_ANSWER_BYTES)
      throw new RequestInvalid(
        'The answer is larger than 8 MiB; ask for less, with filters, a dataSlice or a smaller limit',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
