//! The limb arithmetic against the host's own `u128`, and beyond it against identities.

use sluice_program::{math, wide, wide::U256};

const CASES: u32 = 200_000;

/// xorshift64*; the seed is fixed, so a failure repeats.
struct Random(u64);

impl Random {
    fn u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Of any magnitude, with runs of ones and zeros, where carries and wrong guesses happen.
    fn u128(&mut self) -> u128 {
        let value = (self.u64() as u128) << 64 | self.u64() as u128;
        match self.u64() % 6 {
            0 => value >> (self.u64() % 128),
            1 => u128::MAX >> (self.u64() % 128),
            2 => u128::MAX << (self.u64() % 128),
            3 => 1 << (self.u64() % 128),
            4 => (u128::MAX << (self.u64() % 128)) ^ (u128::MAX >> (self.u64() % 128)),
            _ => value,
        }
    }
}

fn random_cases(mut check: impl FnMut(&mut Random)) {
    let mut random = Random(0x5eed_0001_c0ff_ee11);
    for _ in 0..CASES {
        check(&mut random);
    }
}

#[test]
fn multiplies_u64_exactly() {
    random_cases(|random| {
        let (a, b) = (random.u128() as u64, random.u128() as u64);
        assert_eq!(math::widening_mul(a, b), a as u128 * b as u128, "{a} × {b}");
        assert_eq!(math::checked_mul(a, b), a.checked_mul(b), "{a} × {b}");
    });
}

#[test]
fn divides_products_of_u64_with_floor_and_ceiling() {
    random_cases(|random| {
        let (a, b, d) = (random.u128() as u64, random.u128() as u64, random.u128() as u64);
        let product = a as u128 * b as u128;
        let floor = product.checked_div(d as u128).and_then(|q| u64::try_from(q).ok());
        let ceil = (d != 0).then(|| product.div_ceil(d as u128)).and_then(|q| u64::try_from(q).ok());
        assert_eq!(math::mul_div_floor(a, b, d), floor, "{a} × {b} / {d}");
        assert_eq!(math::mul_div_ceil(a, b, d), ceil, "{a} × {b} / {d}");
        assert_eq!(math::div_ceil(a, d), (d != 0).then(|| a.div_ceil(d)), "{a} / {d}");
    });
}

#[test]
fn multiplies_and_divides_u128_like_the_host() {
    random_cases(|random| {
        let (a, b) = (random.u128(), random.u128());
        assert_eq!(wide::checked_mul(a, b), a.checked_mul(b), "{a} × {b}");
        assert_eq!(wide::div_rem(a, b), (b != 0).then(|| (a / b, a % b)), "{a} / {b}");
        assert_eq!(wide::div_floor(a, b), a.checked_div(b), "{a} / {b}");
        assert_eq!(wide::div_ceil(a, b), (b != 0).then(|| a.div_ceil(b)), "{a} / {b}");
    });
}

/// The schoolbook product on 32-bit digits.
fn product_by_digits(a: u128, b: u128) -> U256 {
    let digits = |value: u128| [0, 32, 64, 96].map(|shift| (value >> shift) as u32 as u64);
    let (a, b) = (digits(a), digits(b));
    let mut sum = [0u32; 8];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0;
        for (j, y) in b.iter().enumerate() {
            let total = x * y + sum[i + j] as u64 + carry;
            sum[i + j] = total as u32;
            carry = total >> 32;
        }
        sum[i + 4] = carry as u32;
    }
    let half = |part: &[u32]| part.iter().rev().fold(0, |value, digit| value << 32 | *digit as u128);
    U256 { high: half(&sum[4..]), low: half(&sum[..4]) }
}

#[test]
fn multiplies_u128_exactly() {
    random_cases(|random| {
        let (a, b) = (random.u128(), random.u128());
        assert_eq!(U256::product(a, b), product_by_digits(a, b), "{a} × {b}");
    });
}

#[test]
fn divides_256_bits_so_that_quotient_and_remainder_give_the_dividend() {
    random_cases(|random| {
        let dividend = U256 { high: random.u128(), low: random.u128() };
        let divisor = random.u128();
        let Some((quotient, remainder)) = dividend.div_rem(divisor) else {
            assert_eq!(divisor, 0);
            return;
        };
        assert!(remainder < divisor, "{dividend:?} / {divisor}");
        let high = U256::product(quotient.high, divisor);
        assert_eq!(high.high, 0, "{dividend:?} / {divisor}");
        let back = U256::product(quotient.low, divisor)
            .checked_add(U256 { high: high.low, low: 0 })
            .and_then(|sum| sum.checked_add(U256::from_u128(remainder)));
        assert_eq!(back, Some(dividend), "{dividend:?} / {divisor}");
    });
}

#[test]
fn divides_products_of_u128_with_floor_and_ceiling() {
    random_cases(|random| {
        // Factors below 2^64 keep the product in the host's range.
        let (a, b, d) = (random.u128() as u64 as u128, random.u128() as u64 as u128, random.u128());
        assert_eq!(wide::mul_div_floor(a, b, d), (a * b).checked_div(d), "{a} × {b} / {d}");
        let ceil = (d != 0).then(|| (a * b).div_ceil(d));
        assert_eq!(wide::mul_div_ceil(a, b, d), ceil, "{a} × {b} / {d}");
    });
    assert_eq!(wide::mul_div_floor(u128::MAX, u128::MAX, u128::MAX), Some(u128::MAX));
    assert_eq!(wide::mul_div_floor(u128::MAX, 2, 1), None);
    assert_eq!(wide::mul_div_ceil(u128::MAX, u128::MAX - 1, u128::MAX), Some(u128::MAX - 1));
}

#[test]
fn takes_the_floor_of_square_roots() {
    random_cases(|random| {
        let value = random.u128();
        assert_eq!(wide::sqrt(value) as u128, value.isqrt(), "{value}");
        let root = value as u64 as u128;
        assert_eq!(wide::sqrt(root * root) as u128, root, "{root}");
    });
    assert_eq!(wide::sqrt(u128::MAX), u64::MAX);
}

#[test]
fn refuses_sums_and_differences_beyond_256_bits() {
    let largest = U256 { high: u128::MAX, low: u128::MAX };
    assert_eq!(largest.checked_add(U256::from_u128(1)), None);
    assert_eq!(U256::from_u128(1).checked_sub(U256::from_u128(2)), None);
    let carried = U256::from_u128(u128::MAX).checked_add(U256::from_u128(1));
    assert_eq!(carried, Some(U256 { high: 1, low: 0 }));
    assert_eq!(carried.and_then(|sum| sum.checked_sub(U256::from_u128(1))), Some(U256::from_u128(u128::MAX)));
    assert!(U256 { high: 1, low: 0 } > U256::from_u128(u128::MAX));
}
