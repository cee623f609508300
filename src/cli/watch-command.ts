import { NotFoundError } from '../errors.ts';
import { listWatches, openWatches, openWatchesIfAny, type Watch, type WatchBook } from '../store/watches.ts';
import { mailSubject, mailText } from '../terminal/watch-text.ts';
import type { SendingSettings } from '../watches/channel.ts';
import { say } from '../words/speech.ts';
import { type CommonFlags, HemicycleCommand } from './base-command.ts';
import { Args } from './oclif.ts';
import type { Settings } from './settings.ts';

/** The name of a watch, as an argument. */
export const watchNameArgument = Args.string({
  ignoreStdin: true,
  description: 'name of the watch: letters, digits, dots, hyphens and underscores',
  required: true,
});

/** What the commands about watches share. */
export abstract class WatchCommand extends HemicycleCommand {
  /** Opens the watches of the mirror; creates the file if it is missing. */
  protected watches(flags: CommonFlags): WatchBook {
    return this.closing(openWatches(this.settingsWith(flags).db));
  }

  /** Opens the watches of the mirror; null if there are none. */
  protected watchesIfAny(flags: CommonFlags): WatchBook | null {
    const book = openWatchesIfAny(this.settingsWith(flags).db);
    return book && this.closing(book);
  }

  /** The watch of that name; throws a NotFoundError where there is none. */
  protected watchNamed(book: WatchBook | null, name: string): Watch {
    const [watch] = book ? listWatches(book, name) : [];
    if (watch) return watch;
    throw noWatch(name);
  }
}

/** Settings for the channels of watches: user agent, mail server, and how to compose mail. */
export function sendingSettings({ stated }: Settings, userAgent: string): SendingSettings {
  const [url, from] = [stated['smtp-url'].value, stated['mail-from'].value];
  return {
    userAgent,
    mailServer: url === null || from === null ? null : { url, from },
    mailOf: (body, speech) => ({ subject: mailSubject(body, speech), text: mailText(body, speech) }),
  };
}

/** The error for a name that no watch has. */
export function noWatch(name: string): NotFoundError {
  return new NotFoundError(
    say`there is no watch named "${name}"`,
    [],
    say`\`hemicycle watch list\` names them`,
  );
}
