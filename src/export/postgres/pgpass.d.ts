declare module 'pgpass' {
  /** Gives the password of `~/.pgpass`, or the file in PGPASSFILE, for a connection; undefined where none is there. */
  export default function pgpass(
    connection: { host: string; port: number; database?: string; user?: string },
    done: (password: string | undefined) => void,
  ): void;
}
