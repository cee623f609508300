import { setTimeout as sleep } from 'node:timers/promises';

export type CircuitOptions<Connection> = {
  /** Resolves once the other side has shown that it answers; calls `lose` when that ends by itself. */
  connect: (lose: (error: unknown) => void) => Promise<Connection>;
  /** How often the other side is looked for while it is lost. */
  retryMs: number;
  /** Are told once whenever it is lost, and whenever it is found again. */
  onLost: (error: unknown) => void;
  onFound: () => void;
};

/**
 * A circuit breaker before something that may be gone or may hang: after the first failure nobody asks it any more, and
 * so nobody waits for it, until it was found again in the background.
 */
export class Circuit<Connection extends { destroy(): void }> {
  readonly #options: CircuitOptions<Connection>;
  readonly #closing = new AbortController();
  #connection: Connection | null = null;

  constructor(options: CircuitOptions<Connection>) {
    this.#options = options;
  }

  /** Resolves when it is connected, or once that failed for the first time. */
  async open(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.#options.onLost(error);
      void this.#look();
    }
  }

  /** Asks; rejects at once while the other side is lost. */
  async ask<Answer>(question: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const connection = this.#connection;
    if (connection === null) throw new Error('it did not answer a moment ago and is not asked now');
    try {
      return await question(connection);
    } catch (error) {
      this.#lose(connection, error);
      throw error;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.destroy();
    this.#connection = null;
  }

  async #connect(): Promise<void> {
    let connection: Connection | null = null;
    connection = await this.#options.connect((error) => {
      if (connection) this.#lose(connection, error);
    });
    if (this.#closing.signal.aborted) connection.destroy();
    else this.#connection = connection;
  }

  #lose(connection: Connection, error: unknown): void {
    // All that were waiting fail together; the first one says it.
    if (this.#connection !== connection) return;
    this.#connection = null;
    connection.destroy();
    this.#options.onLost(error);
    void this.#look();
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#connection === null) {
      await sleep(this.#options.retryMs, null, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#connect().catch(() => {});
    }
    this.#options.onFound();
  }
}
