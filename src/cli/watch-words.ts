import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { mailAddress } from '../service/mail.ts';
import { refuseAddress } from '../service/public-address.ts';
import { isWebhookSecret, newWebhookSecret } from '../service/webhook.ts';
import type { Channel, NewWatch } from '../store/watches.ts';
import { say } from '../words/speech.ts';
import type { Interfaces } from './oclif.ts';

/** What `watch add` was typed with: its own flags and name, and the words of the question. */
export type WatchWords = { own: string[]; question: string[] };

/**
 * Parts the words behind `watch add`: flags of the command itself wherever they stand, then a name, and all that is left is
 * the question's. What stands behind `--` is never a flag of the command.
 */
export function watchWords(typed: readonly string[], flags: Interfaces.FlagInput): WatchWords {
  const own: string[] = [];
  const others: string[] = [];
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  for (let at = 0; at < end; at += 1) {
    const word = typed[at]!;
    const [name = ''] = word.replace(/^--(?:no-)?/, '').split('=', 1);
    const flag = word.startsWith('--') ? flags[name] : undefined;
    if (!flag) {
      others.push(word);
      continue;
    }
    own.push(word);
    if (flag.type !== 'option' || word.includes('=') || at + 1 >= end) continue;
    at += 1;
    own.push(typed[at]!);
  }
  const [name, ...question] = others;
  if (name === undefined || name.startsWith('-'))
    throw new UsageError(
      say`the watch has no name`,
      say`as in \`hemicycle watch add logement search logement --type promise\``,
    );
  const words = [...question, ...typed.slice(end + 1)];
  // A question in quotes is one word to a shell.
  const [only = ''] = words.length === 1 ? words : [];
  return { own: [...own, name], question: /\s/.test(only) ? only.trim().split(/\s+/) : words };
}

/** Refuses a name that could be taken for something else, in a list, a shell or an address. */
export function checkWatchName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return name;
  throw new UsageError(
    say`"${name}" is not a name for a watch`,
    say`use up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first`,
  );
}

type NewChannel = NewWatch['channels'][number];

const plain = { secret: null, isPrivate: false };

/** A feed that is written into a file. */
export function fileChannel(path: string, folder: string): NewChannel {
  if (!/\.(atom|xml|json|jsonfeed)$/i.test(path))
    throw new UsageError(
      say`--file ${path}: its ending says neither Atom nor JSON Feed`,
      say`end it with .atom, .xml, .json or .jsonfeed`,
    );
  return { kind: 'file', target: [resolve(folder, path)], ...plain };
}

/** A program that is started: its path, or its words as a list in JSON. */
export function commandChannel(text: string, folder: string): NewChannel {
  const words = text.trimStart().startsWith('[') ? wordsIn(text) : [text];
  const [program = '', ...others] = words;
  const found = program.includes('/') ? resolve(folder, program) : program;
  return { kind: 'command', target: [found, ...others], ...plain };
}

function wordsIn(text: string): string[] {
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string'))
      return words;
  } catch {
    // What is no JSON is refused below.
  }
  throw new UsageError(
    say`--command ${text}: no list of words in JSON`,
    say`name a program, or write its words as ["tee","-a","log.ndjson"]`,
  );
}

/** A webhook: an address that every message is posted to, signed with that secret. */
export function webhookChannel(
  text: string,
  { secret, isPrivate }: { secret: string; isPrivate: boolean },
): NewChannel {
  const url = webAddress(text) === null ? null : new URL(text);
  if (url === null)
    throw new UsageError(
      say`--webhook names no web address without a user and a password in it`,
      say`as in https://receiver.example/hook`,
    );
  refuseAddress(url.hostname, isPrivate);
  return { kind: 'webhook', target: [url.href], secret, isPrivate };
}

/** One address that mail is sent to. */
export function mailChannel(text: string): NewChannel {
  if (!mailAddress.test(text))
    throw new UsageError(say`--mail ${text}: no address of mail`, say`one address for each --mail`);
  return { kind: 'mail', target: [text], ...plain };
}

/** The secret of webhooks that a file holds, or a new one; throws a UsageError for one that is too short to sign with. */
export function webhookSecret(held: string | null): string {
  if (held === null) return newWebhookSecret();
  const secret = held.trim();
  if (isWebhookSecret(secret)) return secret;
  throw new UsageError(
    say`--secret-file holds no secret of a webhook`,
    say`whsec_ and 24 to 64 bytes in base64; without it one is made`,
  );
}

/** A path that is longer may be what a receiver knows its sender by, as with Slack, Discord and Teams. */
const longestShown = 8;

/** A channel as it may be shown: of the address of a webhook what names its host, and how its path ends. */
export function channelText({ kind, target }: Pick<Channel, 'kind' | 'target'>): string {
  if (kind !== 'webhook') return `${kind}:${target.join(' ')}`;
  const { origin, pathname } = new URL(target[0]!);
  return `${kind}:${origin}${pathname.length > longestShown ? `/…${pathname.slice(-4)}` : pathname}`;
}
