import { join } from 'node:path';
import { PartialSiteError, UsageError } from '../../errors.ts';
import { webAddress } from '../../model/attribution.ts';
import { citationOf } from '../../store/records/contents.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { figure, say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { withTargetFolder } from '../bucket-target.ts';
import { cleanCopy, registerCopy } from '../copy-list.ts';
import { outputFlag, valueFlag } from '../oclif.ts';
import { limitHeapGrowth } from '../process.ts';

export default class Site extends HemicycleCommand {
  static override flags = {
    output: outputFlag('output folder: empty, or with an earlier site', 'DIR|s3://BUCKET/DIR'),
    url: valueFlag('public URL of the site; adds feeds, JSON-LD and link previews', 'URL'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Site);
    limitHeapGrowth({ nurseryMb: 4, growthPercent: 60 });
    const settings = this.settingsWith();
    const siteUrl = flags.url === undefined ? null : parseSiteUrl(flags.url);
    const copy = { kind: 'site', location: flags.output } as const;
    await cleanCopy(this, settings.db, copy); // deletes withheld records first, as writing may fail
    const mirror = this.closeAtEnd(openSnapshot(settings.db));
    const { writeSite } = await import('../../server/site/site.ts');
    const progress = this.progress();
    progress.stage(say`writing pages into ${flags.output}`);
    const options = {
      assetsFolder: join(this.config.root, 'dist/assets'),
      citation: citationOf(settings, mirror),
      groupOrder: settings.groupOrder,
      language: this.speech.language,
      site: siteUrl,
      onProgress: (count: number) => progress.update(say`writing pages into ${flags.output}: ${figure(count)}`),
    };
    const { result, uploadCounts } = await withTargetFolder(flags.output, this.network, (folder) =>
      writeSite(mirror, { ...options, folder }),
    );
    await registerCopy(this, settings.db, copy);
    // For a bucket, count uploads instead of files of the temporary folder.
    const { files, written, removed, bytes, failures } = { ...result, ...uploadCounts };
    const unchanged = Math.max(0, files - written);
    const failedPages = failures.map(({ address, reason }) => ({ address, reason: `${reason}` }));
    const report = { folder: flags.output, files, written, unchanged, removed, bytes, failures: failedPages };
    if (flags.json) await this.print(report, '');
    progress.done(say`${flags.output}: ${figure(files)} files, ${figure(written)} written, ${figure(removed)} removed`);
    for (const { address, reason } of failures.slice(0, maxNotedFailures)) this.note(say`${address}: ${reason}`);
    if (failures.length > 0) throw new PartialSiteError(flags.output, failures.length);
  }
}

const maxNotedFailures = 50; // failed pages listed on stderr; `--json` lists all

function parseSiteUrl(url: string): string {
  const address = webAddress(url);
  if (address === null || /[?#]/.test(address)) throw new UsageError(say`--url ${url} is not the URL of a folder`);
  return address.endsWith('/') ? address : `${address}/`;
}
