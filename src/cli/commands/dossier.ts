import { NotFoundError, orNull, UsageError } from '../../errors.ts';
import { writeAtomically } from '../../format/atomic-file.ts';
import { sanitiseLine } from '../../format/sanitise.ts';
import { resolveVotedText } from '../../questions/ballot-selection.ts';
import { resolveReference } from '../../questions/references.ts';
import type { DossierSubject } from '../../server/dossier.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf } from '../../store/records/citation.ts';
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
    const ending = /\.(html|md)$/i.exec(flags.output)?.[1]?.toLowerCase();
    if (ending === undefined)
      throw new UsageError(
        say`${sanitiseLine(flags.output)} is not a dossier file name`,
        say`use the extension .html or .md`,
      );
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    const subject = resolveSubject(mirror, argv.join(' '));
    const { language } = this.speech;
    const { dossierHtml, pageMarkdown } = await import('../../server/dossier.ts');
    const page = dossierHtml(mirror, subject, { citation: citationOf(settings, mirror), language });
    await writeAtomically(flags.output, (sink) => sink.write(ending === 'md' ? pageMarkdown(page) : page));
    await registerCopy(this, settings.db, { kind: 'dossier', location: flags.output });
    this.note(say`wrote ${sanitiseLine(flags.output)}`);
  }
}

function resolveSubject(mirror: Mirror, words: string): DossierSubject {
  const { kind, key } = orNull(() => resolveReference(mirror, words), NotFoundError) ?? {};
  if ((kind === 'politician' || kind === 'party') && key !== undefined) return { page: kind, key };
  return { page: 'text', key: resolveVotedText(mirror, words).names[0]! };
}
