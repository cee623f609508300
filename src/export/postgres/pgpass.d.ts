declare module 'pgpass' {
  /** Passes the password from `~/.pgpass`, or the file in PGPASSFILE, to `done`; undefined if there is none. */
  export default function pgpass(
    connection: { host: string; port: number; database?: string; user?: string },
    done: (password: string | undefined) => void,
  ): void;
}
