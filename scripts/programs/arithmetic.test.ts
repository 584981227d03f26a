import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../src/testing/random.ts';
import type { Address } from '../../src/solana/address.ts';
import { ByteReader } from '../../src/solana/codec/byte-reader.ts';
import { ByteWriter } from '../../src/solana/codec/byte-writer.ts';
import { TestNetwork } from '../../src/testing/svm/network.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../src/testing/svm/program-compiler.ts';
import { openForAll } from '../../src/testing/opened.ts';

describe.skipIf(toolchain === null)(`wide arithmetic on chain (${NEEDS_TOOLCHAIN})`, () => {
  const compiler = openForAll(() => ProgramCompiler.open(), 'close');
  beforeAll(setUp);

  it('computes what bigint does', () => {
    assertProperty(
      fc.property(number, number, number, (a, b, c) => {
        expect(computed([a, b, c])).toEqual(expected(a, b, c));
      }),
      { cases: 3_000, seed: 19_450_626, against: 'bigint' },
    );
  });

  const network = new TestNetwork();
  const programAddress: Address = network.newAddress();

  async function setUp(): Promise<void> {
    network.loadProgram(programAddress, await compiler.compile(SOURCE));
  }

  function computed(numbers: readonly bigint[]): (bigint | null)[] {
    const data = numbers.reduce((writer, each) => writer.u128(each), new ByteWriter()).finish();
    const { error, returnData } = network.send([{ programAddress, accounts: [], data }]);
    expect(error).toBeNull();
    // The runtime cuts trailing zeros off.
    const padded = new Uint8Array(15 * 33);
    padded.set(returnData);
    const reader = new ByteReader(padded, 'list of results');
    return Array.from({ length: 15 }, () => {
      const present = reader.bool();
      const high = reader.u128();
      const value = (high << 128n) | reader.u128();
      return present ? value : null;
    });
  }
});

/**
 * A program that calls all functions of `math` and `wide` with three numbers. Each result is a flag and two u128, or
 * zeros.
 */
const SOURCE = `
#![no_std]
use sluice_program::bytes::{Reader, Writer};
use sluice_program::wide::{self, U256};
use sluice_program::{cpi, math, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

fn process(_: &Address, _: &[Account], data: &[u8]) -> Result {
    let mut reader = Reader::new(data);
    let numbers = (reader.u128(), reader.u128(), reader.u128());
    let (Some(a), Some(b), Some(c)) = numbers else { return Err(ProgramError::INVALID_INSTRUCTION_DATA) };
    let mut buffer = [0; 33 * 16];
    let mut writer = Writer::new(&mut buffer);
    small(&mut writer, a as u64, b as u64, c as u64)?;
    large(&mut writer, &[a, b, c])?;
    huge(&mut writer, &[a, b, c])?;
    cpi::set_return_data(writer.written());
    Ok(())
}

#[inline(never)]
fn small(to: &mut Writer, a: u64, b: u64, c: u64) -> Result {
    write(to, 0, math::widening_mul(a, b))?;
    maybe(to, math::checked_mul(a, b).map(u128::from))?;
    maybe(to, math::mul_div_floor(a, b, c).map(u128::from))?;
    maybe(to, math::mul_div_ceil(a, b, c).map(u128::from))?;
    maybe(to, math::div_ceil(a, b).map(u128::from))
}

#[inline(never)]
fn large(to: &mut Writer, numbers: &[u128; 3]) -> Result {
    let [a, b, c] = *numbers;
    maybe(to, wide::checked_mul(a, b))?;
    maybe(to, wide::div_floor(a, b))?;
    maybe(to, wide::div_ceil(a, b))?;
    maybe(to, wide::div_rem(a, b).map(|(_, remainder)| remainder))?;
    maybe(to, wide::mul_div_floor(a, b, c))?;
    maybe(to, wide::mul_div_ceil(a, b, c))?;
    write(to, 0, wide::sqrt(a) as u128)
}

#[inline(never)]
fn huge(to: &mut Writer, numbers: &[u128; 3]) -> Result {
    let [a, b, c] = *numbers;
    let product = U256::product(a, b);
    write(to, product.high, product.low)?;
    match product.div_rem(c) {
        Some((quotient, remainder)) => {
            write(to, quotient.high, quotient.low)?;
            write(to, 0, remainder)
        }
        None => to.array(&[0; 66]),
    }
}

#[inline(never)]
fn write(to: &mut Writer, high: u128, low: u128) -> Result {
    to.u8(1)?;
    to.u128(high)?;
    to.u128(low)
}

#[inline(never)]
fn maybe(to: &mut Writer, value: Option<u128>) -> Result {
    match value {
        Some(value) => write(to, 0, value),
        None => to.array(&[0; 33]),
    }
}
`;

const U64 = 1n << 64n;
const U128 = 1n << 128n;

function below(limit: bigint, value: bigint | null): bigint | null {
  return value !== null && value < limit ? value : null;
}

const floor = (value: bigint, by: bigint) => (by === 0n ? null : value / by);
const ceil = (value: bigint, by: bigint) => (by === 0n ? null : (value + by - 1n) / by);

/** Returns the expected results of the program, in its order. */
function expected(a: bigint, b: bigint, c: bigint): (bigint | null)[] {
  const [x, y, z] = [a % U64, b % U64, c % U64];
  return [
    x * y,
    below(U64, x * y),
    below(U64, floor(x * y, z)),
    below(U64, ceil(x * y, z)),
    ceil(x, y),
    below(U128, a * b),
    floor(a, b),
    ceil(a, b),
    b === 0n ? null : a % b,
    below(U128, floor(a * b, c)),
    below(U128, ceil(a * b, c)),
    squareRoot(a),
    a * b,
    floor(a * b, c),
    c === 0n ? null : (a * b) % c,
  ];
}

function squareRoot(value: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 63n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** 2n <= value) root += bit;
  }
  return root;
}

/** Numbers of any magnitude, and next to powers of two, where carries and wrong estimates of digits occur. */
const number = fc
  .tuple(fc.integer({ min: 0, max: 128 }), fc.bigInt(0n, U128 - 1n), fc.integer({ min: 0, max: 3 }))
  .map(([bits, value, kind]) => {
    const limit = 1n << BigInt(bits);
    if (kind === 0) return limit % U128;
    if (kind === 1) return limit - 1n;
    if (kind === 2) return (U128 - limit) % U128;
    return value % limit;
  });
