import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Address } from '../../solana/address.ts';
import { type AccountMeta, AccountRole, type Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { memo } from '../../solana/programs/memo.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import {
  approve,
  Authority,
  closeAccount,
  setAuthority,
  transfer,
  transferChecked,
  unwrapLamports,
} from '../../solana/programs/token/instructions.ts';
import {
  AMOUNT,
  compileFill,
  compileLegacy,
  deriveBoughtAccount,
  deriveOrderAccount,
  listDepositInstructions,
  listFillInstructions,
  listWithdrawalInstructions,
  nameAddress,
  PAYER,
  USDC,
  WALLET,
} from '../../testing/custody/messages-to-sign.ts';
import { assertProperty } from '../../testing/random.ts';
import { deriveTemporaryAccount } from '../../swaps/build/token-flow.ts';
import { deriveOutputAccount } from './output-account.ts';
import { checkMessageToSign } from './check-message.ts';
import { type MessageToSign, SigningRefused, type WithdrawnTokens } from './message-to-sign.ts';

describe('checkMessageToSign', () => {
  it.each(CASES)('accepts %s in its recorded form', (_, { request, instructions, compile }) => {
    checkMessageToSign({ ...request, messageBytes: compile(instructions) } as unknown as MessageToSign, OWN);
  });

  it.each(CASES)('refuses %s with any account, program or byte of its instructions changed', (_, one) => {
    const { instructions } = one;
    assertProperty(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, place, by, inData) => {
          const index = at % instructions.length;
          const before = instructions[index] as Instruction;
          const after = inData ? changeByte(before, place, by) : changeAccount(before, place);
          if (after === null || isOfPool(before, place, inData) || isFree(before, place, inData)) return;
          expectRefused(one, instructions.with(index, after));
        },
      ),
      { cases: 1_000, short: 1_000, seed: 36 },
    );
  });

  it.each(CASES)('refuses %s with an instruction more, or one less that it needs', (_, one) => {
    const { instructions } = one;
    for (let index = 0; index <= instructions.length; index++) {
      for (const more of ADDED) expectRefused(one, instructions.toSpliced(index, 0, more));
    }
    for (const [index, { programAddress }] of instructions.entries()) {
      const isNeeded = programAddress !== COMPUTE_BUDGET_PROGRAM && !one.optional.includes(index);
      if (isNeeded) expectRefused(one, instructions.toSpliced(index, 1));
    }
  });

  it.each(CASES)('refuses %s for another request', (_, one) => {
    for (const [field, value] of Object.entries(one.request)) {
      for (const other of listOthers(one, field, value)) {
        expectRefused({ ...one, request: { ...one.request, [field]: other } }, one.instructions);
      }
    }
  });

  it('refuses bytes that are no message', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(40), new Uint8Array(1_232).fill(255)]) {
      const request = { ...DEPOSIT.request, messageBytes: bytes } as unknown as MessageToSign;
      expect(() => checkMessageToSign(request, OWN)).toThrow(SigningRefused);
    }
  });

  it('refuses a deposit or withdrawal that is not a legacy message, or that another wallet pays', () => {
    for (const { request, instructions } of [DEPOSIT, WITHDRAWAL]) {
      for (const messageBytes of [compileFill(instructions), compileLegacy(instructions, PAYER)]) {
        expect(() =>
          checkMessageToSign({ ...request, messageBytes } as unknown as MessageToSign, OWN),
        ).toThrow(SigningRefused);
      }
    }
  });

  it('refuses a fill whose accounts are looked up in a table', () => {
    const table = nameAddress('table');
    const account = deriveOrderAccount(OWN.vault);
    const wallets = deriveAssociatedTokenAddress(WALLET, MINT, TOKEN_PROGRAM);
    for (const hidden of [account, wallets]) {
      const messageBytes = compileFill(FILL.instructions, { [table]: [hidden] });
      expect(
        () => checkMessageToSign({ ...FILL.request, messageBytes } as unknown as MessageToSign, OWN),
        hidden,
      ).toThrow(SigningRefused);
    }
    const pools = [nameAddress('first pool'), nameAddress('second pool'), USDC, MINT];
    const messageBytes = compileFill(FILL.instructions, { [table]: pools });
    checkMessageToSign({ ...FILL.request, messageBytes } as unknown as MessageToSign, OWN);
  });

  it('lets a fill close an account of wrapped SOL to the wallet, or to the vault that pays back the rent, but not to the payer', () => {
    const account = deriveOrderAccount(OWN.vault);
    const closing = (destination: Address) =>
      closeAccount(TOKEN_PROGRAM, { account, destination, authority: OWN.vault });
    const ofSol = { ...FILL, request: { ...FILL.request, inputMint: WRAPPED_SOL_MINT } };
    const route = FILL.instructions[ROUTE_AT] as Instruction;
    const accounts = route.accounts.with(3, { address: WRAPPED_SOL_MINT, role: AccountRole.READONLY });
    const before = FILL.instructions.with(ROUTE_AT, { ...route, accounts }).slice(0, -1);
    const rent = transferLamports(OWN.vault, PAYER, 2_039_280n);
    checkMessageToSign(toRequest(FILL, FILL.instructions.with(-1, closing(PAYER))), OWN);
    checkMessageToSign(toRequest(ofSol, [...before, closing(WALLET)]), OWN);
    checkMessageToSign(toRequest(ofSol, [...before, closing(OWN.vault), rent]), OWN);
    expectRefused(ofSol, [...before, closing(PAYER)]);
    expectRefused(ofSol, [...before, closing(WALLET), rent]);
    expectRefused(ofSol, [...before, closing(OWN.vault), rent, rent]);
    expectRefused(ofSol, [...before, closing(OWN.vault), transferLamports(OWN.vault, PAYER, 2_039_281n)]);
  });
});

describe('checkMessageToSign with the terms of a fill', () => {
  it('refuses a threshold under the floor, however it is made', () => {
    const route = FILL.instructions[ROUTE_AT] as Instruction;
    for (const [quoted, slippageBps, isEnough] of [
      [1_000n, 100, true],
      [990n, 0, true],
      [999n, 100, true],
      [999n, 101, false],
      [989n, 0, false],
      [U64_MAX, 10_000, false],
      [U64_MAX, 10_001, false],
      [0n, 0, false],
    ] as const) {
      const data = Uint8Array.from(route.data);
      const view = new DataView(data.buffer);
      view.setBigUint64(16, quoted, true);
      view.setUint16(24, slippageBps, true);
      const messageBytes = compileFill(FILL.instructions.with(ROUTE_AT, { ...route, data }));
      const check = () =>
        checkMessageToSign({ ...FILL.request, messageBytes } as unknown as MessageToSign, OWN);
      if (isEnough) check();
      else expect(check, `${quoted} ${slippageBps}`).toThrow(SigningRefused);
    }
  });

  it('refuses a fee, or a share of what is above the quote, that the request does not name', () => {
    const route = FILL.instructions[ROUTE_AT] as Instruction;
    for (const at of [26, 28]) {
      const data = Uint8Array.from(route.data);
      data[at] = 1;
      const accounts = route.accounts.toSpliced(10, 0, { address: nameAddress('fee'), role: 1 });
      const instructions = FILL.instructions.with(ROUTE_AT, { ...route, data, accounts });
      expectRefused(FILL, instructions);
      const platformFee = { bps: 1, account: nameAddress('fee') };
      const named = { ...FILL, request: { ...FILL.request, platformFee } };
      if (at === 26) checkMessageToSign(toRequest(named, instructions), OWN);
      else expectRefused(named, instructions);
      expectRefused(
        { ...named, request: { ...named.request, platformFee: { ...platformFee, bps: 2 } } },
        instructions,
      );
    }
  });

  it('refuses a route whose last step pays another account, or whose first takes from another', () => {
    const route = FILL.instructions[ROUTE_AT] as Instruction;
    const account = deriveOrderAccount(OWN.vault);
    const wallets = deriveAssociatedTokenAddress(WALLET, MINT, TOKEN_PROGRAM);
    for (const hidden of [account, wallets]) {
      const at = route.accounts.findLastIndex(({ address }) => address === hidden);
      const accounts = route.accounts.with(at, { address: nameAddress('thief'), role: AccountRole.WRITABLE });
      expectRefused(FILL, FILL.instructions.with(ROUTE_AT, { ...route, accounts }));
    }
  });
});

describe('checkMessageToSign with a fill of SOL', () => {
  const { account } = deriveTemporaryAccount(OWN.vault);
  const unwrapping = { account, destination: WALLET, owner: OWN.vault };
  const unwrap = (changed: object) => unwrapLamports(TOKEN_PROGRAM, { ...unwrapping, ...changed });
  const close = (destination: Address) =>
    closeAccount(TOKEN_PROGRAM, { account, destination, authority: OWN.vault });
  const [create, route, unwrapped, closed] = [4, 5, 6, 7];
  const before = FILL_OF_SOL.instructions;

  it.each([
    ['to somebody else', before.with(unwrapped, unwrap({ destination: nameAddress('thief') }))],
    ['to the payer', before.with(unwrapped, unwrap({ destination: PAYER }))],
    ['out of the account of the order', before.with(unwrapped, unwrap({ account: NAMED.account }))],
    ['also out of the account of the order', before.toSpliced(closed, 0, unwrap({ account: NAMED.account }))],
    [
      'in part',
      before.with(unwrapped, { ...unwrap({}), data: Uint8Array.of(45, 1, 1, 0, 0, 0, 0, 0, 0, 0) }),
    ],
    ['before the route', [...before.slice(0, route), unwrap({}), ...before.slice(route)]],
    ['before the route alone', before.toSpliced(unwrapped, 1).toSpliced(route, 0, unwrap({}))],
    ['twice', before.toSpliced(unwrapped, 0, unwrap({}))],
    ['after the closing', before.with(unwrapped, close(PAYER)).with(closed, unwrap({}))],
    ['with the rent', before.with(closed, close(WALLET))],
    ['with the rent, by the closing alone', before.toSpliced(unwrapped, 2, close(WALLET))],
    ['by the closing alone, to the payer', before.toSpliced(unwrapped, 2, close(PAYER))],
    ['into an account that stays open', before.toSpliced(closed, 1)],
    ['through an account that stays with the vault', before.with(closed, close(OWN.vault))],
    ['through an account that it does not create', before.toSpliced(create, 1)],
  ])('refuses what unwraps %s', (_, instructions) => {
    expectRefused(FILL_OF_SOL, instructions);
  });
});

describe('checkMessageToSign with a fill into an account of the vault', () => {
  const wallets = deriveAssociatedTokenAddress(WALLET, MINT, TOKEN_PROGRAM);
  const into = (account: Address | null) => ({ ...ENTRY.request, outputAccount: account });

  it('refuses one that pays the wallet, or another account of the vault', () => {
    expectRefused({ ...FILL, request: into(BOUGHT) }, FILL.instructions);
    expectRefused({ ...ENTRY, request: into(nameAddress('other')) }, ENTRY.instructions);
    expectRefused({ ...ENTRY, request: into(null) }, ENTRY.instructions);
  });

  it('refuses an account that does not follow from the one that is sold from, whatever the request says', () => {
    const ofOther = deriveOutputAccount(OWN.vault, nameAddress('another order'), TOKEN_PROGRAM);
    const ofOtherVault = deriveOutputAccount(nameAddress('thief'), NAMED.account, TOKEN_PROGRAM);
    for (const account of [NAMED.account, nameAddress('thief'), wallets, ofOther, ofOtherVault]) {
      expectRefused({ ...ENTRY, request: into(account) }, listFillInstructions(OWN.vault, MINT, account));
    }
    const account = deriveOutputAccount(OWN.vault, NAMED.account, TOKEN_2022_PROGRAM);
    const instructions = listFillInstructions(OWN.vault, MINT, account);
    checkMessageToSign(toRequest({ ...ENTRY, request: into(account) }, instructions), OWN);
  });

  it('refuses SOL that is unwrapped, and rent for an account of the wallet', () => {
    const ofSol = { ...FILL_OF_SOL, request: { ...FILL_OF_SOL.request, outputAccount: BOUGHT } };
    expectRefused(ofSol, FILL_OF_SOL.instructions);
    const instructions = listFillInstructions(OWN.vault, WRAPPED_SOL_MINT, BOUGHT);
    checkMessageToSign(toRequest(ofSol, instructions), OWN);
    const create = { payer: PAYER, owner: WALLET, mint: MINT, tokenProgram: TOKEN_PROGRAM };
    expectRefused(ENTRY, ENTRY.instructions.toSpliced(2, 0, createAssociatedTokenIdempotent(create)));
  });

  it('refuses one that is paid elsewhere and handed on, or whose account is closed', () => {
    const route = ENTRY.instructions[3] as Instruction;
    const handedOn = route.accounts.with(7, { address: BOUGHT, role: AccountRole.WRITABLE });
    const elsewhere = handedOn.map((meta) =>
      meta.address === BOUGHT ? { ...meta, address: wallets } : meta,
    );
    for (const accounts of [handedOn, elsewhere.with(7, handedOn[7] as AccountMeta)]) {
      expectRefused(ENTRY, ENTRY.instructions.with(3, { ...route, accounts }));
    }
    for (const destination of [PAYER, WALLET, OWN.vault]) {
      const close = closeAccount(TOKEN_PROGRAM, { account: BOUGHT, destination, authority: OWN.vault });
      expectRefused(ENTRY, [...ENTRY.instructions, close]);
    }
  });
});

/** The place of the route among the instructions of the fill. */
const ROUTE_AT = 4;
/** No other step spends what the last one pays, so its index may be any new one. */
const LAST_OUTPUT_INDEX_AT = 43;
const U64_MAX = (1n << 64n) - 1n;
const OWN = { vault: nameAddress('vault'), coSigner: nameAddress('co-signer') };
const MINT = nameAddress('mint');

/** A request with the instructions that it stands for. */
interface TestRequest {
  readonly request: Readonly<Record<string, unknown>>;
  readonly instructions: readonly Instruction[];
  readonly compile: (instructions: readonly Instruction[]) => Uint8Array;
  /** The places of instructions without which the message is signed too. */
  readonly optional: readonly number[];
}

const NAMED = { subject: 'order', wallet: WALLET, account: deriveOrderAccount(OWN.vault) };
const GIVEN_BACK = { kind: 'withdrawal', subject: NAMED.subject, wallet: WALLET } as const;
const BOUGHT = deriveBoughtAccount(OWN.vault);
const DEPOSIT: TestRequest = describeDeposit(USDC);
const WITHDRAWAL: TestRequest = describeWithdrawal(USDC, [2, 3]);
const FILL: TestRequest = {
  request: {
    ...NAMED,
    kind: 'fill',
    inputMint: USDC,
    outputMint: MINT,
    outputAccount: null,
    amount: AMOUNT,
    floor: 990n,
    payer: PAYER,
  },
  instructions: listFillInstructions(OWN.vault, MINT),
  compile: (instructions) => compileFill(instructions),
  optional: [3, 5, 6],
};

/** USDC for SOL, which is unwrapped into the wallet. */
const FILL_OF_SOL: TestRequest = {
  ...FILL,
  request: { ...FILL.request, outputMint: WRAPPED_SOL_MINT },
  instructions: listFillInstructions(OWN.vault, WRAPPED_SOL_MINT),
  optional: [3, 8, 9],
};
/** USDC for what the vault holds until it is sold again. */
const ENTRY: TestRequest = {
  ...FILL,
  request: { ...FILL.request, outputAccount: BOUGHT },
  instructions: listFillInstructions(OWN.vault, MINT, BOUGHT),
  optional: [4, 5],
};

const CASES: [string, TestRequest][] = [
  ['a deposit', DEPOSIT],
  ['a deposit of SOL', describeDeposit(WRAPPED_SOL_MINT)],
  ['a deposit for what is bought and sold again', describeDepositOfTwo()],
  ['a deposit that opens the wallet’s account for the output', describeOpeningDeposit()],
  ['a withdrawal', WITHDRAWAL],
  ['a withdrawal of two accounts', describeWithdrawalOfTwo()],
  ['a withdrawal of SOL', describeWithdrawal(WRAPPED_SOL_MINT, [])],
  ['a withdrawal that makes the wallet the owner', describeHandover(WITHDRAWAL)],
  ['a fill', FILL],
  ['a fill that makes the wallet the owner', describeHandover(FILL)],
  ['a fill of SOL', FILL_OF_SOL],
  ['a fill of SOL that makes the wallet the owner', describeHandover(FILL_OF_SOL)],
  ['a fill into an account of the vault', ENTRY],
  ['a fill into an account of the vault that makes the wallet the owner', describeHandover(ENTRY)],
];

function describeDeposit(mint: Address): TestRequest {
  return {
    request: { ...NAMED, kind: 'deposit', mint, amount: AMOUNT, outputMint: MINT, outputAccount: null },
    instructions: listDepositInstructions(OWN, mint),
    compile: (instructions) => compileLegacy(instructions),
    optional: mint === USDC ? [2, 3] : [2, 3, 4, 5],
  };
}

function describeWithdrawal(mint: Address, optional: readonly number[]): TestRequest {
  return {
    request: { ...GIVEN_BACK, accounts: [{ account: NAMED.account, mint }] },
    instructions: listWithdrawalInstructions(OWN, mint),
    compile: (instructions) => compileLegacy(instructions),
    optional,
  };
}

function describeDepositOfTwo(): TestRequest {
  const { request, compile } = DEPOSIT;
  const instructions = listDepositInstructions(OWN, USDC, MINT);
  return { request: { ...request, outputAccount: BOUGHT }, instructions, compile, optional: [2, 3] };
}

function describeOpeningDeposit(): TestRequest {
  const { request, instructions, compile } = DEPOSIT;
  const opening = { payer: WALLET, owner: WALLET, mint: MINT, tokenProgram: TOKEN_PROGRAM };
  return {
    request,
    instructions: instructions.toSpliced(4, 0, createAssociatedTokenIdempotent(opening)),
    compile,
    optional: [2, 3, 4],
  };
}

function describeWithdrawalOfTwo(): TestRequest {
  const { instructions, compile } = WITHDRAWAL;
  const accounts = [
    { account: NAMED.account, mint: USDC },
    { account: BOUGHT, mint: MINT },
  ];
  return {
    request: { ...GIVEN_BACK, accounts },
    instructions: [...instructions, ...listWithdrawalInstructions(OWN, MINT, BOUGHT).slice(2)],
    compile,
    // Each of them may be closed already.
    optional: [2, 3, 4, 5, 6, 7],
  };
}

/** A request that gives the order's account to the wallet instead of closing it. */
function describeHandover(closing: TestRequest): TestRequest {
  const handover = setAuthority(TOKEN_PROGRAM, {
    of: NAMED.account,
    authority: Authority.ACCOUNT_OWNER,
    current: OWN.vault,
    next: WALLET,
  });
  return { ...closing, instructions: closing.instructions.with(-1, handover) };
}

/** Returns other values of a field of a request, with which its message must not be signed. */
function listOthers(
  { request, instructions }: TestRequest,
  field: string,
  value: unknown,
): readonly unknown[] {
  const another = nameAddress('another');
  if (['kind', 'subject', 'platformFee'].includes(field)) return [];
  if (field === 'outputAccount') return [value === null ? BOUGHT : null, another];
  // It is only looked at where an account of it is opened.
  const opens = instructions.some(({ accounts }) => accounts.some((each) => each.address === MINT));
  if (field === 'outputMint' && request.kind === 'deposit' && !opens) return [];
  if (Array.isArray(value)) {
    const tokens = value as readonly WithdrawnTokens[];
    return tokens.flatMap((each, index) => [
      tokens.with(index, { ...each, account: another }),
      // Closing an account of wrapped SOL pays it out, whatever its mint is said to be.
      ...(each.mint === WRAPPED_SOL_MINT ? [] : [tokens.with(index, { ...each, mint: another })]),
    ]);
  }
  return [typeof value === 'bigint' ? value + 1n : another];
}

/** Instructions that no message may have, even if other wallets sign them. */
const ADDED: readonly Instruction[] = [
  unwrapLamports(TOKEN_PROGRAM, {
    account: NAMED.account,
    destination: nameAddress('thief'),
    owner: OWN.vault,
  }),
  memo('hello'),
  transferLamports(PAYER, nameAddress('thief'), 1n),
  transferLamports(WALLET, nameAddress('thief'), 1n),
  transferLamports(OWN.vault, PAYER, 2_039_280n),
  transfer(TOKEN_PROGRAM, {
    source: NAMED.account,
    destination: nameAddress('thief'),
    authority: OWN.vault,
    amount: 1n,
  }),
  transferChecked(TOKEN_PROGRAM, {
    source: NAMED.account,
    mint: USDC,
    destination: nameAddress('thief'),
    authority: OWN.vault,
    amount: 1n,
    decimals: 6,
  }),
  approve(TOKEN_PROGRAM, {
    account: NAMED.account,
    delegate: nameAddress('thief'),
    owner: OWN.vault,
    amount: 1n,
  }),
  setAuthority(TOKEN_PROGRAM, {
    of: NAMED.account,
    authority: Authority.ACCOUNT_OWNER,
    current: OWN.vault,
    next: nameAddress('thief'),
  }),
  closeAccount(TOKEN_PROGRAM, {
    account: nameAddress('other'),
    destination: WALLET,
    authority: OWN.vault,
  }),
];

function toRequest({ request, compile }: TestRequest, instructions: readonly Instruction[]): MessageToSign {
  return { ...request, messageBytes: compile(instructions) } as unknown as MessageToSign;
}

function expectRefused(one: TestRequest, instructions: readonly Instruction[]): void {
  expect(() => checkMessageToSign(toRequest(one, instructions), OWN)).toThrow(SigningRefused);
}

/** Replaces an account of the instruction, or its program. */
function changeAccount(before: Instruction, place: number): Instruction | null {
  const at = place % (before.accounts.length + 1);
  const meta = before.accounts[at];
  const address = nameAddress('changed');
  if (meta === undefined) return { ...before, programAddress: address };
  return { ...before, accounts: before.accounts.with(at, { ...meta, address }) };
}

function changeByte(before: Instruction, place: number, by: number): Instruction | null {
  if (before.data.length === 0) return null;
  const data = Uint8Array.from(before.data);
  const at = place % data.length;
  data[at] = ((data[at] ?? 0) + by) & 0xff;
  return { ...before, data };
}

/** Whether a place is an account of a pool, which the pool's program checks. */
function isOfPool({ programAddress, accounts }: Instruction, place: number, inData: boolean): boolean {
  if (inData || programAddress !== AGGREGATOR_PROGRAM) return false;
  const at = place % (accounts.length + 1);
  const isTaken = [15, 30].includes(at);
  const isVenue = [10, 24].includes(at);
  return at >= 10 && at < accounts.length && !isTaken && !isVenue;
}

/** Whether a byte may be anything: fees of the payer, rent, decimals, and the threshold, for which there is another test. */
function isFree({ programAddress, accounts, data }: Instruction, place: number, inData: boolean): boolean {
  if (!inData) return false;
  const at = place % data.length;
  if (programAddress === COMPUTE_BUDGET_PROGRAM) return true;
  if (programAddress === SYSTEM_PROGRAM) return accounts.length === 3 ? at >= 76 && at < 92 : at >= 4;
  const isWithdrawn = accounts[3]?.address === OWN.vault;
  if (programAddress === TOKEN_PROGRAM) return data.length === 10 && (at === 9 || (isWithdrawn && at > 0));
  if (programAddress !== AGGREGATOR_PROGRAM) return false;
  return (at >= 16 && at < 26) || at === LAST_OUTPUT_INDEX_AT;
}
