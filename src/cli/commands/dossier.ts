import { NotFoundError, orNull, UsageError } from '../../errors.ts';
import { writeAtomically } from '../../format/atomic-file.ts';
import { sanitiseLine } from '../../format/sanitise.ts';
import { kindOf } from '../../model/kinds.ts';
import { resolveVotedText } from '../../questions/ballot-selection.ts';
import { resolveReference } from '../../questions/references.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf } from '../../store/records/contents.ts';
import { say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { registerCopy } from '../copy-list.ts';
import { argument, outputFlag } from '../oclif.ts';

export default class Dossier extends HemicycleCommand {
  static override strict = false;
  static override args = { subject: argument('a slug, a name, or words of the name of a text') };
  static override flags = { output: outputFlag('output file, .html or .md, never left incomplete') };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Dossier);
    const extension = /\.(html|md)$/i.exec(flags.output)?.[1]?.toLowerCase();
    if (extension === undefined)
      throw new UsageError(
        say`${sanitiseLine(flags.output)} is not a dossier file name`,
        say`use the extension .html or .md`,
      );
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    const subject = resolveSubject(mirror, argv.join(' '));
    const { createStaticContext, viewOf } = await import('../../server/pages/page-text.ts');
    const view = viewOf(subject.path);
    const { language } = this.speech;
    const page = createStaticContext(mirror, view, { ...subject, language, citation: citationOf(settings, mirror) });
    await writeAtomically(flags.output, (sink) => sink.write(view.forms[`dossier.${extension}`]!.make(page, view)));
    await registerCopy(this, settings.db, { kind: 'dossier', location: flags.output });
    this.note(say`wrote ${sanitiseLine(flags.output)}`);
  }
}

/** Path pattern and parameters of the page of the politician or party that the words name, else of a voted text. */
function resolveSubject(mirror: Mirror, words: string) {
  const { kind, key } = orNull(() => resolveReference(mirror, words), NotFoundError) ?? {};
  if (kind === 'politician' || kind === 'party') return { path: kindOf(kind).page, values: { slug: key } };
  return { path: '/texts/{text}', values: { text: resolveVotedText(mirror, words).names[0]! } };
}
