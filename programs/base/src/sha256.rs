//! SHA-256 at compile time, for the discriminators of Anchor.

const fn constants() -> [u32; 64] {
    [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}

const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// Returns the first 8 bytes of the hash of `prefix`, a colon and `name`. Together they must fit one block (55
/// bytes).
pub(crate) const fn discriminator(prefix: &str, name: &str) -> [u8; 8] {
    let mut block = [0u8; 64];
    let mut len = 0;
    let (prefix, name) = (prefix.as_bytes(), name.as_bytes());
    assert!(prefix.len() + 1 + name.len() <= 55, "the name does not fit one block");
    while len < prefix.len() {
        block[len] = prefix[len];
        len += 1;
    }
    block[len] = b':';
    len += 1;
    let start = len;
    while len - start < name.len() {
        block[len] = name[len - start];
        len += 1;
    }
    block[len] = 0x80;
    let bits = len as u32 * 8;
    block[62] = (bits >> 8) as u8;
    block[63] = bits as u8;

    let state = compress(INITIAL, &block);
    let [a, b, c, d] = state[0].to_be_bytes();
    let [e, f, g, h] = state[1].to_be_bytes();
    [a, b, c, d, e, f, g, h]
}

const fn compress(initial: [u32; 8], block: &[u8; 64]) -> [u32; 8] {
    let k = constants();
    let mut w = [0u32; 64];
    let mut t = 0;
    while t < 64 {
        w[t] = if t < 16 {
            u32::from_be_bytes([block[4 * t], block[4 * t + 1], block[4 * t + 2], block[4 * t + 3]])
        } else {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
            w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1)
        };
        t += 1;
    }
    let mut v = initial;
    t = 0;
    while t < 64 {
        let [a, b, c, d, e, f, g, h] = v;
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(k[t]).wrapping_add(w[t]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        v = [t1.wrapping_add(s0).wrapping_add(majority), a, b, c, d.wrapping_add(t1), e, f, g];
        t += 1;
    }
    let mut out = [0u32; 8];
    t = 0;
    while t < 8 {
        out[t] = initial[t].wrapping_add(v[t]);
        t += 1;
    }
    out
}
