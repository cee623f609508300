import { VerificationError } from '../../../errors.ts';
import { hasPendingSwitch, verifyTarget } from '../../../export/verify.ts';
import { escapeHidden, sanitiseProse } from '../../../format/sanitise.ts';
import { amount, clauses, say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { withSourceFolder } from '../../bucket-target.ts';
import { argument } from '../../oclif.ts';

export default class ExportVerify extends HemicycleCommand {
  static override args = { folder: argument('folder or file written by `export`, or s3://BUCKET/FOLDER') };

  async run(): Promise<void> {
    const { folder: location } = (await this.parse(ExportVerify)).args;
    await withSourceFolder(location, this.network, (folder) => this.check(folder, location));
  }

  private async check(folder: string, location: string): Promise<void> {
    const { stdout, stderr } = this.sinks();
    const { json, quiet } = this.common;
    const { kind: targetKind, checkedFiles, unlistedFiles } = await verifyTarget(folder);
    const faultyFiles = checkedFiles.filter(({ faults }) => faults.length > 0);
    const files = checkedFiles.map((each) => ({ ...each, faults: each.faults.map(String) }));
    const report = { [targetKind]: location, files, others: unlistedFiles };
    if (json) await stdout.write(`${escapeHidden(JSON.stringify(report, null, 2))}\n`);
    else if (!quiet)
      for (const { path, rows, faults } of checkedFiles) {
        const verdict = faults.length > 0 ? clauses(faults) : rows === null ? 'ok' : say`ok, ${amount(rows, 'row')}`;
        await stdout.write(`${sanitiseProse(this.speech.say`${path}: ${verdict}`)}\n`);
      }
    if (unlistedFiles.length > 0 && !quiet && !json)
      stderr(say`not part of the export: ${sanitiseProse(unlistedFiles.join(', '))}`);
    if (faultyFiles.length === 0) return;
    throw new VerificationError(
      say`${location}: ${clauses(faultyFiles.map(({ path, faults }) => say`${path} ${faults[0]!}`))}`,
      hasPendingSwitch(folder)
        ? say`an export was interrupted; the next one to this folder completes it first`
        : say`export it again, or copy the files again from a complete export`,
    );
  }
}
