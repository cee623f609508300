import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BrokenInstallError, UsageError } from '../../errors.ts';
import { shellLine } from '../../format/sanitise.ts';
import { createFolder } from '../../store/folder.ts';
import { readMeta, saveMeta, whileOpen } from '../../store/mirror.ts';
import { openMirror, openWritableMirror } from '../../store/open.ts';
import { saveDeclaredCitation } from '../../store/records/contents.ts';
import { transaction } from '../../store/transaction.ts';
import { findImportFiles, importFiles } from '../../sync/import.ts';
import { type Phrase, type ShownText, say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { programWords } from '../process.ts';
import { settingTable } from '../setting-table.ts';

const citation = { name: 'Hemicycle demo (all of it invented)', siteUrl: 'https://valombre.example' };

/** The groups of the fictional chambers from left to right. */
const seating = 'ligue-des-ateliers,parti-du-verger,alliance-des-rivages,mouvement-de-la-lanterne,union-des-clairieres';

/** Replaces the environment's settings by those of the demo; the request budget is stored in its folder. */
function setDemoEnvironment(language: string, folder: string): void {
  for (const { variable } of Object.values(settingTable)) delete process.env[variable];
  delete process.env.no_proxy;
  Object.assign(process.env, {
    [settingTable.lang.variable]: language,
    [settingTable['service-name'].variable]: citation.name,
    [settingTable['site-url'].variable]: citation.siteUrl,
    XDG_STATE_HOME: resolve(folder, 'state'),
    NO_PROXY: '127.0.0.1',
  });
}

/** Every ballot of the fictional chambers: the records name only some of them. */
const ballotRanges = 'AN:VAL1V1..VAL1V20,Senat:2026-1..2026-12';

export default class Demo extends HemicycleCommand {
  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const fixtures = join(this.config.root, 'fixtures/demo');
    if (!existsSync(fixtures)) throw new BrokenInstallError(say`${fixtures} is missing`);
    const folder = join(dirname(this.settingsWith().db), 'demo');
    const db = flags.db ?? join(folder, 'mirror.db');
    createFolder(folder);
    for (const path of [db, join(folder, 'source.db')]) removeDemo(path);
    setDemoEnvironment(this.speech.language, folder);
    this.printStep(say`1. import: fill a mirror with fictional records`);
    const source = openDemoMirror(join(folder, 'source.db'));
    const results = await importFiles(source, findImportFiles(fixtures), { at: new Date().toISOString() });
    source.close();
    this.printStep(results.map(({ file, outcomes }) => `   ${file.kind.plural} ${outcomes?.added ?? 0}`).join('\n'));
    openDemoMirror(db).close(); // marks the new file as the demo's before the sync
    this.printStep(say`2. serve: serve this mirror as if it were the service`);
    const { address, close } = await this.serveSource(join(folder, 'source.db'));
    this.printStep(say`3. sync: fill a second mirror from ${address}`);
    const quiet = flags.quiet ? ['--quiet'] : [];
    const syncArguments = ['--from', address, '--rate', '100000', '--ballots', ballotRanges, '--db', db, ...quiet];
    await this.config.runCommand('sync', syncArguments).finally(close);
    // The command printed its own error and set the exit code.
    if (process.exitCode) return;
    for (const [title, command, ...argv] of demoCommands(join(folder, 'out/'))) {
      this.printStep(say`${title}\n   $ ${shellLine(['hemicycle', command, ...argv])}`);
      await this.config.runCommand(command, [...argv, '--db', db, '--quiet']);
      if (process.exitCode) return;
    }
    const nextCommands = [['politicians', '--party', 'ADR'], ['search', 'trains', 'de', 'nuit'], ['serve']];
    const nextLines = nextCommands.map((argv) => `   ${shellLine([...programWords(), ...argv, '--db', db])}`);
    this.printStep(say`Continue on your own, offline:\n${nextLines.join('\n')}`);
  }

  private printStep(text: ShownText): void {
    process.stdout.write(`\n${this.speech.render(text)}\n`);
  }

  /** Serves the mirror on a free port; returns the API address, and the function that ends it. */
  private async serveSource(db: string): Promise<{ address: string; close: () => Promise<void> }> {
    const mirror = openMirror(db);
    const { createApp } = await import('../../server/app.ts');
    const app = await createApp({ mirror, settings: { citation, rateLimit: false, semantic: false } });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const close = async () => {
      await app.close();
      mirror.close();
    };
    return { address: `${origin}/api/v1`, close };
  }
}

/** Deletes the mirror of an earlier demo; throws a UsageError if the file is another mirror. */
function removeDemo(path: string): void {
  if (!existsSync(path)) return;
  if (whileOpen(openMirror(path), (mirror) => readMeta(mirror, 'service_name')) !== citation.name)
    throw new UsageError(say`${path} is not the demo’s mirror`, say`choose a file that does not exist, with --db`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** Opens the mirror and first saves the demo's citation, by which `removeDemo` recognises it after an interruption. */
function openDemoMirror(path: string) {
  const mirror = openWritableMirror(path);
  transaction(mirror, () => {
    saveDeclaredCitation(mirror, citation);
    saveMeta(mirror, 'group_order', seating);
  });
  return mirror;
}

const demoCommands = (exportFolder: string): [Phrase, string, ...string[]][] => [
  [say`4. search`, 'search', 'retraites', '--limit', '5'],
  [say`5. a profile`, 'politicians', 'oceane-bruyevre'],
  [say`6. export: a data package`, 'export', '--all', '--accept-shrink', '-o', exportFolder],
  [say`7. a ballot, with its votes by party`, 'vote', 'VAL1V11'],
];
