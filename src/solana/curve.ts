/** The prime of the curve's field. */
const P = (1n << 255n) - 19n;
/** The curve's `d`, -121665/121666: -x² + y² = 1 + d·x²·y² (RFC 8032, section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether the 32 bytes at `offset` are a compressed point of the Ed25519 curve, by the rules of the chain:
 * the sign bit is ignored, and a y that exceeds the prime is reduced.
 */
export function isOnCurve(bytes: Uint8Array, offset = 0): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 32);
  const high = view.getBigUint64(24, true) & 0x7fff_ffff_ffff_ffffn;
  const y =
    (((((high << 64n) | view.getBigUint64(16, true)) << 64n) | view.getBigUint64(8, true)) << 64n) |
    view.getBigUint64(0, true);
  const ySquared = (y * y) % P;
  // x² = u/v has a root exactly when u·v has one, so no division is needed.
  return jacobi(((ySquared - 1n + P) * (D * ySquared + 1n)) % P, P) >= 0;
}

/** The Jacobi symbol of `a` over odd `n`. Reciprocity takes far fewer bigint steps than Euler's criterion. */
function jacobi(a: bigint, n: bigint): -1 | 0 | 1 {
  let top = a;
  let bottom = n;
  let negative = false;
  while (top !== 0n) {
    let low = Number(top & 0xffff_ffffn) | 0;
    while (low === 0) {
      top >>= 32n;
      low = Number(top & 0xffff_ffffn) | 0;
    }
    const twos = 31 - Math.clz32(low & -low);
    if (twos !== 0) top >>= BigInt(twos);
    const bottomMod8 = Number(bottom & 7n);
    if ((twos & 1) === 1 && (bottomMod8 === 3 || bottomMod8 === 5)) negative = !negative;
    if ((bottomMod8 & 3) === 3 && (top & 3n) === 3n) negative = !negative;
    const rest = bottom % top;
    bottom = top;
    top = rest;
  }
  if (bottom !== 1n) return 0;
  return negative ? -1 : 1;
}
