/** Packs the signs of vectors, one bit per dimension: similar vectors share most bits, and comparing bits is fast. */
export function packSigns(vectors: readonly Float32Array[]): Buffer {
  const words = wordCount(vectors[0]?.length ?? 0);
  const signs = new Uint32Array(words * vectors.length);
  for (const [at, vector] of vectors.entries()) {
    for (let n = 0; n < vector.length; n += 1) if (vector[n]! > 0) signs[at * words + (n >> 5)]! |= 1 << (n & 31);
  }
  return Buffer.from(signs.buffer);
}

const wordCount = (dimensions: number): number => Math.ceil(dimensions / 32);

/** Writes the Hamming distance of each packed vector to one vector into `distances`, starting at `from`. */
export function signDistances(
  signs: Buffer,
  vector: Float32Array,
  { distances, from }: { distances: Uint16Array; from: number },
): void {
  const words = wordCount(vector.length);
  const querySigns = new Uint32Array(new Uint8Array(packSigns([vector])).buffer);
  // Copied because words must be aligned to four bytes.
  const packed = new Uint32Array(new Uint8Array(signs).buffer);
  for (let at = 0, n = from; at < packed.length; at += words, n += 1) {
    let distance = 0;
    for (let word = 0; word < words; word += 1) distance += bitCount(packed[at + word]! ^ querySigns[word]!);
    distances[n] = distance;
  }
}

/** https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The smallest distance within which at least `count` vectors lie. */
export function distanceOfNearest(distances: Uint16Array, count: number): number {
  const histogram = new Uint32Array(65_536);
  for (const distance of distances) histogram[distance]! += 1;
  let cumulative = 0;
  for (let distance = 0; distance < histogram.length; distance += 1) {
    cumulative += histogram[distance]!;
    if (cumulative >= count) return distance;
  }
  return histogram.length;
}
