import * as kit from '@solana/kit';
import { difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { associatedAccount, BONK, COMPUTE_BUDGET, SOL, USDC } from '../mints.ts';
import {
  AMOUNT,
  askOrder,
  BUYING,
  cancelOrder,
  craft,
  createOrder,
  type Json,
  orderOf,
  refusal,
  refused,
  shareWallet,
  signInWithVault,
} from './order-requests.ts';
import { signIn } from './sign-in.ts';

const BERN = 'CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo';
const FORBIDDEN = 'Forbidden: userPubkey must match authenticated user';
const MINIMUM = /^Order must be at least 10 USD \(current value: 0\.0[78] USD\)$/;
const DCA = { orderType: 'dca', orderSubType: undefined };
/** What a deposit and a withdrawal of USDC may cost a wallet, which also opens accounts in between. */
const MOST_COST = 2_500_000n;

export const depositStatements: readonly Statement[] = [
  refused(
    'minimum',
    'A deposit is worth at least 10 US dollars; the sentence says what it is worth.',
    MINIMUM,
    (signedIn) => craft(signedIn, { ...BUYING, amount: '80000' }),
  ),
  refused(
    'minimum-dca',
    'The whole deposit of an order in rounds is worth at least 10 US dollars, too.',
    MINIMUM,
    (signedIn) => craft(signedIn, { ...BUYING, ...DCA, amount: '80000' }),
  ),
  refused(
    'same-mints',
    'Input and output are different mints.',
    'Input mint and output mint cannot be the same',
    (signedIn) => craft(signedIn, { outputMint: SOL }),
  ),
  refused(
    'sub-type',
    'A deposit for a price order names its sub type.',
    /^orderSubType is required/,
    (signedIn) => craft(signedIn, { orderSubType: undefined }),
  ),
  refused(
    'sub-type-dca',
    'A deposit for an order in rounds has no sub type.',
    "orderSubType must be omitted when orderType is 'dca'",
    (signedIn) => craft(signedIn, { orderType: 'dca' }),
  ),
  refused(
    'transfer-fee',
    'A mint with a transfer fee is refused unless the operator allows it.',
    /transfer fee/,
    (signedIn) => craft(signedIn, { ...BUYING, outputMint: BERN }),
  ),
  {
    id: 'trigger/other-wallet',
    says: 'A deposit for another wallet than that of the token is 403 `Forbidden: userPubkey must match authenticated user`.',
    check: async (world) =>
      refusal(await craft(await shareWallet(world), { userAddress: world.wallet.address }), FORBIDDEN, 403),
  },
  {
    id: 'trigger/create-other-wallet',
    says: 'An order of both families is created with the token of its own wallet: that of another one is 403 with the same text.',
    check: async (world) => {
      const [owner, thief] = [await signInWithVault(world), await shareWallet(world)];
      const body = await orderOf(owner, (await craft(owner)).json);
      const rounds = { ...body, orderType: 'time_based', orderCount: 2, intervalSeconds: 60 };
      return firstOf(
        refusal(await thief.ask('/orders/price', body), FORBIDDEN, 403),
        refusal(await thief.ask('/orders/dca', rounds), FORBIDDEN, 403),
        difference(await owner.ask('/orders/price', body), { status: 200 }),
      );
    },
  },
  {
    id: 'trigger/deposit-no-vault',
    says: 'A wallet without a vault has no deposit: 403.',
    check: async (world) => refusal(await craft(await signIn(world)), /^Forbidden: .*vault/, 403),
  },
  {
    id: 'trigger/deposit-vault',
    says: 'The vault itself is not the wallet of a deposit: 400.',
    check: async (world) => {
      const signedIn = await shareWallet(world);
      const { vaultPubkey } = (await signedIn.ask('/vault')).json;
      return refusal(await craft(signedIn, { userAddress: vaultPubkey }), /^userAddress must be the wallet/);
    },
  },
  {
    id: 'trigger/deposit-accounts',
    says: 'Deposits of both families go to one vault, each into an account of its own; only `otoco` has `outputTokenAccount`.',
    check: async (world) => {
      const signedIn = await shareWallet(world);
      const deposits: readonly Json[] = await Promise.all(
        [{}, {}, { orderSubType: 'otoco' }, DCA].map(
          async (changes) => (await craft(signedIn, changes)).json,
        ),
      );
      const receivers = new Set(deposits.map(({ receiverAddress }) => receiverAddress));
      const accounts = new Set(deposits.map(({ inputTokenAccount }) => inputTokenAccount));
      const seconds = deposits.map(({ outputTokenAccount }) => typeof outputTokenAccount);
      return unless(
        receivers.size === 1 &&
          accounts.size === 4 &&
          seconds.join() === 'undefined,undefined,string,undefined',
        deposits,
      );
    },
  },
  {
    id: 'trigger/deposit-message',
    says: 'A deposit pays by one top-level TransferChecked from the account of the wallet into `inputTokenAccount`, and sets a limit and a price of compute units.',
    check: async (world) => {
      const signedIn = await shareWallet(world);
      const { json } = await craft(signedIn, BUYING);
      const instructions = readInstructions(json.transaction);
      const [from, ...others] = instructions.filter(({ data }) => data[0] === 12 && data.length === 10);
      const wallet = signedIn.wallet.address;
      const own = await associatedAccount(wallet, USDC);
      const [source, mint, target, authority] = from?.accounts ?? [];
      const budgets = instructions
        .filter(({ program }) => program === COMPUTE_BUDGET)
        .map(({ data }) => data[0]);
      return firstOf(
        unless(others.length === 0 && source === own && mint === USDC && authority === wallet, instructions),
        unless(target === json.inputTokenAccount, { target, json }),
        unless(from?.data.readBigUInt64LE(1) === 20_000_000n, from),
        unless(budgets.includes(2) && budgets.includes(3), budgets),
      );
    },
  },
  {
    id: 'trigger/deposit-lands',
    says: 'Creating an order lands its deposit: `inputTokenAccount` belongs to the vault and holds the amount, SOL wrapped.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { json } = await craft(signedIn);
      const created = await signedIn.ask('/orders/price', await orderOf(signedIn, json));
      const { value } = await world.rpc
        .getAccountInfo(json.inputTokenAccount, { encoding: 'jsonParsed', commitment: 'confirmed' })
        .send();
      const { info } = (value?.data as Json)?.parsed ?? {};
      return firstOf(
        difference(created, { status: 200, body: { depositConfirmed: true } }),
        unless(info?.owner === json.receiverAddress && info?.mint === SOL, info),
        unless(info?.tokenAmount?.amount === AMOUNT, info),
      );
    },
  },
  {
    id: 'trigger/deposit-once',
    says: 'A deposit is for one order: another order with the same `depositRequestId` is 400.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { json } = await craft(signedIn);
      const first = await signedIn.ask('/orders/price', await orderOf(signedIn, json));
      const other = await orderOf(signedIn, json, { triggerPriceUsd: 900_000 });
      return firstOf(
        difference(first, { status: 200 }),
        refusal(await signedIn.ask('/orders/price', other), /^Duplicate deposit/),
      );
    },
  },
  {
    id: 'trigger/deposit-signed',
    says: 'A deposit without the signature of the wallet, and one that is no transaction, are 400.',
    check: async (world) => {
      const signedIn = await shareWallet(world);
      const { json } = await craft(signedIn);
      const unsigned = await orderOf(signedIn, json, { depositSignedTx: json.transaction });
      const broken = await orderOf(signedIn, json, { depositSignedTx: 'AAAA' });
      return firstOf(
        refusal(await signedIn.ask('/orders/price', unsigned), /^Invalid deposit transaction: /),
        refusal(await signedIn.ask('/orders/price', broken), /^Invalid transaction format/),
      );
    },
  },
  {
    id: 'trigger/deposit-terms',
    says: 'An order is about what was deposited: another output, or another amount, is 400.',
    check: async (world) => {
      const signedIn = await shareWallet(world);
      return firstOf(
        refusal(await askOrder(signedIn, { outputMint: BONK }), /^outputMint does not match the deposit/),
        refusal(await askOrder(signedIn, { inputAmount: '1' }), /^inputAmount does not match the deposit/),
      );
    },
  },
  {
    id: 'trigger/cost',
    says: 'A deposit and its withdrawal cost the wallet no more than about 0.002 SOL.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 50_000_000n);
      const before = await lamportsOf(world, signedIn.wallet.address);
      const { id } = await createOrder(signedIn, { triggerPriceUsd: 1_000_000 }, 'single', BUYING);
      const { confirmed } = await cancelOrder(signedIn, 'price', id);
      const cost = before - (await lamportsOf(world, signedIn.wallet.address));
      return confirmed.status === 200 ? unless(cost >= 0n && cost < MOST_COST, cost) : shown(confirmed);
    },
  },
];

interface ReadInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
}

function readInstructions(base64: string): readonly ReadInstruction[] {
  const { messageBytes } = kit.getTransactionDecoder().decode(Buffer.from(base64, 'base64'));
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 'legacy') throw new Error('a deposit is in the legacy form');
  const { staticAccounts } = message;
  return message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: `${staticAccounts[programAddressIndex]}`,
      accounts: accountIndices.map((index) => `${staticAccounts[index]}`),
      data: Buffer.from(data),
    }),
  );
}

async function lamportsOf(world: World, address: kit.Address): Promise<bigint> {
  return (await world.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value;
}
