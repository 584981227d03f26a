import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as kit from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../examples/webhook-last-look.ts';

describe('the last look of a maker by webhook', () => {
  it('signs what was quoted and refuses all else, in TypeScript', () => {
    expect(named(ALL.map(([, bytes]) => signsInTypeScript(bytes)))).toEqual(named(EXPECTED));
  });

  it.runIf(HAS_PYTHON)('does the same in Python (skipped without Python 3.8)', () => {
    expect(named(signInPython(ALL.map(([, bytes]) => bytes)))).toEqual(named(EXPECTED));
  });

  it('signs a swap whose taker hands the output on if it was asked for one, and nothing of its own moves', () => {
    const judged = (cases: readonly [string, Uint8Array][], receiver?: string) =>
      cases.map(([what, bytes]) => `${what}: ${signsInTypeScript(bytes, receiver)}`);
    const all = [...SIGNED, ...HANDED_ON];
    expect(judged(all, RECEIVER)).toEqual(all.map(([what]) => `${what}: true`));
    expect(judged([...REFUSED, ...HANDED_ON_OURS], RECEIVER).filter((each) => each.endsWith('true'))).toEqual(
      [],
    );
    expect(judged([...HANDED_ON, ...HANDED_ON_OURS]).filter((each) => each.endsWith('true'))).toEqual([]);
  });

  it.runIf(HAS_PYTHON)('does so in Python too (skipped without Python 3.8)', () => {
    const [all, never] = [
      [...SIGNED, ...HANDED_ON],
      [...REFUSED, ...HANDED_ON_OURS],
    ];
    const bytesOf = (cases: typeof all) => cases.map(([, bytes]) => bytes);
    expect(signInPython(bytesOf(all), true)).toEqual(all.map(() => true));
    expect(signInPython(bytesOf(never), true)).toEqual(never.map(() => false));
    const unasked = [...HANDED_ON, ...HANDED_ON_OURS];
    expect(signInPython(bytesOf(unasked))).toEqual(unasked.map(() => false));
  });

  it.runIf(HAS_PYTHON)('judges every change of one byte alike in both (skipped without Python 3.8)', () => {
    const messages = mutations();
    const results = signInPython(messages);
    expect(messages.length).toBeGreaterThan(1_000);
    const different = messages.flatMap((bytes, index) => {
      const [inPython, inTypeScript] = [results[index], signsInTypeScript(bytes)];
      const offset = bytes.findIndex((value, at) => value !== GOOD[at]);
      return inPython === inTypeScript
        ? []
        : [`offset ${offset}: Python ${inPython}, TypeScript ${inTypeScript}`];
    });
    expect(different).toEqual([]);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const ORDER_ENGINE = '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const address = (byte: number) => kit.getAddressDecoder().decode(new Uint8Array(32).fill(byte));
const [MAKER, TAKER, OTHER] = [address(1), address(2), address(3)];
const [TAKER_SOL, MAKER_SOL, TAKER_USDC, MAKER_USDC] = [address(4), address(5), address(6), address(7)];
const QUOTED = { tokenIn: SOL, tokenOut: USDC, amountIn: 10n ** 9n, amountOut: 199_500_000n };

const SIGNER = kit.AccountRole.WRITABLE_SIGNER;
const WRITABLE = kit.AccountRole.WRITABLE;
const READONLY = kit.AccountRole.READONLY;
type Meta = readonly [address: string, role: kit.AccountRole];

function instruction(program: string, metas: readonly Meta[], data: Uint8Array): kit.Instruction {
  const accounts = metas.map(([each, role]) => ({ address: kit.address(each), role }));
  return { programAddress: kit.address(program), accounts, data };
}

/** Data of a tag and little-endian numbers, each with its bytes. */
function data(tag: readonly number[], ...numbers: readonly (readonly [value: bigint, bytes: number])[]) {
  const parts = numbers.flatMap(([value, bytes]) =>
    Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n)),
  );
  return Uint8Array.from([...tag, ...parts]);
}

const unitLimit = (units: bigint) => instruction(BUDGET, [], data([2], [units, 4]));
const unitPrice = (price: bigint) => instruction(BUDGET, [], data([3], [price, 8]));
const FILL = [168, 96, 183, 163, 92, 10, 40, 160];

function fill(amountIn = QUOTED.amountIn, amountOut = QUOTED.amountOut, maker: string = MAKER, mint = USDC) {
  const metas: Meta[] = [
    [TAKER, SIGNER],
    [maker, maker === MAKER ? SIGNER : WRITABLE],
    ...[TAKER_SOL, MAKER_SOL, TAKER_USDC, MAKER_USDC].map((each): Meta => [each, WRITABLE]),
    ...[SOL, TOKEN, mint, TOKEN, SYSTEM].map((each): Meta => [each, READONLY]),
  ];
  return instruction(ORDER_ENGINE, metas, data(FILL, [amountIn, 8], [amountOut, 8], [1_800_000_000n, 8]));
}

function createAccount(payer: string) {
  const metas: Meta[] = [
    [payer, SIGNER],
    [TAKER_USDC, WRITABLE],
    ...[TAKER, USDC, SYSTEM, TOKEN].map((each): Meta => [each, READONLY]),
  ];
  return instruction(ASSOCIATED, metas, Uint8Array.of(1));
}

/** The bytes that a maker signs: a message that the maker pays for. */
function message(instructions: readonly kit.Instruction[], payer = MAKER): Uint8Array {
  const lifetime = { blockhash: kit.blockhash(address(9)), lastValidBlockHeight: 1n };
  const built = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (m) => kit.setTransactionMessageFeePayer(payer, m),
    (m) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => kit.appendTransactionMessageInstructions(instructions, m),
  );
  return Uint8Array.from(kit.compileTransaction(built).messageBytes);
}

const BUDGETED = [unitLimit(100_000n), unitPrice(10_000n)];
const swapWith = (...instructions: readonly kit.Instruction[]) => message([...BUDGETED, ...instructions]);
const GOOD = swapWith(createAccount(TAKER), fill());
const transfer = instruction(
  SYSTEM,
  [
    [MAKER, SIGNER],
    [OTHER, WRITABLE],
  ],
  data([2, 0, 0, 0], [1n, 8]),
);
const approve = instruction(
  TOKEN,
  [
    [MAKER_USDC, WRITABLE],
    [OTHER, READONLY],
    [MAKER, SIGNER],
  ],
  data([4], [1n, 8]),
);
const [RECEIVER, RECEIVER_USDC] = [address(11), address(12)];
const handSol = (from: string, to: string) =>
  instruction(
    SYSTEM,
    [
      [from, SIGNER],
      [to, WRITABLE],
    ],
    data([2, 0, 0, 0], [QUOTED.amountOut, 8]),
  );

function handTokens(from: string, to: string, authority: string, tag = 12) {
  const metas: Meta[] = [
    [from, WRITABLE],
    [USDC, READONLY],
    [to, WRITABLE],
    [authority, SIGNER],
  ];
  return instruction(TOKEN, metas, data([tag], [QUOTED.amountOut, 8], [6n, 1]));
}

const assertion = (tag: number) => instruction(LIGHTHOUSE, [[TAKER_SOL, READONLY]], Uint8Array.of(tag, 0, 0));

const SIGNED: readonly [what: string, bytes: Uint8Array][] = [
  ['the swap that was quoted', GOOD],
  ['one without an account to create', swapWith(fill())],
  ['one of which the service takes its fee', swapWith(fill(QUOTED.amountIn, QUOTED.amountOut - 1n))],
  ['one with the assertions of a wallet', swapWith(fill(), ...[5, 6, 9, 10].map(assertion))],
  ['one that costs as much as it may', message([unitLimit(1_000_000n), unitPrice(1_000_000n), fill()])],
];
const REFUSED: readonly [what: string, bytes: Uint8Array][] = [
  ['pays us less', swapWith(fill(QUOTED.amountIn - 1n))],
  ['takes more from us', swapWith(fill(QUOTED.amountIn, QUOTED.amountOut + 1n))],
  ['pays in other tokens', swapWith(fill(QUOTED.amountIn, QUOTED.amountOut, MAKER, SOL))],
  ['fills from another maker', swapWith(fill(QUOTED.amountIn, QUOTED.amountOut, OTHER))],
  ['fills twice', swapWith(fill(), fill())],
  ['fills nothing', swapWith(createAccount(TAKER))],
  ['transfers our SOL beside it', swapWith(fill(), transfer)],
  ['lets another spend our tokens beside it', swapWith(fill(), approve)],
  ['lets us pay for an account', swapWith(createAccount(MAKER), fill())],
  ['writes memory by Lighthouse', swapWith(fill(), assertion(0))],
  ['is paid for by the taker', message([...BUDGETED, fill()], TAKER)],
  ['costs too much', message([unitLimit(1_000_000n), unitPrice(1_000_001n), fill()])],
  [
    'costs too much, as it sets no limit and has many instructions',
    message([unitPrice(1_000_000n), fill(), ...[5, 5, 5, 5, 5].map(assertion)]),
  ],
  ['asks for a heap', message([...BUDGETED, instruction(BUDGET, [], data([1], [32_768n, 4])), fill()])],
  ['is cut short', GOOD.subarray(0, GOOD.length - 9)],
  ['is empty', new Uint8Array(0)],
];

/** Signed only where the question had a receiver. */
const HANDED_ON: readonly [what: string, bytes: Uint8Array][] = [
  ['hands tokens on', swapWith(createAccount(TAKER), fill(), handTokens(TAKER_USDC, RECEIVER_USDC, TAKER))],
  ['hands SOL on', swapWith(fill(), handSol(TAKER, RECEIVER), assertion(5))],
];
/** Never signed. */
const HANDED_ON_OURS: readonly [what: string, bytes: Uint8Array][] = [
  ['hands on our SOL', swapWith(fill(), handSol(MAKER, RECEIVER))],
  ['hands on our tokens', swapWith(fill(), handTokens(MAKER_USDC, RECEIVER_USDC, MAKER))],
  ['hands on our tokens as our delegate', swapWith(fill(), handTokens(MAKER_USDC, RECEIVER_USDC, TAKER))],
  ['hands SOL on to us', swapWith(fill(), handSol(TAKER, MAKER))],
  ['hands tokens on to us', swapWith(fill(), handTokens(TAKER_USDC, MAKER_USDC, TAKER))],
  ['hands on before the fill', swapWith(handTokens(TAKER_USDC, RECEIVER_USDC, TAKER), fill())],
  ['hands on twice', swapWith(fill(), handSol(TAKER, RECEIVER), handSol(TAKER, OTHER))],
  ['burns beside the fill', swapWith(fill(), handTokens(TAKER_USDC, RECEIVER_USDC, TAKER, 15))],
];

/** What the example in TypeScript says, which throws at what cannot be decoded; the maker signs nothing then either. */
function signsInTypeScript(bytes: Uint8Array, receiver?: string): boolean {
  try {
    return problemOf(MAKER, bytes, { ...QUOTED, receiver, until: Number.MAX_SAFE_INTEGER }) === null;
  } catch {
    return false;
  }
}

function signInPython(messages: readonly Uint8Array[], handsOn = false): readonly boolean[] {
  const script = fileURLToPath(new URL('../examples/python/webhook_last_look.py', import.meta.url));
  const { tokenIn, tokenOut, amountIn, amountOut } = QUOTED;
  const terms = {
    maker: MAKER,
    pair: [tokenIn, tokenOut],
    amountIn: `${amountIn}`,
    amountOut: `${amountOut}`,
    handsOn,
  };
  const lines = messages.map((bytes) =>
    JSON.stringify({ ...terms, message: Buffer.from(bytes).toString('base64') }),
  );
  const options = { input: `${lines.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr } = spawnSync('python3', ['-B', script], options);
  expect(stderr).toBe('');
  const results = stdout.trim().split('\n');
  expect(results).toHaveLength(messages.length);
  return results.map((line) => JSON.parse(line).signs === true);
}

/** The message with one byte changed, for each byte and several values. */
function mutations(): readonly Uint8Array[] {
  return [...GOOD.keys()].flatMap((offset) =>
    [1, 128].map((change) => {
      const bytes = Uint8Array.from(GOOD);
      bytes[offset] = (bytes[offset] ?? 0) ^ change;
      return bytes;
    }),
  );
}

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']);
const HAS_PYTHON = python.error === undefined && python.status === 0;
const ALL = [...SIGNED, ...REFUSED];
const EXPECTED = ALL.map((_, index) => index < SIGNED.length);
const named = (results: readonly boolean[]) => ALL.map(([what], index) => `${what}: ${results[index]}`);
