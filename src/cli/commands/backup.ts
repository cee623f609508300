import { filesPhrase, writeBackup } from '../../export/backup.ts';
import { attributionOf } from '../../model/attribution.ts';
import { citationOf, lastFilledAt } from '../../store/records/contents.ts';
import { say } from '../../words/speech.ts';
import { backupFiles } from '../backup-files.ts';
import { HemicycleCommand } from '../base-command.ts';
import { withFile } from '../bucket-target.ts';
import { registerCopy } from '../copy-list.ts';
import { outputFlag, switchFlag } from '../oclif.ts';

export default class Backup extends HemicycleCommand {
  static override flags = {
    output: outputFlag('output file, or object of a bucket (s3://BUCKET/KEY); never left incomplete'),
    'without-secrets': switchFlag('the mirror only, without watches, tokens or settings'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Backup);
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    const has_secrets = !flags['without-secrets'];
    const progress = this.progress();
    progress.stage(say`writing ${flags.output}`);
    const files = backupFiles(settings).filter(({ isSecret }) => has_secrets || !isSecret);
    const manifest = await withFile(flags.output, { network: this.network, isUpload: true }, (file) =>
      writeBackup(file, files, {
        program: this.config.version,
        has_secrets,
        attribution: () => attributionOf(citationOf(settings, mirror), { retrievedAt: lastFilledAt(mirror) }),
      }),
    );
    await registerCopy(this, settings.db, { kind: 'backup', location: flags.output });
    if (flags.json) return this.print({ file: flags.output, ...manifest }, '');
    progress.done(say`${flags.output}: ${filesPhrase(manifest)}`);
  }
}
