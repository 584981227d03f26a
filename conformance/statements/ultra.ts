import { type Answer, difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { associatedAccount, SOL, UNKNOWN_MINT, USDC } from './mints.ts';
import { signTransaction } from './transactions.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
type Json = any;

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const UI_AMOUNT = ['amount', 'uiAmount', 'uiAmountString'];
const ACCOUNT = [
  'account',
  ...UI_AMOUNT,
  'isFrozen',
  'isAssociatedTokenAccount',
  'decimals',
  'programId',
  'lamports',
];
const SEVERITIES = ['info', 'warning', 'critical'];

/** Fields of an order that the public widget checks, with the types that it accepts. */
const WIDGET_ORDER: readonly (readonly [string, readonly string[]])[] = [
  ['inputMint', ['string']],
  ['inAmount', ['string']],
  ['outputMint', ['string']],
  ['outAmount', ['string']],
  ['otherAmountThreshold', ['string']],
  ['priceImpactPct', ['string', 'number']],
  ['slippageBps', ['number']],
  ['transaction', ['string', 'null']],
  ['swapType', ['string']],
  ['gasless', ['boolean']],
  ['requestId', ['string']],
  ['prioritizationFeeLamports', ['number']],
  ['prioritizationFeePayer', ['string', 'null']],
  ['rentFeeLamports', ['number']],
  ['rentFeePayer', ['string', 'null']],
  ['signatureFeeLamports', ['number']],
  ['signatureFeePayer', ['string', 'null']],
  ['feeBps', ['number']],
  ['router', ['string']],
];
const WIDGET_STEP = [
  'ammKey',
  'label',
  'inputMint',
  'outputMint',
  'inAmount',
  'outAmount',
  'feeAmount',
  'feeMint',
];

const typeOf = (value: unknown) => (value === null ? 'null' : typeof value);
const missing = (json: Json, names: readonly string[]) => names.filter((name) => json?.[name] === undefined);

/** Signs what was crafted, and sends it. */
async function execute(world: World, path: string, crafted: Json, signer = world.wallet): Promise<Answer> {
  const signedTransaction = await signTransaction(crafted.transaction, signer);
  return world.ask(`/ultra/v1/${path}`, {
    method: 'POST',
    body: { requestId: crafted.requestId, signedTransaction },
  });
}

async function craftToken(world: World, sender: string, receiver: string, amount: bigint): Promise<Json> {
  const query = new URLSearchParams({
    mint: USDC,
    tokenDecimals: '6',
    tokenProgramId: TOKEN_PROGRAM,
    senderAddress: sender,
    senderTokenAccountAddress: await associatedAccount(sender, USDC),
    receiverAddress: receiver,
    amount: `${amount}`,
  });
  return (await world.ask(`/ultra/v1/transfer/craft-token?${query}`)).json;
}

async function reclaim(world: World, owner: string): Promise<Json> {
  const body = { owner, mints: [USDC] };
  return (await world.ask('/ultra/v1/reclaim/craft', { method: 'POST', body })).json;
}

export const ultraStatements: readonly Statement[] = [
  {
    id: 'ultra/routers',
    says: '`/ultra/v1/order/routers` lists routers by `id`, `name` and `icon`.',
    check: async ({ ask }) => {
      const { json } = await ask('/ultra/v1/order/routers');
      const pairs = (json ?? []).map(({ id, name }: Json) => `${id} ${name}`);
      const hasIcons = (json ?? []).every(({ icon }: Json) => typeof icon === 'string' && icon !== '');
      return unless(`${pairs}` === 'metis Metis,jupiterz JupiterZ' && hasIcons, json);
    },
  },
  {
    id: 'ultra/search',
    says: '`/ultra/v1/search` answers the tokens of `/tokens/v2/search`.',
    check: async ({ ask }) => {
      const { status, json } = await ask(`/ultra/v1/search?query=${USDC}`);
      return unless(status === 200 && json?.length === 1 && json[0].id === USDC, { status, json });
    },
  },
  {
    id: 'ultra/holdings',
    says: 'Holdings have the SOL and each token account by mint, with the fields that clients read.',
    check: async ({ ask, wallet }) => {
      const { json } = await ask(`/ultra/v1/holdings/${wallet.address}`);
      const [account] = json?.tokens?.[USDC] ?? [];
      const absent = [...missing(json, UI_AMOUNT), ...missing(account, ACCOUNT)];
      const isAssociated = account?.account === (await associatedAccount(wallet.address, USDC));
      return unless(absent.length === 0 && isAssociated && account.isAssociatedTokenAccount === true, {
        absent,
        account,
      });
    },
  },
  {
    id: 'ultra/holdings-native',
    says: '`holdings/{address}/native` has the three fields of the SOL alone.',
    check: async ({ ask, newWallet }) => {
      const { address } = await newWallet(1_500_000_000n);
      const { json } = await ask(`/ultra/v1/holdings/${address}/native`);
      const expected = { amount: '1500000000', uiAmount: 1.5, uiAmountString: '1.5' };
      return unless(JSON.stringify(json) === JSON.stringify(expected), json);
    },
  },
  {
    id: 'ultra/holdings-refused',
    says: 'An address that is no public key is 400 with `error`.',
    check: async ({ ask }) => {
      const answers = await Promise.all(
        ['holdings/x', 'holdings/x/native', 'balances/x'].map((path) => ask(`/ultra/v1/${path}`)),
      );
      return firstOf(
        ...answers.map((answer) => difference(answer, { status: 400 })),
        ...answers.map(({ json }) => unless(typeof json?.error === 'string', json)),
      );
    },
  },
  {
    id: 'ultra/balances',
    says: 'Balances have `SOL` for lamports, and `amount`, `uiAmount`, `slot` and `isFrozen` by mint.',
    check: async ({ ask, wallet }) => {
      const { json } = await ask(`/ultra/v1/balances/${wallet.address}`);
      const names = ['amount', 'uiAmount', 'slot', 'isFrozen'];
      const absent = [...missing(json?.SOL, names), ...missing(json?.[USDC], names)];
      return unless(absent.length === 0, { absent, json });
    },
  },
  {
    id: 'ultra/shield',
    says: 'Every mint has an entry of warnings, with a type, a message and a severity.',
    check: async ({ ask }) => {
      const { json } = await ask(`/ultra/v1/shield?mints=${SOL},${USDC},${UNKNOWN_MINT}`);
      const { [SOL]: sol, [USDC]: usdc, [UNKNOWN_MINT]: unknown } = json?.warnings ?? {};
      const all = [...(usdc ?? []), ...(unknown ?? [])];
      const wellFormed = all.every(
        ({ type, message, severity }: Json) => type && message && SEVERITIES.includes(severity),
      );
      return unless(sol?.length === 0 && usdc?.length > 0 && unknown?.length > 0 && wellFormed, json);
    },
  },
  {
    id: 'ultra/shield-of-widget',
    says: 'The public widget finds the warnings at `/_datapi/v1/shield`, and sends `isJupiter`.',
    check: async ({ ask }) => {
      const query = `mints=${SOL},${USDC}`;
      const { json } = await ask(`/ultra/v1/shield?${query}`);
      const widget = await ask(`/_datapi/v1/shield?${query}&isJupiter=true`);
      return unless(json?.warnings !== undefined && JSON.stringify(json) === JSON.stringify(widget.json), {
        json,
        widget: widget.json,
      });
    },
  },
  {
    id: 'ultra/order-of-widget',
    says: 'An order has the fields without which the public widget shows no route, with and without a taker.',
    check: async ({ ask, wallet }) => {
      const query = `inputMint=${SOL}&outputMint=${USDC}&amount=50000000&swapMode=ExactIn`;
      const excluded = '&excludeRouters=okx,dflow,hashflow,jupiterz&excludeDexes=JupiterRfqV2';
      for (const path of [query, `${query}&taker=${wallet.address}`, `${query}${excluded}`]) {
        const { json } = await ask(`/ultra/v1/order?${path}`);
        const wrong = WIDGET_ORDER.filter(([name, types]) => !types.includes(typeOf(json?.[name])));
        const steps = json?.routePlan ?? [];
        const isReadable = steps.every(
          ({ swapInfo, percent }: Json) =>
            typeof percent === 'number' &&
            WIDGET_STEP.every((name) => typeof swapInfo?.[name] === 'string') &&
            typeof json.platformFee?.feeBps === 'number',
        );
        if (wrong.length > 0 || steps.length === 0 || !isReadable)
          return JSON.stringify({ path, wrong, json });
      }
      return null;
    },
  },
  {
    id: 'ultra/transfer-native',
    says: 'A transfer of SOL arrives in whole, and the same request again has the same answer.',
    check: async (world) => {
      const receiver = await world.newWallet(0n);
      const query = `senderAddress=${world.wallet.address}&receiverAddress=${receiver.address}&amount=20000000`;
      const { json: crafted } = await world.ask(`/ultra/v1/transfer/craft-native?${query}`);
      const absent = missing(crafted, ['requestId', 'transaction', 'expireAt', 'feeAmount']);
      if (absent.length > 0) return unless(false, { absent, crafted });
      const answer = await execute(world, 'transfer/execute', crafted);
      const again = await execute(world, 'transfer/execute', crafted);
      const { value } = await world.rpc.getBalance(receiver.address, { commitment: 'confirmed' }).send();
      return firstOf(
        difference(answer, { status: 200, body: { status: 'Success', code: 0 } }),
        unless(again.json?.signature === answer.json?.signature, again.json),
        unless(value === 20_000_000n, value),
      );
    },
  },
  {
    id: 'ultra/transfer-refused',
    says: 'A transfer that cannot be made is answered with `error`, without a transaction.',
    check: async ({ ask, wallet }) => {
      const query = `senderAddress=${wallet.address}&receiverAddress=${USDC}&amount=20000000`;
      const { status, json } = await ask(`/ultra/v1/transfer/craft-native?${query}`);
      return unless(status === 400 && typeof json?.error === 'string' && !('transaction' in json), json);
    },
  },
  {
    id: 'ultra/reclaim',
    says: 'An account with a balance is skipped; when it is empty, its rent goes to its owner, without a service fee.',
    check: async (world) => {
      const owner = await world.newWallet();
      const there = await craftToken(world, world.wallet.address, owner.address, 5n);
      const sent = await execute(world, 'transfer/execute', there);
      const before = await reclaim(world, owner.address);
      const back = await craftToken(world, owner.address, world.wallet.address, 5n);
      const returned = await execute(world, 'transfer/execute', back, owner);
      const crafted = await reclaim(world, owner.address);
      if (crafted.transactions?.length !== 1) return unless(false, { there, sent, back, returned, crafted });
      const closed = await execute(world, 'reclaim/execute', crafted.transactions[0], owner);
      const skipped = before.transactions.length === 0 && before.skippedMints[0]?.reason === 'verified';
      const { totalLamportsReclaimed, serviceFeeLamports, netLamportsReclaimed, gasCostLamports } = crafted;
      const adds =
        BigInt(totalLamportsReclaimed) - BigInt(gasCostLamports) === BigInt(netLamportsReclaimed) &&
        totalLamportsReclaimed === '2039280' &&
        serviceFeeLamports === '0';
      return firstOf(
        unless(skipped, before),
        unless(adds, crafted),
        difference(closed, { status: 200, body: { status: 'Success', code: 0 } }),
      );
    },
  },
  {
    id: 'ultra/signed-refused',
    says: 'A transaction that was not handed out is refused with 400 and a negative `code`.',
    check: async ({ ask }) => {
      const body = { requestId: 'unknown', signedTransaction: Buffer.alloc(200).toString('base64') };
      const answers = await Promise.all(
        ['transfer', 'reclaim'].map((path) => ask(`/ultra/v1/${path}/execute`, { method: 'POST', body })),
      );
      return firstOf(
        ...answers.map(({ status, json }) => unless(status === 400 && json?.code < 0, { status, json })),
      );
    },
  },
  {
    id: 'ultra/trades',
    says: 'The history of a wallet has a sell and a buy for each swap, with the amounts that moved.',
    check: async (world) => {
      const taker = world.wallet.address;
      const query = `inputMint=${SOL}&outputMint=${USDC}&amount=30000000&taker=${taker}`;
      const { json: order } = await world.ask(`/ultra/v1/order?${query}`);
      const { json: done } = await execute(world, 'execute', order);
      const path = `/_datapi/v1/txs/users?addresses=${taker}&includeCapitalSide=true&assetId=${USDC}&limit=2`;
      const { json } = await world.ask(path);
      const [sell, buy] = json?.userTrades ?? [];
      const isRight =
        sell?.txHash === done.signature &&
        buy?.txHash === done.signature &&
        `${sell.type} ${sell.assetId} ${sell.amount}` === `sell ${SOL} 0.03` &&
        `${buy.type} ${buy.assetId}` === `buy ${USDC}` &&
        buy.amount === Number(done.totalOutputAmount) / 1e6;
      return unless(isRight, { done, json });
    },
  },
];
