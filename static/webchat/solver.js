// The worker that finds the number of a challenge (Altcha's version 2, SHA-256 with cost 1): the one whose hash, behind the
// challenge's salt and nonce, begins with the challenge's prefix.
// Path not taken: crypto.subtle. Pages over plain http lack it, and awaiting it takes longer than the hash.

// FIPS 180-4, 4.2.2 and 5.3.3
const CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);
const START = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** FIPS 180-4, 6.2.2, of one block: its 16 words stand at the beginning of `words`, which has room for 64. */
function hash(words, result) {
  for (let i = 16; i < 64; i++) {
    const w2 = words[i - 2];
    const w15 = words[i - 15];
    const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
    const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
    words[i] = (s1 + words[i - 7] + s0 + words[i - 16]) | 0;
  }
  // Not `let [a, b, …] = START`: that is an iterator for each hash, and takes four times as long as the hash.
  let a = START[0], b = START[1], c = START[2], d = START[3];
  let e = START[4], f = START[5], g = START[6], h = START[7];
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i]) | 0;
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  result[0] = START[0] + a;
  result[1] = START[1] + b;
  result[2] = START[2] + c;
  result[3] = START[3] + d;
  result[4] = START[4] + e;
  result[5] = START[5] + f;
  result[6] = START[6] + g;
  result[7] = START[7] + h;
}

const wordsOf = (hex) => Int32Array.from(hex.match(/.{8}/g), (word) => Number.parseInt(word, 16));
const hexOf = (words) => Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

/** @param {{ salt: string, nonce: string, keyPrefix: string }} challenge each 16 bytes in hex */
function solve({ salt, nonce, keyPrefix }) {
  const prefix = wordsOf(keyPrefix);
  const result = new Int32Array(8);
  const words = new Int32Array(64);
  words.set(wordsOf(salt + nonce));
  words[9] = 1 << 31; // the end of what is hashed
  words[15] = 36 * 8; // its bits
  for (let counter = 0; ; counter++) {
    words[8] = counter;
    hash(words, result);
    if (result[0] === prefix[0] && prefix.every((word, i) => word === result[i])) return { counter, derivedKey: hexOf(result) };
  }
}

onmessage = ({ data }) => postMessage(solve(data));
