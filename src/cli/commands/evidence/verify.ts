import { readFileSync } from 'node:fs';
import { VerificationError } from '../../../errors.ts';
import { maxZipBytes } from '../../../evidence/bag.ts';
import { verifyEvidence } from '../../../evidence/verify.ts';
import { whyUnreadable } from '../../../format/foreign-file.ts';
import { escapeHidden, sanitiseLine } from '../../../format/sanitise.ts';
import { figure, instant, type Phrase, say, saying } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { argument } from '../../oclif.ts';

export default class EvidenceVerify extends HemicycleCommand {
  static override args = { file: argument('file written by `evidence`') };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EvidenceVerify);
    const { stdout } = this.sinks();
    const refusal = whyUnreadable(args.file, maxZipBytes);
    if (refusal !== null)
      throw new VerificationError(say`${args.file}: ${refusal}`, say`name a file that \`hemicycle evidence\` wrote`);
    const { faults, more, files, madeAt, records, isStamped } = verifyEvidence(readFileSync(args.file));
    if (flags.json) {
      const faultReports = faults.map(({ part, reason }) => ({ part, reason: `${reason}` }));
      const report = { file: args.file, made_at: madeAt, records, files, faults: faultReports, more };
      await stdout.write(`${escapeHidden(JSON.stringify(report, null, 2))}\n`);
    } else if (!flags.quiet) {
      const lines: Phrase[] = faults.map(({ part, reason }) => say`${part}: ${reason}`);
      if (more > 0) lines.push(saying((speech) => speech.say`and ${speech.number(more)} more`));
      const subject =
        records.length <= 5 ? records.join(', ') : saying((speech) => speech.count(records.length, 'record'));
      if (faults.length === 0)
        lines.push(
          say`${args.file}: ok, ${figure(files.length)} files; made ${instant(madeAt!)}, of ${subject}`,
          isStamped ? say`timestamp.tsr: check it with openssl` : say`the creation date is only stated by its author`,
        );
      for (const line of lines) await stdout.write(`${sanitiseLine(this.speech.render(line))}\n`);
    }
    if (faults.length === 0) return;
    const [first] = faults;
    const otherFaultCount = faults.length - 1 + more;
    throw new VerificationError(
      say`${args.file}: ${sanitiseLine(first!.part)}: ${first!.reason}${otherFaultCount > 0 ? say`, and ${otherFaultCount} more` : ''}`,
      say`the file was altered: ask its author for another copy`,
    );
  }
}
