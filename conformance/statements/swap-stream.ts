import { SwapMessageType, UpdateType } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { createSwapMessage, type TestMaker } from '../../src/testing/gateway/grpc-client.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { firstOf, unless } from '../answer.ts';
import {
  answerAll,
  executed,
  heard,
  level,
  openClient,
  orderOf,
  registerFunded,
  registerMaker,
  signAll,
  soon,
  withMaker,
} from '../maker.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, USDC } from './mints.ts';

const ONLY_MAKERS = { dexes: 'JupiterRfqV2' };
/** 0.1 SOL, and what it costs at the ask of the crossed book. */
const SELL = { inputMint: SOL, outputMint: USDC, amount: '100000000', ...ONLY_MAKERS };
const BUY = { inputMint: USDC, outputMint: SOL, amount: '20530000', ...ONLY_MAKERS };
/** As the public example makers stream it: the bid is above the ask. */
const CROSSED = { bidLevels: [level(205_700_000n, 10n)], askLevels: [level(205_300_000n, 10n)] };
const [UNAUTHENTICATED, PERMISSION_DENIED, ABORTED] = [16, 7, 10];
const SERVICE = 'market_maker.MarketMakerIngestionService';

function reflects(version: string): Statement {
  return {
    id: `streaming/reflection-${version}`,
    says: `Server reflection ${version} lists the service without a key.`,
    check: async (world) => {
      const client = openClient(world, null);
      const listed = await soon(listServices(client, version), 'the list');
      client.close();
      return unless(listed.includes(SERVICE), listed.toString('latin1'));
    },
  };
}

/** Asks with `list_services`, which is field 7 of the request. */
function listServices({ client }: TestMaker, version: string): Promise<Buffer> {
  const same = (bytes: Buffer) => bytes;
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const call = client.makeBidiStreamRequest(path, same, same);
  call.write(Buffer.from([0x3a, 0]));
  return new Promise((resolve, reject) => call.once('data', resolve).once('error', reject));
}

/** Returns what the only step of an order moves; its input is without the platform fee. */
function filled({
  routePlan: [step],
}: {
  readonly routePlan: readonly {
    readonly swapInfo: { readonly inAmount: string; readonly outAmount: string };
  }[];
}) {
  if (step === undefined) return undefined;
  return { paid: BigInt(step.swapInfo.inAmount), received: BigInt(step.swapInfo.outAmount) };
}

/** Changes a byte of the blockhash, which follows the static accounts of the message. */
function withAnotherBlockhash(wire: Buffer): Buffer {
  const { message, signatures } = parseTransaction(wire);
  const [counts, version, header] = [2, 1, 3];
  const at = counts + 64 * signatures.length + version + header + 32 * message.staticAccounts.length;
  const changed = Buffer.from(wire);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}

/** Returns the gRPC status that a call was refused with; 0 if it was not. */
async function statusOf(calling: Promise<unknown>): Promise<number> {
  return soon(calling, 'an answer').then(
    () => 0,
    (error: { readonly code?: number }) => error.code ?? -1,
  );
}

/** Returns null when an order that its maker does not sign fails after 10 seconds, or what was seen. */
function unsignedSwap(world: World): Promise<string | null> {
  return withMaker(world, async (maker) => {
    await maker.stream(CROSSED);
    const order = await orderOf(world, SELL);
    const since = performance.now();
    const { status, code } = await executed(world, order);
    const seconds = (performance.now() - since) / 1_000;
    return unless(status === 'Failed' && code === -2003 && seconds > 9 && seconds < 13, [code, seconds]);
  });
}

export const swapStreamStatements: readonly Statement[] = [
  reflects('v1'),
  reflects('v1alpha'),
  {
    id: 'streaming/health',
    says: 'The standard health service answers SERVING without a key.',
    check: async (world) => {
      const client = openClient(world, null);
      const answer = await soon(
        client.raw({ typeName: 'grpc.health.v1.Health' } as never, 'Check', Buffer.alloc(0)),
        'the health',
      ).finally(() => client.close());
      return unless(answer.equals(Buffer.from([8, 1])), answer.toString('hex'));
    },
  },
  {
    id: 'streaming/keys',
    says: 'A missing or unknown key is UNAUTHENTICATED, another maker id PERMISSION_DENIED; auth_token is the same credential.',
    check: async (world) => {
      const { id, key } = await registerMaker(world);
      const ask = async (metadata: string | null, makerId: string, authToken: string) => {
        const client = openClient(world, metadata);
        return statusOf(client.unary('getLastSequenceNumber', { makerId, authToken })).finally(() =>
          client.close(),
        );
      };
      const codes = [
        await ask(null, id, ''),
        await ask('unknown', id, ''),
        await ask(key, 'another', ''),
        await ask(null, id, key),
      ];
      return unless(`${codes}` === `${[UNAUTHENTICATED, UNAUTHENTICATED, PERMISSION_DENIED, 0]}`, codes);
    },
  },
  {
    id: 'streaming/ready-and-pong',
    says: 'A swap stream is answered with CONNECTION_READY at once, and every PING with a PONG.',
    check: (world) =>
      withMaker(world, async (maker) => {
        maker.swaps.call.write(createSwapMessage(SwapMessageType.PING));
        await heard(maker, SwapMessageType.PONG);
        const types = maker.swaps.got.map(({ messageType }) => messageType);
        return unless(types[0] === SwapMessageType.CONNECTION_READY, types);
      }),
  },
  {
    id: 'streaming/newer-stream',
    says: 'A newer swap stream of the same maker ends the older one with ABORTED.',
    check: (world) =>
      withMaker(world, async ({ swaps, client }) => {
        const newer = client.swaps();
        await soon(newer.until(1), 'CONNECTION_READY');
        const { code } = await soon(swaps.ended, 'the end');
        newer.call.end();
        return unless(code === ABORTED, code);
      }),
  },
  {
    id: 'streaming/streamed-price',
    says: 'A fill pays the streamed price on both sides, also of a crossed book, or an atom per lot less.',
    check: (world) =>
      withMaker(world, async (maker) => {
        await maker.stream(CROSSED);
        const [sold, bought] = [await orderOf(world, SELL), await orderOf(world, BUY)].map(filled);
        if (sold === undefined || bought === undefined) return 'no fill';
        const loss = (sold.paid * 2_057n) / 10_000n - sold.received;
        const gain = bought.paid * 10_000n - bought.received * 2_053n;
        return firstOf(
          unless(loss >= 0n && loss <= 1n, sold),
          // An atom of USDC in 10,000.
          unless(gain >= 0n && gain < 10_000n, bought),
        );
      }),
  },
  {
    id: 'streaming/fill',
    says: 'A fill is offered with the taker at index 0 and the maker at 1, unsigned, and is confirmed to both sides.',
    check: (world) =>
      withMaker(world, async (maker) => {
        await maker.stream(CROSSED);
        signAll(maker);
        const order = await orderOf(world, { ...SELL, excludeRouters: 'jupiterz' });
        const result = await executed(world, order);
        const offer = await heard(maker, SwapMessageType.SWAP_AVAILABLE);
        const confirmed = await heard(maker, SwapMessageType.TRANSACTION_CONFIRMED);
        const { message, signatures } = parseTransaction(Buffer.from(offer.unsignedTransaction, 'base64'));
        return firstOf(
          unless(result.status === 'Success' && result.totalOutputAmount === order.outAmount, result),
          unless(order.maker === maker.wallet.address, order.maker),
          unless(message.staticAccounts[0] === world.wallet.address, message.staticAccounts[0]),
          unless(message.staticAccounts[1] === maker.wallet.address, message.staticAccounts[1]),
          unless(signatures[1]?.every((byte) => byte === 0) === true, 'a signature at index 1'),
          unless(confirmed.swapUuid === offer.swapUuid && offer.swapUuid !== '', confirmed.swapUuid),
          unless(confirmed.transactionSignature === result.signature, confirmed.transactionSignature),
        );
      }),
  },
  {
    id: 'streaming/last-look',
    says: 'A swap that the maker does not sign within 10 seconds expires with -2003.',
    check: async (world) => {
      let difference: string | null = null;
      // Other work of a busy machine can only make the answer later, so the best of three counts.
      for (let tries = 0; tries < 3; tries += 1) {
        difference = await unsignedSwap(world);
        if (difference === null) break;
      }
      return difference;
    },
  },
  {
    id: 'streaming/modified-swap',
    says: 'A maker that returns a modified swap has it rejected with -2004, and is offline at once.',
    check: (world) =>
      withMaker(
        world,
        async (maker) => {
          await maker.stream(CROSSED);
          answerAll(maker, (unsigned) =>
            addSignatures(parseTransaction(withAnotherBlockhash(unsigned)), [maker.wallet]),
          );
          const { code } = await executed(world, await orderOf(world, SELL));
          const { updateType } = await maker.stream(CROSSED);
          return unless(code === -2004 && updateType === UpdateType.REJECTED, [code, updateType]);
        },
        registerFunded(world),
      ),
  },
];
