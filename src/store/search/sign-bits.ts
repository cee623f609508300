/** Packs the signs of vectors, one bit per dimension: similar vectors share most bits, and comparing bits is fast. */
export function packSigns(vectors: readonly Float32Array[]): Buffer {
  const words = wordCount(vectors[0]?.length ?? 0);
  const signs = new Uint32Array(words * vectors.length);
  for (const [at, vector] of vectors.entries()) {
    for (let n = 0; n < vector.length; n += 1) if (vector[n]! > 0) signs[at * words + (n >> 5)]! |= 1 << (n & 31);
  }
  return Buffer.from(signs.buffer);
}

const wordCount = (dimensions: number): number => Math.ceil(dimensions / 32); // of 32 bits

/** The Hamming distances of packed vectors to one vector. */
export function signDistances(signs: Buffer, vector: Float32Array): Uint16Array {
  const words = wordCount(vector.length);
  const querySigns = new Uint32Array(new Uint8Array(packSigns([vector])).buffer);
  // Copied because words must be aligned to four bytes.
  const packed = new Uint32Array(new Uint8Array(signs).buffer);
  const distances = new Uint16Array(packed.length / words);
  for (let at = 0; at < distances.length; at += 1)
    for (let word = 0; word < words; word += 1)
      distances[at]! += bitCount(packed[at * words + word]! ^ querySigns[word]!);
  return distances;
}

/** Number of bits that are set: https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The smallest distance within which at least `count` vectors lie; 65,536 if there are fewer. */
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
