/** Lets so many things happen at a time, and so many of them for one caller. */
export class Slots {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor({ most, mostOfOne }: { most: number; mostOfOne: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** Takes a slot for that caller and returns how to give it back, or null if none is free. */
  take(caller: string): (() => void) | null {
    const own = this.#taken.get(caller) ?? 0;
    if (this.#all >= this.#most || own >= this.#mostOfOne) return null;
    this.#all += 1;
    this.#taken.set(caller, own + 1);
    return () => {
      this.#all -= 1;
      const left = this.#taken.get(caller)! - 1;
      if (left > 0) this.#taken.set(caller, left);
      else this.#taken.delete(caller);
    };
  }
}
