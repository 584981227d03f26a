import { SYSTEM_TIMERS } from '../../src/common/ports/timers.ts';
import { VENUES } from '../../src/protocols/venues.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../src/solana/programs/compute-budget.ts';
import { toInstruction } from '../../src/testing/genesis-market/builds.ts';
import { USDC } from '../../src/testing/genesis-market/makers.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../../src/testing/genesis-market/swap-v1.ts';
import { HttpLoad } from '../http-load.ts';
import type { Row } from '../row.ts';
import type { EmbeddedMarket } from './embedded-market.ts';

const CONNECTIONS = 16;
/**
 * The two networks are measured alternately, so that other load on the machine affects both. The median round counts.
 */
const ROUNDS = 9;
const PER_ROUND = 1_000;
const MIN_SHARE = 0.95;
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;

/**
 * Measures how much market data slows down `sendTransaction` of the embedded network when every transaction is a swap.
 *
 * @param followed a network whose trades are recorded
 * @param alone the same network without recording
 */
export async function marketDataCostRow(followed: EmbeddedMarket, alone: EmbeddedMarket): Promise<Row> {
  const [wallet] = followed.genesis.keys.demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  const route = await swapOf(followed, wallet);
  const load = new HttpLoad();
  let serial = 0;
  const rate = async (market: EmbeddedMarket) => {
    const port = Number(new URL(market.chain.rpcUrl).port);
    const requests = Array.from({ length: PER_ROUND }, () => request(market, wallet, route, ++serial));
    const order = { port, connections: CONNECTIONS, requests, success: '"result":' };
    const { milliseconds } = await load.send(order);
    return (PER_ROUND / milliseconds) * 1_000;
  };
  const rounds: { readonly followed: number; readonly alone: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      rounds.push({ followed: await rate(followed), alone: await rate(alone) });
    }
  } finally {
    load.close();
  }
  // The first round warms up.
  const sorted = rounds
    .slice(1)
    .sort((one, other) => one.followed / one.alone - other.followed / other.alone);
  const median = sorted[Math.floor(sorted.length / 2)] ?? { followed: 0, alone: 1 };
  const share = median.followed / median.alone;
  return {
    what: `\`sendTransaction\` of swaps, ${CONNECTIONS} connections, while their trades are taken in`,
    measured: `${share.toFixed(2)}, which is ${Math.round(median.followed)} of ${Math.round(median.alone)} per second`,
    against: 'the same while nothing takes in trades',
    atLeast: String(MIN_SHARE),
    ok: share >= MIN_SHARE,
  };
}

async function swapOf({ market }: EmbeddedMarket, wallet: Keypair): Promise<readonly Instruction[]> {
  const query = { inputMint: USDC.mint, outputMint: JUP, amount: '1000', dexes: 'Raydium CP' };
  const quoteResponse = quoteV1(
    { ...market, timers: SYSTEM_TIMERS },
    { ...query, slippageBps: '5000' },
    VENUES.map(({ label }) => label),
  );
  const { setupInstructions, swapInstruction } = await buildSwapInstructionsV1(market, {
    userPublicKey: wallet.address,
    quoteResponse,
  });
  return [...setupInstructions, swapInstruction].map(toInstruction);
}

/** A JSON-RPC request with a transaction that its priority fee makes unique. */
function request(
  { chain, market }: EmbeddedMarket,
  wallet: Keypair,
  route: readonly Instruction[],
  serial: number,
): string {
  const [last] = route.slice(-1);
  const message = compileMessage({
    feePayer: wallet.address,
    blockhash: chain.recentBlockhash().bytes,
    instructions: [setComputeUnitLimit(400_000), setComputeUnitPrice(BigInt(serial)), ...route],
    lookupTables: last === undefined ? null : market.lookupTables.covering(last),
  });
  const wire = Buffer.from(signTransaction(message, [wallet])).toString('base64');
  const params = [wire, { encoding: 'base64', skipPreflight: true }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: serial, method: 'sendTransaction', params });
  const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json';
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
