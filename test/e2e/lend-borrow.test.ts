import { Connection, PublicKey, type TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deriveTickAddress } from '../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import { TICK } from '../../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { ALL, type Json, LendClient } from './lend-client.ts';
import { useInstance } from './shared-instance.ts';
import { openForAll } from '../../src/testing/opened.ts';

const instance = useInstance();
/** The public SDKs, unmodified. Their types are not used: they bring those of a whole framework. */
let sdk: Json;
let reader: Json;
let BN: Json;
const client = openForAll(() => new LendClient(instance));
beforeAll(setUp);
afterEach(tearDown);

describe('GET vaults', () => {
  it('agrees with the public reader on every number of every vault', async () => {
    const vaults = [...(await client.vaults()), ...(await client.vaults('ethena'))];
    expect(vaults).toHaveLength(18);
    for (const [at, vault] of vaults.entries()) {
      readAt(vault);
      const theirs = await reader.vault.getVaultByVaultId(at + 1);
      const { configs, limitsAndAvailability: limits, exchangePricesAndRates: rates } = theirs;
      const { totalSupplyAndBorrow: totals, liquidityUserBorrowData: debt } = theirs;
      const [supply, borrow] = [vault.supplyToken.decimals, vault.borrowToken.decimals];
      const expected = {
        address: theirs.vault.toBase58(),
        supplyRateMagnifier: String(configs.supplyRateMagnifier),
        borrowRateMagnifier: String(configs.borrowRateMagnifier),
        collateralFactor: String(configs.collateralFactor),
        liquidationThreshold: String(configs.liquidationThreshold),
        liquidationMaxLimit: String(configs.liquidationMaxLimit),
        withdrawalGap: String(configs.withdrawalGap),
        liquidationPenalty: String(configs.liquidationPenalty),
        borrowFee: String(configs.borrowFee),
        oracle: configs.oracle.toBase58(),
        supplyRate: String(rates.supplyRateVault),
        borrowRate: String(rates.borrowRateVault),
        supplyRateLiquidity: String(rates.supplyRateLiquidity),
        borrowRateLiquidity: String(rates.borrowRateLiquidity),
        totalSupply: atoms(totals.totalSupplyVault, supply),
        totalSupplyLiquidity: String(totals.totalSupplyLiquidityOrDex),
        absorbedSupply: atoms(totals.absorbedSupply, supply),
        absorbedBorrow: atoms(totals.absorbedBorrow, borrow),
        withdrawLimit: String(limits.withdrawLimit),
        withdrawableUntilLimit: String(limits.withdrawableUntilLimit),
        borrowLimitUtilization: String(limits.borrowLimitUtilization),
        totalPositions: theirs.vaultState.totalPositions,
        topTick: theirs.vaultState.topTick,
      };
      expect(vault).toMatchObject(expected);
      // The reader rounds the interest of debt down; the program rounds it up.
      expectJustAbove(vault.totalBorrow, atoms(totals.totalBorrowVault, borrow));
      expectJustAbove(vault.totalBorrowLiquidity, totals.totalBorrowLiquidityOrDex);
      expectJustAbove(vault.liquidityBorrowData.maxBorrowLimit, debt.maxBorrowLimit);
      expectJustAbove(vault.liquidityBorrowData.baseBorrowLimit, debt.baseBorrowLimit);
      expect(vault.liquidityBorrowData).toMatchObject({
        expandPercent: Number(debt.expandPercent),
        expandDuration: Number(debt.expandDuration),
      });
      // The program lets a vault borrow up to its base ceiling whatever it borrowed before; the reader less.
      const [limit, base] = [limits.borrowLimit, debt.baseBorrowLimit].map((each) => BigInt(each.toString()));
      if ((limit ?? 0n) < (base ?? 0n)) {
        expect(vault.borrowLimit).toBe(vault.liquidityBorrowData.baseBorrowLimit);
        continue;
      }
      expectJustAbove(vault.borrowLimit, limits.borrowLimit);
      // The reader takes the lamports of a program's account for its wrapped SOL.
      if (vault.borrowToken.uiSymbol !== 'SOL') expect(vault.borrowable).toBe(String(limits.borrowable));
      if (vault.supplyToken.uiSymbol !== 'SOL') expect(vault.withdrawable).toBe(String(limits.withdrawable));
    }
  });

  it('has the prices that the oracle program returns', async () => {
    for (const [at, vault] of (await client.vaults()).entries()) {
      const theirs = await sdk.readOraclePrice({
        connection: client.connection,
        oracle: new PublicKey(vault.oracle),
      });
      expect(vault.oraclePriceOperate, `vault ${at + 1}`).toBe(String(theirs.oraclePriceOperate));
      expect(vault.oraclePriceLiquidate).toBe(String(theirs.oraclePriceLiquidate));
      expect(vault.oracleSources).toHaveLength(theirs.oracleSources.length);
    }
  });

  it('refuses another market and a foreign RPC', async () => {
    expect(await client.get('vaults?market=Main')).toMatchObject({ status: 400 });
    expect(await client.get('vaults?rpcUrl=http://169.254.169.254/')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('rpcUrl is not supported') },
    });
  });
});

describe('GET positions', () => {
  it('agrees with the public reader, also about one that was liquidated in part', async () => {
    const seen: Json[] = [];
    for (const owner of client.wallets.slice(0, 8)) {
      const ours = [
        ...(await client.positions(owner)),
        ...(await client.positions(owner, 'ethena')).map((each) => ({ ...each, vaultId: each.vaultId + 15 })),
      ];
      const theirs = await reader.vault.getAllUserPositions(owner.publicKey);
      expect(ours).toHaveLength(theirs.length);
      for (const each of ours) {
        // The two markets are two answers, and the second one can be of a later second.
        readAt(each.vault);
        const [supply, borrow] = [each.vault.supplyToken.decimals, each.vault.borrowToken.decimals];
        const all = await reader.vault.getPositionByVaultId(each.vaultId, each.id);
        const { userPosition } = all;
        expect(each).toMatchObject({
          supply: atoms(userPosition.supply, supply),
          beforeSupply: atoms(userPosition.beforeSupply, supply),
          isLiquidated: userPosition.isLiquidated,
          tick: userPosition.tick,
          tickId: userPosition.tickId,
          isSupplyPosition: userPosition.isSupplyPosition,
          ownerAddress: owner.publicKey.toBase58(),
        });
        // The reader rounds the interest of debt down; the program rounds it up.
        for (const debt of ['borrow', 'dustBorrow', 'beforeBorrow']) {
          expectJustAbove(each[debt], atoms(userPosition[debt], borrow));
        }
        seen.push(each);
      }
    }
    expect(seen.filter((each) => each.isLiquidated)).toHaveLength(1);
    expect(seen.filter((each) => each.supply === '0')).toHaveLength(1);
    expect(seen.filter((each) => each.isSupplyPosition)).toHaveLength(2);
  });

  it('agrees with the public reader about one that was liquidated in full', async () => {
    const target = { vaultId: 1, tick: (await client.position(1, 2)).tick };
    const address = deriveTickAddress(target.vaultId, target.tick).address;
    const account = await client.connection.getAccountInfo(new PublicKey(address));
    if (account === null) throw new Error('the position has no tick');
    const liquidated = {
      ...TICK.decode(account.data),
      isLiquidated: true,
      isFullyLiquidated: true,
      rawDebt: 0n,
    };
    const data = Buffer.from(TICK.encode(liquidated)).toString('hex');
    await instance.rpc('surfnet_setAccount', address, { data });
    const ours = async () => client.position(1, 2);
    await expect.poll(ours, { interval: 50 }).toMatchObject({ isLiquidated: true });
    const { userPosition } = await reader.vault.getPositionByVaultId(1, 2);
    expect(userPosition).toMatchObject({ isLiquidated: true, isSupplyPosition: false });
    expect(await ours()).toMatchObject({
      tick: userPosition.tick,
      isSupplyPosition: userPosition.isSupplyPosition,
      supply: userPosition.supply.toString(),
      borrow: userPosition.borrow.toString(),
    });
    await instance.rpc('surfnet_setAccount', address, { data: account.data.toString('hex') });
    await expect.poll(ours, { interval: 50 }).toMatchObject({ isLiquidated: false });
  });

  it('takes wallets in every form, and lists a wallet once', async () => {
    const [one, other] = client.wallets.map(({ publicKey }) => publicKey.toBase58());
    const count = async (query: string) => (await client.get(`positions?${query}`)).body.length;
    const both = await count(`users=${one},${other}`);
    expect(both).toBeGreaterThan(2);
    expect(await count(`users=${one}&users=${other}`)).toBe(both);
    expect(await count(`users[]=${one}&users%5B%5D=${other}&users=${one}`)).toBe(both);
    expect(await count(`users=${PublicKey.default}`)).toBe(0);
  });

  it.each([
    ['', 'users'],
    ['users=', 'users'],
    ['users=abc', 'users must be an address'],
    [`users=${Array.from({ length: 51 }, (_, at) => `w${at}`).join(',')}`, 'from 1 to 50'],
    ['users=11111111111111111111111111111111&market=other', 'market must be main or ethena'],
  ])('refuses %s', async (query, text) => {
    const { status, body } = await client.get(`positions?${query}`);
    expect(status).toBe(400);
    expect(body.error).toContain(text);
  });
});

/** An instruction of the SDK as our answers carry it. */
const asJson = ({ programId, keys, data }: TransactionInstruction) => ({
  programId: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    pubkey: pubkey.toBase58(),
    isSigner,
    isWritable,
  })),
  data: data.toString('base64'),
});

/** Accounts that `operate` names before those of the oracle, the branches and the arrays. */
const NAMED = 35;
const OPERATE = Buffer.from('d96ad06374972a87', 'hex');

/** The SDK names an array twice when the position stays in it. */
function withoutRepeats(instruction: ReturnType<typeof asJson>) {
  const data = Buffer.from(instruction.data, 'base64');
  if (!data.subarray(0, 8).equals(OPERATE)) return instruction;
  const { accounts } = instruction;
  const keys = accounts.map(({ pubkey }) => pubkey);
  const kept = accounts.filter((_, at) => at < NAMED || keys.indexOf(keys[at] ?? '', NAMED) === at);
  data[data.length - 1] = (data.at(-1) ?? 0) - (accounts.length - kept.length);
  return { ...instruction, accounts: kept, data: data.toString('base64') };
}

describe('POST operate-instructions', () => {
  it.each([
    ['a new position', { vaultId: 9, positionId: 0, colAmount: '1000000', debtAmount: '300000000' }],
    ['a deposit', { vaultId: 3, positionId: 2, colAmount: '1000000000', debtAmount: '0' }],
    ['a borrowing', { vaultId: 1, positionId: 2, colAmount: '0', debtAmount: '123456789' }],
    ['a repayment', { vaultId: 1, positionId: 2, colAmount: '0', debtAmount: '-1000000000' }],
    ['a withdrawal', { vaultId: 1, positionId: 2, colAmount: '-1000000000', debtAmount: '0' }],
    ['all four', { vaultId: 1, positionId: 2, colAmount: ALL, debtAmount: ALL }],
  ])('builds what the public SDK builds: %s', async (_, body) => {
    const { status, body: ours } = await client.build(body, 'operate-instructions');
    expect(status, JSON.stringify(ours)).toBe(200);
    const theirs = await sdk.getOperateIx({
      vaultId: body.vaultId,
      positionId: body.positionId,
      colAmount: new BN(body.colAmount),
      debtAmount: new BN(body.debtAmount),
      connection: client.connection,
      signer: client.wallet.publicKey,
    });
    expect(ours.nftId).toBe(theirs.nftId);
    expect(ours.addressLookupTableAddresses).toEqual(theirs.addressLookupTableAddresses.map(String));
    expect(ours.instructions).toEqual(theirs.ixs.map(asJson).map(withoutRepeats));
  });
});

describe('POST operate', () => {
  it('does everything that a position can do, to the atom, and as the public SDK', async () => {
    const { Client } = await import('@jup-ag/lend/api' as string);
    const api = new Client({ apiKey: client.apiKey });
    api.http.defaults.baseURL = `${client.instance.restUrl}/lend`;
    const vault = (await client.vaults())[8];
    expect((await api.borrow.getVaults())[8].id).toBe(vault.id);
    const [btc, usdc] = [vault.supplyToken.address, vault.borrowToken.address];
    const signer = client.wallet.publicKey.toBase58();
    const before = { btc: await client.balance(btc), usdc: await client.balance(usdc) };
    const moved = async () => [
      (await client.balance(btc)) - before.btc,
      (await client.balance(usdc)) - before.usdc,
    ];

    const built = await api.borrow.operate({
      vaultId: 9,
      positionId: 0,
      signer,
      colAmount: '2000000',
      debtAmount: '500000000',
    });
    expect(await client.land(built.transaction)).toBeNull();
    const positionId = built.nftId;
    expect(await moved()).toEqual([-2_000_001n, 500_000_000n]);
    const same = { vaultId: 9, positionId };
    await client.operate({ ...same, colAmount: '0', debtAmount: '100000000' });
    await client.operate({ ...same, colAmount: '500000', debtAmount: '-50000000' });
    await client.operate({ ...same, colAmount: '-300000', debtAmount: '0' });
    expect(await moved()).toEqual([-2_200_002n, 549_999_999n]);
    expect(await client.position(9, positionId)).toMatchObject({ supply: '2199999', isLiquidated: false });
    await client.operate({ ...same, colAmount: ALL, debtAmount: ALL });
    expect(await client.position(9, positionId)).toMatchObject({
      supply: '0',
      borrow: '0',
      isSupplyPosition: true,
    });
    const [collateral, debt] = await moved();
    // Rounding is in favour of the program, and never more than some atoms beside the interest.
    expect(collateral).toBeLessThan(0n);
    expect(collateral).toBeGreaterThan(-20n);
    expect(debt).toBeLessThan(0n);
    expect(debt).toBeGreaterThan(-1_000n);
  });

  /** The node looks at the finalized state, which knows no position that another test has just created. */
  const UNTOUCHED = 10;

  it('makes transactions that a node takes which simulates at its default commitment', async () => {
    const { body } = await client.build({
      vaultId: UNTOUCHED,
      positionId: 0,
      colAmount: '2000000',
      debtAmount: '500000000',
    });
    const made = VersionedTransaction.deserialize(Buffer.from(body.transaction, 'base64'));
    made.sign([client.wallet]);
    const plain = new Connection(client.connection.rpcEndpoint);
    const signature = await plain.sendRawTransaction(made.serialize());
    const status = async () => (await client.connection.getSignatureStatuses([signature])).value[0];
    await expect.poll(status, { interval: 50 }).toMatchObject({ err: null });
  });

  it('lands what the public SDK builds, and shows it', async () => {
    const theirs = await sdk.getOperateIx({
      vaultId: 12,
      positionId: 0,
      colAmount: new BN('10000000'),
      debtAmount: new BN('100000000'),
      connection: client.connection,
      signer: client.wallet.publicKey,
    });
    const landed = await client.landInstructions(theirs);
    expect(landed).toBeNull();
    const position = await client.position(12, theirs.nftId);
    expect(Number(position.borrow)).toBeGreaterThanOrEqual(100_000_000);
  });
});

async function setUp(): Promise<void> {
  sdk = await import('@jup-ag/lend/borrow' as string);
  BN = (await import('bn.js' as string)).default;
  const { Client } = await import('@jup-ag/lend-read' as string);
  reader = new Client(client.connection);
}

function tearDown(): void {
  vi.restoreAllMocks();
}

/** The reader computes interest up to the machine's time: this sets it to the time of an answer. */
function readAt(vault: Json): void {
  const time = Date.parse(vault.supplyToken.updatedAt);
  vi.spyOn(Date, 'now').mockReturnValue(time);
}

/** The reader gives the program's nine decimals. */
const atoms = (units: Json, decimals: number) =>
  String(BigInt(units.toString()) / 10n ** BigInt(9 - decimals));

/** Equal, or more by the rounding of one exchange price. */
function expectJustAbove(ours: string, theirs: Json): void {
  const least = BigInt(theirs.toString());
  const difference = BigInt(ours) - least;
  expect(difference >= 0n && difference <= 1n + least / 10n ** 12n, `${ours} for ${least}`).toBe(true);
}
