import { getTransactionDecoder } from '@solana/kit';
import { type Answer, shown } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const BORROW = '/lend/v1/borrow';
const VAULTS = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi';
const ALL = '-170141183460469231731687303715884105728';
const DIGITS = /^\d+$/;
const NO_TICK = -2_147_483_648;

const VAULT_TEXTS = [
  'totalSupply',
  'totalSupplyLiquidity',
  'totalBorrow',
  'totalBorrowLiquidity',
  'absorbedSupply',
  'absorbedBorrow',
  'collateralFactor',
  'liquidationThreshold',
  'liquidationMaxLimit',
  'liquidationPenalty',
  'withdrawalGap',
  'supplyRate',
  'borrowRate',
  'withdrawLimit',
  'withdrawable',
  'borrowLimit',
  'borrowable',
  'minimumBorrowing',
  'oraclePrice',
  'oraclePriceOperate',
  'oraclePriceLiquidate',
];
const POSITION_TEXTS = [
  'supply',
  'beforeSupply',
  'borrow',
  'beforeBorrow',
  'supplyLiquidation',
  'borrowLiquidation',
  'dustBorrow',
];

function operate(world: World, body: object, path = 'operate', query = ''): Promise<Answer> {
  const signed = { signer: world.wallet.address, vaultId: 1, positionId: 2, colAmount: '0', debtAmount: '0' };
  return world.ask(`${BORROW}/${path}${query}`, { method: 'POST', body: { ...signed, ...body } });
}

/** Holds if the answer satisfies the condition. */
function says(
  id: string,
  text: string,
  ask: (world: World) => Promise<Answer>,
  holds: (answer: Answer) => boolean,
): Statement {
  return {
    id: `lend-borrow/${id}`,
    says: text,
    check: async (world) => {
      const answer = await ask(world);
      return holds(answer) ? null : shown(answer);
    },
  };
}

function refused(id: string, text: string, body: object, part: string): Statement {
  return says(
    id,
    text,
    (world) => operate(world, body),
    ({ status, json }) => status === 400 && String(json.error).includes(part),
  );
}

const vaults =
  (query = '') =>
  (world: World) =>
    world.ask(`${BORROW}/vaults${query}`);
const positions =
  (query = '') =>
  (world: World) =>
    world.ask(`${BORROW}/positions?users=${world.wallet.address}${query}`);

type Fields = Readonly<Record<string, unknown>>;
const areDigits = (each: Fields, names: readonly string[]) =>
  names.every((name) => typeof each[name] === 'string' && DIGITS.test(each[name]));

export const lendBorrowStatements: readonly Statement[] = [
  says(
    'vaults',
    'Big numbers of vaults are texts of digits; ids, counts and ticks are integers',
    vaults(),
    ({ json }) =>
      json.length > 0 &&
      json.every(
        (each: Fields) =>
          areDigits(each, VAULT_TEXTS) &&
          [each.id, each.totalPositions, each.topTick].every(Number.isInteger),
      ),
  ),
  says('vault-ids', 'Vaults of a market are numbered from 1', vaults('?market=ethena'), ({ json }) =>
    json.every(({ id }: Fields, at: number) => id === at + 1),
  ),
  says('wrapped-sol', 'Wrapped SOL has the symbol WSOL, and SOL for users', vaults(), ({ json }) =>
    json.some(
      ({ supplyToken }: { supplyToken: Fields }) =>
        supplyToken.symbol === 'WSOL' && supplyToken.uiSymbol === 'SOL',
    ),
  ),
  says(
    'factors',
    'The collateral factor is below the liquidation threshold, in tenths of a percent',
    vaults(),
    ({ json }) =>
      json.every(
        (each: Fields) =>
          Number(each.collateralFactor) < Number(each.liquidationThreshold) &&
          Number(each.liquidationMaxLimit) <= 1_000,
      ),
  ),
  says(
    'market-unknown',
    'An unknown market is refused',
    vaults('?market=other'),
    ({ status }) => status === 400,
  ),
  says(
    'markets',
    'Vault 1 of one market is another vault than vault 1 of the other',
    vaults('?market=ethena'),
    ({ json }) =>
      json[0]?.address !== undefined && json[0].address !== 'nMzVs8GiXMVUENEwkev7JZfDcCENmz18ScheeVRdnb1',
  ),
  says(
    'positions',
    'Positions have all fields of the schema, the newest first',
    positions(),
    ({ json }) =>
      json.length > 0 &&
      json.every(
        (each: Fields, at: number) =>
          areDigits(each, POSITION_TEXTS) &&
          typeof each.isLiquidated === 'boolean' &&
          typeof each.vault === 'object' &&
          (at === 0 || Number(json[at - 1].id) >= Number(each.id)),
      ),
  ),
  says(
    'supply-position',
    'A position without debt has the tick -2147483648 and owes 0',
    positions(),
    ({ json }) =>
      json.some(
        (each: Fields) => each.isSupplyPosition === true && each.tick === NO_TICK && each.borrow === '0',
      ),
  ),
  says(
    'positions-none',
    'A wallet without positions has none',
    (world) => world.ask(`${BORROW}/positions?users=11111111111111111111111111111111`),
    ({ json }) => Array.isArray(json) && json.length === 0,
  ),
  says(
    'positions-brackets',
    'Wallets may be sent with brackets, as the public SDK does',
    (world) => world.ask(`${BORROW}/positions?users[]=${world.wallet.address}`),
    ({ json }) => Array.isArray(json) && json.length > 0,
  ),
  says(
    'users-missing',
    '`users` is required',
    (world) => world.ask(`${BORROW}/positions`),
    ({ status }) => status === 400,
  ),
  says(
    'operate',
    '`operate` answers an unsigned transaction and the id of the position',
    (world) => operate(world, { debtAmount: '1000000' }),
    ({ json }) => {
      const { signatures } = getTransactionDecoder().decode(Buffer.from(json.transaction, 'base64'));
      return json.nftId === 2 && Object.values(signatures).every((each) => each === null);
    },
  ),
  says(
    'new-position',
    'A new position is created before the operation, which is the last instruction',
    (world) => operate(world, { vaultId: 9, positionId: 0, colAmount: '1000000' }, 'operate-instructions'),
    ({ json }) =>
      json.nftId > 0 &&
      json.instructions[0].data.startsWith('xRQKAWGgsVs') &&
      json.instructions.every(({ programId }: Fields) => programId === VAULTS) &&
      json.instructions.at(-1).data.startsWith('2WrQY3SXKo'),
  ),
  says(
    'tables',
    'The lookup table of the vault is named',
    (world) => operate(world, { debtAmount: '1000000' }, 'operate-instructions'),
    ({ json }) => json.addressLookupTableAddresses.length === 1,
  ),
  says(
    'sentinel',
    'The smallest integer of 128 bits repays and withdraws everything',
    (world) => operate(world, { colAmount: ALL, debtAmount: ALL }),
    ({ status }) => status === 200,
  ),
  says(
    'too-low',
    'A debt that would be below the minimum is refused by its name',
    async (world) => {
      const { json } = await positions()(world);
      const owed = json.find((each: Fields) => each.vaultId === 1)?.borrow;
      return await operate(world, { debtAmount: String(500n - BigInt(owed)) });
    },
    ({ status, json }) => status === 400 && String(json.error).startsWith('VaultUserDebtTooLow'),
  ),
  refused(
    'factor',
    'More than the collateral factor allows is refused',
    { debtAmount: '8000000000' },
    'VaultPositionAboveCF',
  ),
  refused('both-zero', 'An operation that moves nothing is refused', {}, 'VaultInvalidOperateAmount'),
  refused('vault-unknown', 'An unknown vault is refused', { vaultId: 99, colAmount: '5000' }, 'no vault 99'),
  refused(
    'position-unknown',
    'An unknown position is refused',
    { positionId: 99, colAmount: '5000' },
    'no position 99',
  ),
  refused('digits', 'Amounts are whole numbers', { colAmount: '1.5' }, 'colAmount'),
];
