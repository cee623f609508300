import { NotFoundError } from '../errors.ts';
import { listWatches, openWatches, openWatchesIfAny, type Watch, type WatchBook } from '../store/watches.ts';
import { mailSubject, mailText } from '../terminal/watch-text.ts';
import type { SendingSettings } from '../watches/channel.ts';
import { say } from '../words/speech.ts';
import { HemicycleCommand } from './base-command.ts';
import { argument } from './oclif.ts';
import type { Settings } from './settings.ts';

/** The name of a watch, as an argument. */
export const watchNameArgument = argument(
  'name of the watch: letters, digits, dots, hyphens and underscores',
);

/** What the commands about watches share. */
export abstract class WatchCommand extends HemicycleCommand {
  /** Opens the watches of the mirror; creates the file if it is missing. */
  protected watches(): WatchBook {
    return this.closing(openWatches(this.settingsWith().db));
  }

  /** Opens the watches of the mirror; null if there are none. */
  protected watchesIfAny(): WatchBook | null {
    const book = openWatchesIfAny(this.settingsWith().db);
    return book && this.closing(book);
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

/** The watch of that name; throws a NotFoundError if there is none. */
export function watchNamed(book: WatchBook | null, name: string): Watch {
  const [watch] = book ? listWatches(book, name) : [];
  if (watch) return watch;
  throw noWatch(name);
}

/** The error for a name that no watch has. */
export function noWatch(name: string): NotFoundError {
  return new NotFoundError(
    say`there is no watch named "${name}"`,
    [],
    say`\`hemicycle watch list\` names them`,
  );
}
