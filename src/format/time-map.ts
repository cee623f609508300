/** The address of a resource, of its time map, and of its past states, oldest first. */
export type TimeMap = {
  original: string;
  self: string;
  /** A past state: from when, ISO 8601, and its address. */
  mementos: { from: string; address: string }[];
};

/** The media type of a time map (RFC 7089, section 5; RFC 6690). */
export const linkFormat = 'application/link-format';

/** A list of the past states of a thing, as archives of the web exchange it (RFC 7089). */
export function timeMapText({ original, self, mementos }: TimeMap): string {
  const last = mementos.length - 1;
  const span =
    last < 0 ? '' : `; from="${httpDate(mementos[0]!.from)}"; until="${httpDate(mementos[last]!.from)}"`;
  const links = mementos.map(({ from, address }, at) => {
    const rel = [at === 0 ? 'first' : '', at === last ? 'last' : '', 'memento'].filter(Boolean).join(' ');
    return `<${address}>; rel="${rel}"; datetime="${httpDate(from)}"`;
  });
  return `${[`<${original}>; rel="original"`, `<${self}>; rel="self"; type="${linkFormat}"${span}`, ...links].join(',\n')}\n`;
}

function httpDate(iso: string): string {
  return new Date(iso).toUTCString();
}
